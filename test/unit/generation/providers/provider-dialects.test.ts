import { instructionsFor } from '../../../../lambda/generation/instructions.ts';
import { REQUEST } from '../../../support/attempt-request.ts';
import { GIF, png } from '../../../support/images.ts';
import { testRows } from '../../../support/rows.ts';
import type { Step, VendorKind } from '../../../support/vendors/index.ts';
import { collect, connect, failing, KEY, outcomeOf, useVendors } from '../../../support/vendors/provider.ts';
import { at } from '../../../support/vendors/script.ts';

useVendors();

const { system, shared, prompt } = instructionsFor(REQUEST);
const joined = `${shared}\n\n${prompt}`;
/** For a model with short answers. */
const brief = instructionsFor(REQUEST, { context: 24_000, output: 1234 }).prompt;
const joinedBrief = `${shared}\n\n${brief}`;

testRows<[VendorKind, string, Record<string, unknown>, Record<string, unknown>]>([
  [
    'anthropic',
    '/v1/messages',
    { 'x-api-key': KEY },
    {
      model: 'a-model',
      max_tokens: 1234,
      system: [{ type: 'text', text: system, cache_control: { type: 'ephemeral' } }],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: shared, cache_control: { type: 'ephemeral' } },
            { type: 'text', text: brief },
          ],
        },
      ],
      stream: true,
    },
  ],
  [
    'google',
    '/v1beta/models/a-model:streamGenerateContent?alt=sse',
    { 'x-goog-api-key': KEY },
    {
      generationConfig: { maxOutputTokens: 1234 },
      systemInstruction: { parts: [{ text: system }] },
      contents: [{ role: 'user', parts: [{ text: joinedBrief }] }],
    },
  ],
  [
    'openai',
    '/v1/responses',
    { authorization: `Bearer ${KEY}` },
    {
      model: 'a-model',
      max_output_tokens: 1234,
      store: false,
      input: [
        { role: 'system', content: system },
        { role: 'user', content: [{ type: 'input_text', text: joinedBrief }] },
      ],
      stream: true,
    },
  ],
  [
    'openai-compatible',
    '/v1/chat/completions',
    { authorization: `Bearer ${KEY}` },
    {
      model: 'a-model',
      max_tokens: 1234,
      messages: [
        { role: 'system', content: system },
        { role: 'user', content: joinedBrief },
      ],
      stream: true,
      stream_options: { include_usage: true },
    },
  ],
  [
    'bedrock',
    '/model/a-model/converse-stream',
    {
      authorization: expect.stringMatching(/^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d+\/eu-central-1\/bedrock\//),
    },
    {
      inferenceConfig: { maxTokens: 1234 },
      system: [{ text: system }],
      messages: [{ role: 'user', content: [{ text: joinedBrief }] }],
    },
  ],
])('sends a request in the format of the vendor', async (kind, path, headers, body) => {
  const { vendor, provider, write } = await connect(kind, [{ finish: 'complete' }], {
    maxOutputTokens: 1234,
  });
  await collect(write());
  expect(provider.model).toBe('a-model');
  expect(vendor.requests).toMatchObject([{ path, headers: { ...headers, connection: 'close' }, closedEarly: false }]);
  expect(vendor.requests[0]?.body).toEqual(body);
});

const GEMINI = { model: 'gemini-3.8-flash' };
const GPT = { model: 'gpt-6.1-sol' };
const BEDROCK_CLAUDE = { model: 'eu.anthropic.claude-sonnet-5-5-v1:0' };

testRows<[VendorKind, Record<string, unknown>, string, unknown]>([
  ['anthropic', { model: 'claude-sonnet-5-5' }, 'thinking', { type: 'adaptive', display: 'summarized' }],
  ['anthropic', { model: 'claude-sonnet-5-5', reasoning: 'high' }, 'output_config', { effort: 'high' }],
  ['anthropic', { model: 'claude-3-5-haiku-20241022' }, 'thinking', undefined],
  ['anthropic', {}, 'thinking', undefined],
  ['openai', GPT, 'reasoning', { effort: 'low', summary: 'auto' }],
  ['openai', { model: 'gpt-5.1', reasoning: 'none' }, 'reasoning', { effort: 'none' }],
  ['openai', { reasoning: 'high' }, 'reasoning', { effort: 'high', summary: 'auto' }],
  ['openai', { model: 'gpt-4o' }, 'reasoning', undefined],
  ['google', GEMINI, 'generationConfig.thinkingConfig', { thinkingLevel: 'low', includeThoughts: true }],
  [
    'google',
    { model: 'gemini-2.5-flash', reasoning: 'none' },
    'generationConfig.thinkingConfig',
    { thinkingBudget: 0 },
  ],
  ['google', { model: 'gemini-2.0-flash' }, 'generationConfig.thinkingConfig', undefined],
  [
    'bedrock',
    BEDROCK_CLAUDE,
    'additionalModelRequestFields',
    { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'low' } },
  ],
  ['bedrock', { model: 'amazon.nova-pro-v1:0' }, 'additionalModelRequestFields', undefined],
  ['openai-compatible', { reasoning: 'none' }, 'reasoning_effort', 'none'],
  ['openai-compatible', {}, 'reasoning_effort', undefined],
])('asks for reasoning in the terms of the model', async (kind, more, path, expected) => {
  const { vendor, write } = await connect(kind, [{ finish: 'complete' }], more);
  await collect(write());
  expect(vendor.requests).toHaveLength(1);
  expect(at(vendor.requests[0]?.body, path)).toEqual(expected);
});

