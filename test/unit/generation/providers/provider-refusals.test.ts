import { instructionsFor } from '../../../../lambda/generation/instructions.ts';
import { callAdapting, REASONING } from '../../../../lambda/generation/providers/adapt.ts';
import type { ProviderEvent } from '../../../../lambda/generation/providers/provider.ts';
import { REQUEST } from '../../../support/attempt-request.ts';
import { testRows } from '../../../support/rows.ts';
import type { Step, VendorKind } from '../../../support/vendors/index.ts';
import { collect, connect, KEY, textsOf, useVendors } from '../../../support/vendors/provider.ts';
import { at, type Body, type Limits, PROMPT_TOKENS } from '../../../support/vendors/script.ts';

useVendors();

const ANSWER: Step[] = [{ text: 'a' }, { finish: 'complete' }];
const ANSWERED = {
  events: [
    { type: 'text', text: 'a' },
    { type: 'end', reason: 'complete' },
  ],
  failure: undefined,
};

/** Returns the events of a call without the tokens: a server that refuses `stream_options` does not report them. */
async function answer(written: AsyncIterator<ProviderEvent>) {
  const { events, failure } = await collect(written);
  return { events: events.filter(({ type }) => type !== 'usage'), failure };
}

/** Calls a vendor twice, with the same configuration. @returns the bodies of all requests */
async function bodiesOf(kind: VendorKind, more: Record<string, unknown>, limits: Limits): Promise<Body[]> {
  const { vendor, write } = await connect(kind, ANSWER, more, async () => KEY, limits);
  expect(await answer(write())).toEqual(ANSWERED);
  expect(await answer(write())).toEqual(ANSWERED);
  return vendor.requests.map(({ body }) => body);
}

const CLAUDE = { model: 'claude-sonnet-5-5' };
const NEW_CLAUDE = { model: 'claude-nova-9' };
const BEDROCK_CLAUDE = { model: 'eu.anthropic.claude-sonnet-5-5-v1:0' };
const LIMIT: Readonly<Record<VendorKind, string>> = {
  anthropic: 'max_tokens',
  bedrock: 'inferenceConfig.maxTokens',
  google: 'generationConfig.maxOutputTokens',
  openai: 'max_output_tokens',
  'openai-compatible': 'max_tokens',
};

testRows<[VendorKind, Record<string, unknown>, Limits, number[]]>([
  ['anthropic', {}, {}, [32_000, 32_000]],
  ['anthropic', CLAUDE, {}, [32_000, 32_000]],
  ['anthropic', NEW_CLAUDE, {}, [32_000, 32_000]],
  ['openai', {}, {}, [32_000, 32_000]],
  ['google', {}, {}, [32_000, 32_000]],
  ['bedrock', {}, {}, [32_000, 32_000]],
  ['openai-compatible', {}, {}, [32_000, 32_000]],
  ['openai-compatible', { maxOutputTokens: 9_000 }, { outputTokens: 9_000 }, [9_000, 9_000]],
  ['anthropic', {}, { outputTokens: 8_192 }, [32_000, 8_192, 8_192]],
  ['openai', {}, { outputTokens: 16_384 }, [32_000, 16_384, 16_384]],
  ['google', {}, { outputTokens: 8_192 }, [32_000, 8_192, 8_192]],
  ['bedrock', {}, { outputTokens: 8_192 }, [32_000, 8_192, 8_192]],
  ['openai-compatible', {}, { outputTokens: 16_384 }, [32_000, 16_384, 16_384]],
  // What a prompt leaves of the context says nothing about the next prompt.
  ['openai-compatible', {}, { contextTokens: 16_384 }, [32_000, 6_384, 32_000, 6_384]],
  // The SDK adds a budget for the reasoning of older models to the limit.
  ['bedrock', { model: 'anthropic.claude-opus-4-1-v1:0' }, { outputTokens: 32_000 }, [35_200, 19_200, 19_200]],
])('asks with the limits that are left', async (kind, more, limits, expected) => {
  const bodies = await bodiesOf(kind, more, limits);
  expect(bodies.map((body) => at(body, LIMIT[kind]))).toEqual(expected);
});

