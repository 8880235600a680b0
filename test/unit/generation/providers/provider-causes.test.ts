import { providerFailure } from '../../../../lambda/generation/providers/failure.ts';
import { streamFetch } from '../../../../lambda/generation/providers/stream-response.ts';
import { testRows } from '../../../support/rows.ts';
import { type Step, VENDOR_KINDS } from '../../../support/vendors/index.ts';
import { failing, outcomeOf, useVendors } from '../../../support/vendors/provider.ts';

useVendors();

/** A response with status 200 and a body of another type than the vendor's stream. */
const success = (type: string, body: unknown): Step => ({
  status: 200,
  headers: { 'content-type': type },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
const streamed = (...events: readonly unknown[]): Step =>
  success(
    'text/event-stream',
    events.map((one) => `data: ${typeof one === 'string' ? one : JSON.stringify(one)}\n\n`).join(''),
  );
const refused = (status: number, body: unknown): Step => ({
  status,
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
const raw = (message: string) => ({
  error: { message: 'Provider returned error', code: 400, metadata: { raw: message, provider_name: 'V' } },
});
const LOG_IN = '<!doctype html>\n<title>Sign in to Example</title><form></form>';
const THROTTLED = { error: { message: 'Too many requests', code: 'rate_limit_exceeded' } };
const NO_CREDIT = 'You exceeded your current quota, please check your plan and billing details.';

describe.each(VENDOR_KINDS)('%s', (kind) => {
  testRows<[Step, unknown]>([
    [
      success('application/json', { error: { message: 'capacity exceeded' } }),
      failing('failed', /^The call failed: capacity exceeded \(http:\S+\)$/),
    ],
    [success('application/json', { error: { message: 'Slow', code: 429 } }), failing('overloaded', 'HTTP 429: Slow')],
    [success('text/html', LOG_IN), failing('web page', 'The response is a web page: Sign in to Example')],
    [
      success('text/plain', 'Blocked by policy 7'),
      failing('unreadable', 'The response is no stream: Blocked by policy 7'),
    ],
    [
      success('application/json', { ok: true }),
      failing('unreadable', 'The response is neither a stream nor an answer'),
    ],
    [
      refused(429, { error: { message: NO_CREDIT, code: 'insufficient_quota' } }),
      failing('quota', `HTTP 429: ${NO_CREDIT}`),
    ],
    [
      refused(404, '404 page not found'),
      failing('not found', /^HTTP 404: 404 page not found \(http:\/\/127\.0\.0\.1:\d+\/\S+\)/),
    ],
  ])('names the cause', async (step, expected) => {
    // No document is a stream for Bedrock, whatever it says.
    expect(await outcomeOf(kind, [step])).toEqual({ events: [], failure: expected, requests: 1 });
  });
});

testRows<[Step, unknown]>([
  [
    refused(400, raw('{"message":"No such region"}')),
    failing('rejected', 'HTTP 400: Provider returned error: No such region'),
  ],
  [refused(400, raw('upstream went away')), failing('rejected', 'Provider returned error: upstream went away')],
  [
    refused(400, { error: { message: '{"error":{"message":"No such region"}}' } }),
    failing('rejected', 'HTTP 400: No such region'),
  ],
  [refused(400, [{ error: { message: 'No such region' } }]), failing('rejected', ': No such region')],
  [
    refused(422, { detail: [{ loc: ['body', 'n'], msg: 'Field required' }] }),
    failing('rejected', 'HTTP 422: Field required'),
  ],
  [refused(403, LOG_IN), failing('credentials', 'HTTP 403: Sign in to Example')],
  [
    refused(403, { error: { message: 'Flagged', metadata: { reasons: ['violence'], flagged_input: 'a' } } }),
    failing('refused', 'Flagged'),
  ],
  [refused(402, { error: { message: 'Insufficient Balance' } }), failing('quota', 'HTTP 402')],
  [
    refused(400, { error: { message: 'Your credit balance is too low to access the API' } }),
    failing('quota', 'HTTP 400: Your credit'),
  ],
  [refused(429, { error: { message: `${NO_CREDIT} Please retry in 21.4s.` } }), failing('overloaded', 'HTTP 429', 22)],
  [streamed(THROTTLED), failing('overloaded', 'Too many requests')],
  [streamed({ error: 'Too many requests', status: 429 }), failing('overloaded', 'Too many requests')],
  [streamed({ error: { message: 'No key', code: 'invalid_api_key' } }), failing('credentials', 'No key')],
  [streamed({ error: { message: 'Pay', code: 'insufficient_quota' } }), failing('quota', 'Pay')],
  [streamed(), failing('empty', 'The stream ended after nothing')],
  [streamed('{"choices":[{"delta":{"cont'), failing('failed', 'JSON parsing failed')],
])('reads the error of a server that is compatible with OpenAI', async (step, failure) => {
  expect(await outcomeOf('openai-compatible', [step])).toEqual({ events: [], failure, requests: 1 });
});

testRows<[message: string, seconds: number | undefined]>([
  ['Please try again in 9.5s.', 10],
  ['Please try again in 20ms.', 1],
  ['Please try again in 1m12.5s. Visit https://example.com', 73],
  ['Please try again in 2h3m.', 7_380],
  ['Please retry after 26 seconds.', 26],
  ['Retry your request after 2 minutes', 120],
  ['Please try again later.', undefined],
  ['Try again in the console', undefined],
])('waits as long as the message says', async (message, seconds) => {
  const { failure } = await outcomeOf('openai', [refused(429, { error: { message } })]);
  expect(failure).toMatchObject({ kind: 'overloaded', retryAfterSeconds: seconds });
});

const delta = (content: string, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta: { content }, finish_reason }],
});
const TEXT = { type: 'text', text: 'ab' };

testRows<[what: string, Step, unknown[]]>([
  [
    'a whole answer',
    success('application/json', {
      object: 'chat.completion',
      choices: [{ index: 0, message: { role: 'assistant', content: 'ab' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 },
    }),
    [
      TEXT,
      { type: 'usage', usage: expect.objectContaining({ input: 7, output: 2 }) },
      { type: 'end', reason: 'complete' },
    ],
  ],
  ...['eos', 'eos_token', 'tool_calls', 'unknown'].map((reason): [string, Step, unknown[]] => [
    reason,
    streamed(delta('a'), delta('b', reason), '[DONE]'),
    [TEXT, { type: 'end', reason: 'complete' }],
  ]),
  ['model_length', streamed(delta('ab', 'model_length')), [TEXT, { type: 'end', reason: 'length' }]],
  ['SAFETY', streamed(delta('ab', 'SAFETY')), [TEXT, { type: 'end', reason: 'refused' }]],
  ['abort', streamed(delta('ab', 'abort')), [TEXT]],
  ['no finish reason', streamed(delta('ab'), '[DONE]'), [TEXT]],
  [
    'events that are no JSON',
    streamed('ping', delta('a'), 'keep-alive', delta('b', 'stop')),
    [TEXT, { type: 'end', reason: 'complete' }],
  ],
  [
    'a tool call',
    streamed(
      {
        choices: [
          {
            index: 0,
            delta: { tool_calls: [{ index: 0, id: '1', function: { name: 'write', arguments: '{}' } }] },
          },
        ],
      },
      { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
    ),
    [{ type: 'end', reason: 'complete', silence: 'The model called a tool instead of answering' }],
  ],
])('reads what a server sends instead of a usual stream', async (_what, step, events) => {
  expect(await outcomeOf('openai-compatible', [step])).toEqual({ events, failure: undefined, requests: 1 });
});

it('passes on a stream that begins with blank lines', async () => {
  const stream = '\n\n: ping\n\ndata: 1\n\n';
  jest.spyOn(globalThis, 'fetch').mockResolvedValue(new Response(stream));
  const called = jest.fn();
  const response = await streamFetch(called)('https://example.com/v1');
  expect(await response.text()).toBe(stream);
  expect(called.mock.calls).toEqual([['https://example.com/v1']]);
  jest.restoreAllMocks();
});

it('names no credentials of the URL', () => {
  const { message } = providerFailure(new Error('no'), [], { url: 'https://me:word@example.com/v1?key=1#2' });
  expect(message).toBe('The call failed: no (https://example.com/v1)');
});