testRows([
  ['amazon.nova-pro-v1:0', [{ cachePoint: { type: 'default' } }]],
  [BEDROCK_CLAUDE.model, [{ cachePoint: { type: 'default' } }]],
  ['meta.llama4-maverick-17b-instruct-v1:0', []],
])('marks the shared parts for the cache', async (model, marks) => {
  const { vendor, write } = await connect('bedrock', [{ finish: 'complete' }], { model });
  await collect(write());
  const { body } = vendor.requests[0] ?? {};
  expect(body.system).toEqual([{ text: system }, ...marks]);
  expect(body.messages[0].content).toEqual(
    marks.length > 0 ? [{ text: shared }, ...marks, { text: prompt }] : [{ text: joined }],
  );
});

const PNG = png(2, 1);
const IMAGES = [
  { path: 'assets/a.png', content: PNG },
  { path: 'assets/b.gif', content: GIF },
  { path: 'assets/c.svg', content: '<svg xmlns="http://www.w3.org/2000/svg"/>' },
  { path: 'assets/damaged.jpg', content: Buffer.from('no image') },
  { path: 'assets/huge.png', content: png(8_001, 1) },
  { path: 'assets/d.avif', content: Buffer.from('an image that no vendor takes') },
];
const WITH_IMAGES = {
  ...REQUEST,
  files: IMAGES.map((file) => ({ ...file, content: undefined })),
  images: IMAGES,
};
const BYTES = { png: PNG.toString('base64'), gif: GIF.toString('base64') };