/** The messages of Anthropic, OpenRouter, vLLM, DeepSeek, DashScope, Groq, Moonshot, SiliconFlow, and others. */
testRows<[message: string, limit: number]>([
  [
    'input length and `max_tokens` exceed context limit: 178959 + 32000 > 200000, decrease input length or `max_tokens` and try again',
    200_000 - 178_959,
  ],
  [
    "This endpoint's maximum context length is 32768 tokens. However, you requested about 40000 tokens (8000 of text input, 32000 in the output).",
    32_768 - 8_000,
  ],
  [
    "This model's maximum context length is 6048 tokens. However, you requested 32568 tokens (568 in the messages, 32000 in the completion).",
    6_048 - 568,
  ],
  // Newer vLLM does not say how long the prompt is.
  [
    "This model's maximum context length is 32768 tokens. However, you requested 32000 output tokens and your prompt contains at least 769 input tokens, for a total of at least 32769 tokens.",
    16_000,
  ],
  ['Invalid max_tokens value, the valid range of max_tokens is [1, 8192]', 8_192],
  ['Range of max_tokens should be [1, 8192]', 8_192],
  ['max_tokens for `m` must be less than or equal to 8000', 8_000],
  ['max_tokens (current value: 32000) must be between 0 and 12288', 12_288],
  ['max_tokens should not be greater than 8000', 8_000],
  ['max_completion_tokens: 32,000 is not within 1-16,384', 16_384],
  ['max_tokens is too large', 16_000],
  ['max_tokens: expected 1 or more', 16_000],
])('takes the limit from the message of a server', async (message, limit) => {
  expect(await limitsAfter(400, { message })).toEqual([32_000, limit]);
});

testRows<[what: string, status: number, error: unknown, limit: number]>([
  [
    'Text Generation Inference',
    422,
    {
      error:
        'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 32768. Given: 10000 `inputs` tokens and 32000 `max_new_tokens`',
    },
    22_768,
  ],
  ...[
    '{"error":{"message":"max_tokens: 32000 > 4096, which is the maximum allowed number of output tokens for m"}}',
    '{"message":"max_tokens (current value: 32000) must be between 0 and 4096"}',
  ].map((raw): [string, number, unknown, number] => [
    'a gateway',
    400,
    { message: 'Provider returned error', code: 400, metadata: { raw } },
    4_096,
  ]),
  [
    'FastAPI',
    422,
    {
      detail: [
        {
          type: 'less_than_equal',
          loc: ['body', 'max_tokens'],
          msg: 'Input should be less than or equal to 4096',
          input: 32_000,
          url: 'https://errors.pydantic.dev/2.11/v/less_than_equal',
        },
      ],
    },
    4_096,
  ],
  [
    'Groq about the tokens of a minute',
    413,
    {
      message: 'Request too large for model `llama-3.3-70b` on tokens per minute (TPM): Limit 6000, Requested 32568',
      code: 'rate_limit_exceeded',
    },
    6_000 - 568,
  ],
  ['an error as a success', 200, { message: 'max_tokens must be at most 8192' }, 8_192],
])('takes the limit from the error of a server', async (_what, status, error, limit) => {
  expect(await limitsAfter(status, error)).toEqual([32_000, limit]);
});

/** Returns the limits with which a server is asked that first refuses with this error. */
async function limitsAfter(status: number, error: unknown) {
  const { vendor, write } = await connect('openai-compatible', (number) =>
    number === 1 ? [{ status, body: JSON.stringify({ error }) }] : ANSWER,
  );
  expect(await answer(write())).toEqual(ANSWERED);
  return vendor.requests.map(({ body }) => body.max_tokens);
}

