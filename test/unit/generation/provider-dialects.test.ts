import { jest } from '@jest/globals';
import { providerConfig } from '../../../lambda/contract/providers.ts';
import { instructionsFor } from '../../../lambda/generation/instructions.ts';
import { type ModelConfig, settingsOf } from '../../../lambda/generation/providers/model-config.ts';
import { GIF, png } from '../../support/images.ts';
import { type Step, type VendorKind, WIRES } from '../../support/vendors/index.ts';
import { collect, connect, failing, KEY, outcomeOf, REQUEST } from '../../support/vendors/provider.ts';

const { system, shared, prompt } = instructionsFor(REQUEST);
const joined = `${shared}\n\n${prompt}`;
const CACHED = { cache_control: { type: 'ephemeral' } };

it.each<[VendorKind, string, Record<string, unknown>, Record<string, unknown>]>([
  [
    'anthropic',
    '/v1/messages',
    { 'x-api-key': KEY },
    {
      model: 'a-model',
      max_tokens: 1234,
      thinking: { type: 'disabled' },
      system: [{ type: 'text', text: system, ...CACHED }],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: `${shared}\n\n`, ...CACHED },
            { type: 'text', text: prompt },
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
      generationConfig: {
        maxOutputTokens: 1234,
        thinkingConfig: { includeThoughts: true, thinkingBudget: 0 },
      },
      systemInstruction: { parts: [{ text: system }] },
      contents: [{ role: 'user', parts: [{ text: joined }] }],
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
        { role: 'user', content: joined },
      ],
      stream: true,
      stream_options: { include_usage: true },
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
        { role: 'user', content: [{ type: 'input_text', text: joined }] },
      ],
      stream: true,
    },
  ],
  [
    'bedrock',
    '/model/a-model/converse-stream',
    {
      authorization: expect.stringMatching(
        /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d+\/eu-central-1\/bedrock\//,
      ),
    },
    {
      inferenceConfig: { maxTokens: 1234 },
      system: [{ text: system }],
      messages: [{ role: 'user', content: [{ text: joined }] }],
    },
  ],
])('sends a request in the format of %s', async (kind, path, headers, body) => {
  const { vendor, provider, write } = await connect(kind, [{ finish: 'complete' }], {
    maxOutputTokens: 1234,
    ...(kind === 'openai-compatible' ? {} : { reasoning: 'none' }),
  });
  await collect(write());
  expect(provider.model).toBe('a-model');
  expect(vendor.requests).toMatchObject([
    { path, headers: { ...headers, connection: 'close' }, closedEarly: false },
  ]);
  expect(vendor.requests[0]?.body).toEqual(body);
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
  const rules = instructionsFor(WITH_IMAGES, 100_000);
  const asked = `${rules.shared}\n\n${rules.prompt}`;

  async function partsSent(kind: VendorKind, more: Record<string, unknown>, request = WITH_IMAGES) {
    const { vendor, provider } = await connect(kind, [{ finish: 'complete' }], more);
    await collect(provider.write(request, new AbortController().signal)[Symbol.asyncIterator]());
    const { messages, contents, input } = vendor.requests[0]?.body ?? {};
    const user = contents?.[0].parts ?? (messages ?? input).at(-1).content;
    return typeof user === 'string' ? [user] : user;
  }

  it.each<[VendorKind, Record<string, unknown>, readonly unknown[]]>([
    [
      'anthropic',
      {},
      [
        { type: 'text', text: `${rules.shared}\n\n`, ...CACHED },
        { type: 'text', text: rules.prompt },
        { type: 'text', text: 'assets/a.png:' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: BYTES.png } },
        { type: 'text', text: 'assets/b.gif:' },
        { type: 'image', source: { type: 'base64', media_type: 'image/gif', data: BYTES.gif } },
      ],
    ],
    [
      'google',
      {},
      [
        { text: asked },
        { text: 'assets/a.png:' },
        { inlineData: { mimeType: 'image/png', data: BYTES.png } },
      ],
    ],
    [
      'openai-compatible',
      { images: true },
      [
        { type: 'text', text: asked },
        { type: 'text', text: 'assets/a.png:' },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${BYTES.png}` } },
        { type: 'text', text: 'assets/b.gif:' },
        { type: 'image_url', image_url: { url: `data:image/gif;base64,${BYTES.gif}` } },
      ],
    ],
    [
      'bedrock',
      { model: 'eu.anthropic.claude-sonnet-5-5-v1:0' },
      [
        { text: `${rules.shared}\n\n` },
        { cachePoint: { type: 'default' } },
        { text: rules.prompt },
        { text: 'assets/a.png:' },
        { image: { format: 'png', source: { bytes: BYTES.png } } },
        { text: 'assets/b.gif:' },
        { image: { format: 'gif', source: { bytes: BYTES.gif } } },
      ],
    ],
  ])('go to %s in its format, without those that it would reject', async (kind, more, parts) => {
    expect(await partsSent(kind, more)).toEqual(parts);
  });

  it.each<[VendorKind, Record<string, unknown>]>([
    ['anthropic', { images: false }],
    ['google', { images: false }],
    ['openai', { images: false }],
    ['openai-compatible', {}],
    ['bedrock', { model: 'amazon.nova-micro-v1:0' }],
    ['bedrock', { model: 'deepseek.r1-v1:0' }],
  ])('do not go to %s with %j', async (kind, more) => {
    expect(JSON.stringify(await partsSent(kind, more))).not.toContain(BYTES.png);
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

it.each<[string, VendorKind, Step, unknown]>([
  [
    'RetryInfo',
    'google',
    {
      status: 429,
      body: '{"error":{"code":429,"message":"Quota","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34.07s"}]}}',
    },
    failing('overloaded', 'HTTP 429: Quota', 35),
  ],
  [
    'an unknown key',
    'google',
    {
      status: 400,
      body: '{"error":{"code":400,"message":"API key not valid.","status":"INVALID_ARGUMENT","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID"}]}}',
    },
    failing('credentials', 'HTTP 400: API key not valid.'),
  ],
  [
    'a filtered prompt',
    'openai-compatible',
    { status: 400, body: '{"error":{"message":"Filtered","type":null,"code":"content_filter"}}' },
    failing('refused', 'HTTP 400: Filtered'),
  ],
  [
    'expired credentials',
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
  ).map(([status, type, message]): [string, VendorKind, Step, unknown] => [
    `the ${type} of a model without a subscription`,
    'bedrock',
    { status, headers: { 'x-amzn-errortype': type }, body: JSON.stringify({ message }) },
    failing(
      'credentials',
      `HTTP ${status}: ${message}. The account needs a Marketplace subscription of the model, and for Anthropic the use case form: call the model once in the Bedrock console`,
    ),
  ]),
  [
    'a model that is not ready',
    'bedrock',
    {
      status: 429,
      headers: { 'x-amzn-errortype': 'ModelNotReadyException' },
      body: '{"message":"Not ready"}',
    },
    failing('overloaded', 'HTTP 429: Not ready'),
  ],
])('recognizes %s of %s', async (_what, kind, step, expected) => {
  expect(await outcomeOf(kind, [step])).toEqual({ events: [], failure: expected, requests: 1 });
});

it('reads the key only when it writes', async () => {
  const secret = jest.fn(async () => KEY);
  const { write } = await connect('anthropic', [{ finish: 'complete' }], {}, secret);
  expect(secret).not.toHaveBeenCalled();
  await collect(write());
  expect(secret.mock.calls).toEqual([['VENDOR_KEY']]);
});

/** The errors of vendors, in their own words, and what is different in the next request. */
const LESSONS: readonly (readonly [
  kind: VendorKind,
  more: Readonly<Record<string, unknown>>,
  message: string,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
])[] = [
  [
    'openai-compatible',
    {},
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    { max_tokens: 32_000 },
    { max_tokens: undefined, max_completion_tokens: 32_000 },
  ],
  [
    'openai-compatible',
    {},
    'stream_options: Extra inputs are not permitted',
    { stream_options: { include_usage: true } },
    { stream_options: undefined },
  ],
  [
    'openai-compatible',
    { reasoning: 'high' },
    'Unrecognized request argument supplied: reasoning_effort',
    { reasoning_effort: 'high' },
    { reasoning_effort: undefined },
  ],
  [
    'openai-compatible',
    {},
    'max_tokens is too large: 32000. This model supports at most 16384 completion tokens, whereas you provided 32000.',
    { max_tokens: 32_000 },
    { max_tokens: 16_384 },
  ],
  [
    'openai-compatible',
    {},
    "This model's maximum context length is 32768 tokens. However, you requested 34500 tokens (2500 in the messages, 32000 in the completion). Please reduce the length of the messages or completion.",
    { max_tokens: 32_000 },
    { max_tokens: 30_268 },
  ],
  [
    'openai-compatible',
    {},
    "'max_tokens' or 'max_completion_tokens' is too large: 32000. This model's maximum context length is 32768 tokens and your request has 2500 input tokens (32000 > 32768 - 2500).",
    { max_tokens: 32_000 },
    { max_tokens: 30_268 },
  ],
  [
    'openai',
    { model: 'gpt-6.1-sol' },
    'Your organization must be verified to generate reasoning summaries.',
    { reasoning: { effort: 'low', summary: 'detailed' } },
    { reasoning: { effort: 'low' } },
  ],
  [
    'openai',
    { reasoning: 'low', model: 'o3' },
    "Unsupported parameter: 'reasoning.effort' is not supported with this model.",
    { reasoning: { effort: 'low', summary: 'detailed' } },
    { reasoning: undefined },
  ],
  [
    'anthropic',
    { reasoning: 'none' },
    'max_tokens: 32000 > 8192, which is the maximum allowed number of output tokens for claude-3-5-haiku-20241022',
    { max_tokens: 32_000 },
    { max_tokens: 8_192 },
  ],
  [
    'google',
    { reasoning: 'none' },
    'Unable to submit request because it has a maxOutputTokens value of 32000 but the supported range is from 1 (inclusive) to 8193 (exclusive). Update the value and try again.',
    { generationConfig: expect.objectContaining({ maxOutputTokens: 32_000 }) },
    { generationConfig: expect.objectContaining({ maxOutputTokens: 8_192 }) },
  ],
  [
    'google',
    {},
    'Thinking is not supported for this model.',
    { generationConfig: expect.objectContaining({ thinkingConfig: expect.anything() }) },
    { generationConfig: { maxOutputTokens: 32_000 } },
  ],
  [
    'bedrock',
    {},
    'The maximum tokens you requested exceeds the model limit of 10000. Try again with a maximum tokens value that is lower than 10000.',
    { inferenceConfig: { maxTokens: 32_000 } },
    { inferenceConfig: { maxTokens: 10_000 } },
  ],
];

it('sends a rejected request again as the vendor wants it, and the next one so at once', async () => {
  const sent = await Promise.all(
    LESSONS.map(async ([kind, more, message, before, after]) => {
      const { error } = WIRES[kind]();
      const script = (number: number): Step[] =>
        number === 1 ? [{ status: 400, body: error(400, message) }] : [{ finish: 'complete' }];
      const { vendor, write } = await connect(kind, script, more);
      const outcomes = [await collect(write()), await collect(write())];
      const fields = new Set([...Object.keys(before), ...Object.keys(after)]);
      const bodies = vendor.requests.map(({ body }) =>
        Object.fromEntries(Array.from(fields, (name) => [name, body[name]])),
      );
      return { outcomes, bodies };
    }),
  );
  const whole = { events: [{ type: 'end', reason: 'complete' }], failure: undefined };
  expect(sent).toEqual(
    LESSONS.map(([, , , before, after]) => ({
      outcomes: [whole, whole],
      bodies: [before, after, after].map((fields) => expect.objectContaining(fields)),
    })),
  );
});

it('gives up on a vendor that rejects every request, after one call for each lesson', async () => {
  const message =
    'max_tokens: 32000 > 8192, which is the maximum allowed number of output tokens for a-model';
  const body = JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message } });
  const { failure, requests } = await outcomeOf('anthropic', [{ status: 400, body }]);
  expect({ failure, requests }).toEqual({ failure: failing('failed', 'HTTP 400: max_tokens'), requests: 2 });
});

it('has the defaults of the vendor, or the configured values', () => {
  const settings = (config: Readonly<Record<string, unknown>>) => {
    const { parallel, quiet, contextTokens } = settingsOf(
      providerConfig.parse({ model: 'm', ...config }) as ModelConfig,
    );
    return [parallel, quiet, contextTokens];
  };
  const compatible = (baseUrl: string, more = {}) =>
    settings({ kind: 'openai-compatible', baseUrl, ...more });
  expect([
    settings({ kind: 'anthropic', apiKey: 'KEY' }),
    settings({ kind: 'bedrock' }),
    settings({ kind: 'openai', apiKey: 'KEY', parallel: 2, contextTokens: 50_000 }),
    compatible('https://openrouter.ai/api/v1'),
    compatible('http://127.0.0.1:11434/v1'),
    compatible('http://192.168.1.20:8000/v1', { reasoning: 'high', parallel: 8 }),
    compatible('http://[::1]:8000/v1', { reasoning: 'none' }),
  ]).toEqual([
    [4, false, 100_000],
    [4, false, 100_000],
    [2, false, 50_000],
    [4, false, 24_000],
    [1, false, 24_000],
    [8, true, 24_000],
    [1, false, 24_000],
  ]);
});