describe('images', () => {
  const asked = instructionsFor(WITH_IMAGES);

  async function partsSent(kind: VendorKind, more: Record<string, unknown>, request = WITH_IMAGES) {
    const { vendor, provider } = await connect(kind, [{ finish: 'complete' }], more);
    await collect(provider.write(request, new AbortController().signal)[Symbol.asyncIterator]());
    const { messages, contents, input } = vendor.requests[0]?.body ?? {};
    const user = contents?.[0].parts ?? (messages ?? input).at(-1).content;
    return typeof user === 'string' ? [user] : user;
  }

  testRows<[VendorKind, Record<string, unknown>, readonly unknown[]]>([
    [
      'anthropic',
      {},
      [
        { type: 'text', text: asked.shared },
        { type: 'text', text: 'assets/a.png:' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: BYTES.png } },
        { type: 'text', text: 'assets/b.gif:' },
        {
          type: 'image',
          source: { type: 'base64', media_type: 'image/gif', data: BYTES.gif },
          cache_control: { type: 'ephemeral' },
        },
        { type: 'text', text: asked.prompt },
      ],
    ],
    [
      'google',
      {},
      [
        { text: asked.shared },
        { text: 'assets/a.png:' },
        { inlineData: { mimeType: 'image/png', data: BYTES.png } },
        { text: asked.prompt },
      ],
    ],
    [
      'openai',
      {},
      [
        { type: 'input_text', text: asked.shared },
        { type: 'input_text', text: 'assets/a.png:' },
        { type: 'input_image', image_url: `data:image/png;base64,${BYTES.png}` },
        { type: 'input_text', text: 'assets/b.gif:' },
        { type: 'input_image', image_url: `data:image/gif;base64,${BYTES.gif}` },
        { type: 'input_text', text: asked.prompt },
      ],
    ],
    [
      'openai-compatible',
      { images: true },
      [
        { type: 'text', text: asked.shared },
        { type: 'text', text: 'assets/a.png:' },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${BYTES.png}` } },
        { type: 'text', text: 'assets/b.gif:' },
        { type: 'image_url', image_url: { url: `data:image/gif;base64,${BYTES.gif}` } },
        { type: 'text', text: asked.prompt },
      ],
    ],
    [
      'bedrock',
      { model: 'eu.anthropic.claude-sonnet-5-5-v1:0' },
      [
        { text: asked.shared },
        { text: 'assets/a.png:' },
        { image: { format: 'png', source: { bytes: BYTES.png } } },
        { text: 'assets/b.gif:' },
        { image: { format: 'gif', source: { bytes: BYTES.gif } } },
        { cachePoint: { type: 'default' } },
        { text: asked.prompt },
      ],
    ],
  ])('go to a vendor in its format, without those that it would reject', async (kind, more, parts) => {
    expect(await partsSent(kind, more)).toEqual(parts);
  });

  testRows<[VendorKind, Record<string, unknown>]>([
    ['anthropic', { images: false }],
    ['google', { images: false }],
    ['openai', { images: false }],
    ['openai-compatible', {}],
    ['bedrock', { model: 'amazon.nova-micro-v1:0' }],
    ['bedrock', { model: 'deepseek.r1-v1:0' }],
  ])('do not go to a model that cannot see', async (kind, more) => {
    const { provider } = await connect(kind, [], more);
    expect(provider.images).toBe(false);
    expect(JSON.stringify(await partsSent(kind, more))).not.toContain(BYTES.png);
  });

  testRows<[VendorKind, Record<string, unknown>]>([
    ['anthropic', {}],
    ['google', {}],
    ['openai', {}],
    ['openai-compatible', { images: true }],
    ['bedrock', { model: 'eu.anthropic.claude-sonnet-5-5-v1:0' }],
  ])('of the page go along with a review, after what the calls of a generation share', async (kind, more) => {
    const pictures = [png(390, 20), png(1280, 20)] as const;
    const screenshots = new Map([
      [390, pictures[0]],
      [1280, pictures[1]],
    ] as const);
    const review = { ...WITH_IMAGES, kind: 'review', amends: true, screenshots } as const;
    const shared = (await partsSent(kind, more)).slice(0, -1);
    const sent = await partsSent(kind, more, review as never);
    expect(sent.slice(0, shared.length)).toEqual(shared);
    const own = sent.slice(shared.length).map((part: unknown) => JSON.stringify(part));
    expect(own).toEqual([
      expect.stringContaining('"The page at a width of 390 px:"'),
      expect.stringContaining(pictures[0].toString('base64')),
      expect.stringContaining('"The page at a width of 1280 px:"'),
      expect.stringContaining(pictures[1].toString('base64')),
      expect.stringContaining('two pictures of the page'),
    ]);
    expect(own.join()).not.toContain('cache');
  });

  it('do not go along with a repair', async () => {
    const repair = { ...WITH_IMAGES, kind: 'repair', problems: ['index.html: is empty'] } as const;
    expect(JSON.stringify(await partsSent('anthropic', {}, repair as never))).not.toContain(BYTES.png);
  });
});

it('signs for the configured region', async () => {
  const { vendor, write } = await connect('bedrock', [{ finish: 'complete' }], { region: 'us-west-2' });
  await collect(write());
  expect(vendor.requests[0]?.headers.authorization).toContain('/us-west-2/bedrock/aws4_request');
});

it('sends no key if none is configured', async () => {
  const { vendor, write } = await connect('openai-compatible', [{ finish: 'complete' }], {
    apiKey: undefined,
  });
  await collect(write());
  expect(vendor.requests[0]?.headers.authorization).toBeUndefined();
});

testRows<[VendorKind, Step, unknown]>([
  [
    'google',
    {
      status: 429,
      body: '{"error":{"code":429,"message":"Quota","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34.07s"}]}}',
    },
    failing('overloaded', 'HTTP 429: Quota', 35),
  ],
  [
    'google',
    {
      status: 400,
      body: '{"error":{"code":400,"message":"API key not valid.","status":"INVALID_ARGUMENT","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID"}]}}',
    },
    failing('credentials', 'HTTP 400: API key not valid.'),
  ],
  [
    'openai-compatible',
    { status: 400, body: '{"error":{"message":"Filtered","type":null,"code":"content_filter"}}' },
    failing('refused', 'HTTP 400: Filtered'),
  ],
  [
    'bedrock',
    {
      status: 403,
      headers: { 'x-amzn-errortype': 'ExpiredTokenException' },
      body: '{"Message":"The security token included in the request is expired"}',
    },
    failing('credentials', 'HTTP 403: The security token included in the request is expired'),
  ],
  ...(
    [
      [403, 'AccessDeniedException', "You don't have access to the model with the specified model ID"],
      [404, 'ResourceNotFoundException', 'Model use case details have not been submitted for this account'],
    ] as const
  ).map(([status, type, message]): [VendorKind, Step, unknown] => [
    'bedrock',
    { status, headers: { 'x-amzn-errortype': type }, body: JSON.stringify({ message }) },
    failing(
      'credentials',
      new RegExp(
        `^HTTP ${status}: ${message} .*\\. The account needs a Marketplace subscription of the model, and for Anthropic the use case form: call the model once in the Bedrock console$`,
      ),
    ),
  ]),
  [
    'bedrock',
    {
      status: 429,
      headers: { 'x-amzn-errortype': 'ModelNotReadyException' },
      body: '{"message":"Not ready"}',
    },
    failing('overloaded', 'HTTP 429: Not ready'),
  ],
])('recognizes the errors of each vendor', async (kind, step, expected) => {
  expect(await outcomeOf(kind, [step])).toEqual({ events: [], failure: expected, requests: 1 });
});

it('reads the key only when it writes', async () => {
  const secret = jest.fn(async () => KEY);
  const { write } = await connect('anthropic', [{ finish: 'complete' }], {}, secret);
  expect(secret).not.toHaveBeenCalled();
  await collect(write());
  expect(secret.mock.calls).toEqual([['VENDOR_KEY']]);
});