testRows<[VendorKind, body: unknown, sent: Record<string, unknown>]>([
  [
    'openai-compatible',
    'Unrecognized request argument supplied: max_tokens',
    { max_tokens: undefined, max_completion_tokens: undefined },
  ],
  [
    'openai-compatible',
    'unknown field `max_tokens`, expected one of `model`, `messages` at line 1 column 5123',
    { max_tokens: undefined },
  ],
  ['openai', 'unknown field `reasoning`, expected one of `model`, `max_output_tokens`', { max_output_tokens: 32_000 }],
  ['openai-compatible', 'The model does not support max_tokens', { max_tokens: undefined }],
  ['openai', 'Unsupported parameter: max_output_tokens', { max_output_tokens: undefined }],
  ['anthropic', 'system.0.cache_control: Extra inputs are not permitted', { max_tokens: 32_000 }],
])('calls again without a parameter that a server names in its own words', async (kind, message, sent) => {
  const { vendor, write } = await connect(kind, (number) => (number === 1 ? [refusal(message as string)] : ANSWER));
  expect(await answer(write())).toEqual(ANSWERED);
  expect(vendor.requests).toHaveLength(2);
  const body = vendor.requests[1]?.body;
  for (const [name, value] of Object.entries(sent)) expect(body[name]).toBe(value);
  expect(JSON.stringify(body)).not.toContain('cache_control');
});

it('leaves out the limit if the server knows none of its names', async () => {
  const { vendor, write } = await connect('openai-compatible', (number) => {
    const name = ['', 'max_tokens', 'max_completion_tokens'][number];
    return name ? [refusal(`Unsupported parameter: '${name}'. Use 'max_completion_tokens' instead.`)] : ANSWER;
  });
  expect(await answer(write())).toEqual(ANSWERED);
  expect(vendor.requests.map(({ body }) => [body.max_tokens, body.max_completion_tokens])).toEqual([
    [32_000, undefined],
    [undefined, 32_000],
    [undefined, undefined],
  ]);
});

const { system, shared, prompt } = instructionsFor(REQUEST);

testRows<[VendorKind, status: number, message: string]>([
  ['openai-compatible', 400, 'System role not supported'],
  ['openai-compatible', 400, 'Conversation roles must alternate user/assistant/user/assistant/...'],
  ['openai-compatible', 500, 'Error rendering the template: System role not supported'],
  ['google', 400, 'Developer instruction is not enabled for models/gemma-3-27b-it'],
  ['bedrock', 400, "This model doesn't support system messages. Try again without system messages."],
  ['openai', 400, "Unsupported value: 'messages[0].role' does not support 'system' with this model."],
  ['anthropic', 400, 'system prompts are not supported by this model'],
])("puts the instructions into the user's message", async (kind, status, message) => {
  const body = JSON.stringify({ error: { message }, message });
  const { vendor, write } = await connect(kind, (number) => (number === 1 ? [{ status, body }] : ANSWER));
  expect(await answer(write())).toEqual(ANSWERED);
  expect(await answer(write())).toEqual(ANSWERED);
  expect(vendor.requests).toHaveLength(3);
  const texts = textsOf(vendor.requests[2]?.body);
  expect(texts.join('\n\n')).toBe(`${system}\n\n${shared}\n\n${prompt}`);
  expect(JSON.stringify(vendor.requests[2]?.body)).not.toMatch(/"role":"(?:system|developer)"/);
});

/** A refused parameter is sent once, in the first of three requests. */
testRows<[VendorKind, string, Record<string, unknown>, Record<string, unknown>]>([
  ['openai-compatible', 'max_tokens', {}, { max_completion_tokens: 32_000 }],
  ['openai-compatible', 'stream_options', {}, { max_tokens: 32_000 }],
  ['openai-compatible', 'reasoning_effort', { reasoning: 'low' }, { max_tokens: 32_000 }],
  ['openai', 'reasoning.summary', { model: 'gpt-6.1-sol' }, { reasoning: { effort: 'low' } }],
  ['openai', 'reasoning', { model: 'gpt-6.1-sol' }, { store: false }],
  ['anthropic', 'thinking', CLAUDE, { max_tokens: 32_000 }],
  ['google', 'thinkingConfig', { model: 'gemini-3.8-flash' }, {}],
  ['bedrock', 'thinking', BEDROCK_CLAUDE, {}],
  ['bedrock', 'cachePoint', BEDROCK_CLAUDE, {}],
])('calls again without a parameter that was refused, and remembers it', async (kind, parameter, more, adapted) => {
  const bodies = await bodiesOf(kind, more, { refuses: [parameter] });
  const last = parameter.split('.').at(-1);
  expect(bodies.map((body) => JSON.stringify(body).includes(`"${last}"`))).toEqual([true, false, false]);
  expect(bodies.at(-1)).toMatchObject(adapted);
});

