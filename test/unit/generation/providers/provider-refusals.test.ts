import { callAdapting, REASONING } from '../../../../lambda/generation/providers/adapt.ts';
import type { ProviderEvent } from '../../../../lambda/generation/providers/provider.ts';
import { testRows } from '../../../support/rows.ts';
import type { Step, VendorKind } from '../../../support/vendors/index.ts';
import { collect, connect, failing, KEY, REQUEST, useVendors } from '../../../support/vendors/provider.ts';
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
  [
    'bedrock',
    { model: 'anthropic.claude-opus-4-1-v1:0' },
    { outputTokens: 32_000 },
    [35_200, 19_200, 19_200],
  ],
])('asks with the limits that are left', async (kind, more, limits, expected) => {
  const bodies = await bodiesOf(kind, more, limits);
  expect(bodies.map((body) => at(body, LIMIT[kind]))).toEqual(expected);
});

testRows<[what: string, status: number, body: unknown, limit: number]>([
  [
    'Anthropic about the context',
    400,
    {
      message:
        'input length and `max_tokens` exceed context limit: 178959 + 32000 > 200000, decrease input length or `max_tokens` and try again',
    },
    200_000 - 178_959,
  ],
  [
    'OpenRouter',
    400,
    {
      message:
        "This endpoint's maximum context length is 32768 tokens. However, you requested about 40000 tokens (8000 of text input, 32000 in the output).",
    },
    32_768 - 8_000,
  ],
  [
    'older vLLM',
    400,
    {
      object: 'error',
      message:
        "This model's maximum context length is 6048 tokens. However, you requested 32568 tokens (568 in the messages, 32000 in the completion).",
    },
    6_048 - 568,
  ],
  [
    'newer vLLM, which does not say how long the prompt is',
    400,
    {
      message:
        "This model's maximum context length is 32768 tokens. However, you requested 32000 output tokens and your prompt contains at least 769 input tokens, for a total of at least 32769 tokens.",
    },
    16_000,
  ],
  [
    'Text Generation Inference',
    422,
    {
      error:
        'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 32768. Given: 10000 `inputs` tokens and 32000 `max_new_tokens`',
    },
    22_768,
  ],
  [
    'DeepSeek',
    400,
    { message: 'Invalid max_tokens value, the valid range of max_tokens is [1, 8192]' },
    8_192,
  ],
  ['DashScope', 400, { message: 'Range of max_tokens should be [1, 8192]' }, 8_192],
  ['Groq', 400, { message: 'max_tokens for `m` must be less than or equal to 8000' }, 8_000],
  [
    'a gateway that quotes Anthropic',
    400,
    {
      message: 'Provider returned error',
      metadata: {
        raw: '{"error":{"message":"max_tokens: 32000 > 4096, which is the maximum allowed number of output tokens for m"}}',
      },
    },
    4_096,
  ],
])('takes the limit from the error of a server', async (_what, status, error, limit) => {
  const { vendor, write } = await connect('openai-compatible', (number) =>
    number === 1 ? [{ status, body: JSON.stringify({ error }) }] : ANSWER,
  );
  expect(await answer(write())).toEqual(ANSWERED);
  expect(vendor.requests.map(({ body }) => body.max_tokens)).toEqual([32_000, limit]);
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
])(
  'calls again without a parameter that was refused, and remembers it',
  async (kind, parameter, more, adapted) => {
    const bodies = await bodiesOf(kind, more, { refuses: [parameter] });
    const last = parameter.split('.').at(-1);
    expect(bodies.map((body) => JSON.stringify(body).includes(`"${last}"`))).toEqual([true, false, false]);
    expect(bodies.at(-1)).toMatchObject(adapted);
  },
);

it('adapts to several refusals of one call', async () => {
  const limits = {
    refuses: ['max_tokens', 'stream_options', 'reasoning_effort'],
    contextTokens: PROMPT_TOKENS + 5,
  };
  const { vendor, write } = await connect(
    'openai-compatible',
    ANSWER,
    { reasoning: 'high' },
    undefined,
    limits,
  );
  expect(await answer(write())).toEqual(ANSWERED);
  expect(vendor.requests).toHaveLength(5);
  expect(vendor.requests.at(-1)?.body).toEqual({
    model: 'a-model',
    max_completion_tokens: 5,
    messages: expect.any(Array),
    stream: true,
  });
});

testRows<[what: string, (number: number) => Step[], requests: number]>([
  ['that it has adapted to', () => [refusal('stream_options')], 2],
  ['that it does not know', () => [refusal('temperature')], 1],
  ['with limits that never suffice', (number) => [refusal(`max_tokens: 9 > ${99 - number}`)], 5],
  ['that repeats the prompt', () => [refusal('a pomodoro timer: max_tokens: 9 > 8')], 1],
  [
    'of a prompt that fills the context',
    () => [refusal("This model's maximum context length is 9 tokens and your request has 10 input tokens")],
    1,
  ],
])('does not repeat a call after another refusal', async (_what, script, requests) => {
  const { vendor, write } = await connect('openai-compatible', script);
  expect((await collect(write())).failure).toEqual(failing('failed', 'HTTP'));
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