it('adapts to several refusals of one call', async () => {
  const limits = {
    refuses: ['max_tokens', 'stream_options', 'reasoning_effort'],
    contextTokens: PROMPT_TOKENS + 300,
  };
  const { vendor, write } = await connect('openai-compatible', ANSWER, { reasoning: 'high' }, undefined, limits);
  expect(await answer(write())).toEqual(ANSWERED);
  expect(vendor.requests).toHaveLength(5);
  expect(vendor.requests.at(-1)?.body).toEqual({
    model: 'a-model',
    max_completion_tokens: 300,
    messages: expect.any(Array),
    stream: true,
  });
});

testRows<[what: string, (number: number) => Step[], requests: number]>([
  ['that it has adapted to', () => [refusal('stream_options')], 2],
  ['that it does not know', () => [refusal('temperature')], 1],
  ['with limits that never suffice', (number) => [refusal(`max_tokens: 9 > ${999 - number}`)], 5],
  ['that repeats the prompt', () => [refusal('a pomodoro timer: max_tokens: 9 > 8')], 1],
  [
    'of a prompt that fills the context',
    () => [refusal("This model's maximum context length is 9 tokens and your request has 10 input tokens")],
    1,
  ],
  ['of too many requests', () => [{ status: 429, body: '{"message":"max_tokens per minute: 9000"}' }], 1],
  ['about the budget of thoughts', () => [refusal('max_tokens must be greater than budget_tokens: 1024')], 1],
])('does not repeat a call after another refusal', async (_what, script, requests) => {
  const { vendor, write } = await connect('openai-compatible', script);
  expect((await collect(write())).failure).toMatchObject({ message: expect.stringContaining('HTTP') });
  expect(vendor.requests).toHaveLength(requests);
});

it('learns one limit from calls at the same time', async () => {
  const { vendor, write } = await connect('anthropic', ANSWER, {}, undefined, { outputTokens: 8_192 });
  await Promise.all([collect(write()), collect(write())]);
  expect(await answer(write())).toEqual(ANSWERED);
  expect(vendor.requests.at(-1)?.body.max_tokens).toBe(8_192);
});

it('adapts for a prompt that is a word of the refusal', async () => {
  const { vendor, provider } = await connect('openai-compatible', ANSWER, {}, undefined, {
    refuses: ['max_tokens'],
  });
  const written = provider.write({ ...REQUEST, prompt: 'model' }, new AbortController().signal);
  expect(await answer(written[Symbol.asyncIterator]())).toEqual(ANSWERED);
  expect(vendor.requests).toHaveLength(2);
});

it('does not repeat a call that has started to answer', async () => {
  const error = { statusCode: 400, responseBody: '{"message":"reasoning is not supported"}' };
  const call = jest.fn(async function* (): AsyncGenerator<ProviderEvent> {
    yield { type: 'activity' };
    throw error;
  });
  const options = { maxOutputTokens: 1, reasoning: 'low', without: [] } as const;
  const written = callAdapting({}, options, [REASONING], [], call);
  expect(await collect(written)).toEqual({ events: [{ type: 'activity' }], failure: error });
  expect(call).toHaveBeenCalledTimes(1);
});

const refusal = (message: string): Step => ({ status: 400, body: JSON.stringify({ error: { message } }) });
