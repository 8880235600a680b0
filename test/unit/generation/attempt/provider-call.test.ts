import { callProvider } from '../../../../lambda/generation/attempt/provider-call.ts';
import { REQUEST } from '../../../support/attempt-request.ts';
import { testRows } from '../../../support/rows.ts';
import type { Step } from '../../../support/vendors/index.ts';
import { connect, useVendors } from '../../../support/vendors/provider.ts';

useVendors();

const DEADLINES = { totalMs: 60_000, firstMs: 60_000, stallMs: 60_000 };
const WHOLE = '<file path="index.html">\n<p>hi</p>\n</file>\n<done/>';

/** Calls a server that is compatible with OpenAI once. @returns how that ended, and what it wrote */
async function call(steps: readonly Step[], deadlines = DEADLINES) {
  const { provider, vendor } = await connect('openai-compatible', steps);
  const files: Record<string, string | null> = {};
  const { outcome, reason, cause, isUnacceptable } = await callProvider(
    provider,
    REQUEST,
    deadlines,
    new AbortController(),
    {
      onChanges: (changes) => {
        for (const { path, content } of changes) files[path] = content;
      },
      onPlan: () => {},
      onText: () => {},
      isOver: () => false,
    },
  );
  return { outcome, reason, cause, isUnacceptable, files, calls: vendor.requests.length };
}

const json = (body: unknown, type = 'application/json', status = 200): Step => ({
  status,
  headers: { 'content-type': type },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
const stream = (...events: readonly unknown[]) =>
  json(
    events.map((one) => `data: ${typeof one === 'string' ? one : JSON.stringify(one)}\n\n`).join(''),
    'text/event-stream',
  );
const answer = (finish_reason?: string) => ({
  choices: [{ index: 0, delta: { content: WHOLE }, finish_reason }],
});
const message = { role: 'assistant', content: WHOLE };

testRows<[what: string, steps: readonly Step[]]>([
  ['[DONE] without a finish reason', [stream(answer(), '[DONE]')]],
  ...['eos', 'eos_token', 'tool_calls', 'length', 'error'].map((reason): [string, Step[]] => [
    reason,
    [stream(answer(reason), '[DONE]')],
  ]),
  ['neither', [stream(answer())]],
  ['an event that is no JSON', [stream(answer(), 'oops')]],
  ['half an event', [stream(answer(), '{"choices":[{"del')]],
  ['an error after it', [stream(answer(), { error: { message: 'late' } })]],
  ['a broken connection', [{ text: WHOLE }, { wait: 20 }, 'reset']],
  ['one document', [json({ choices: [{ index: 0, message, finish_reason: 'stop' }] })]],
])('takes a complete answer, however its transport ends', async (_what, steps) => {
  const { outcome, files, calls } = await call(steps);
  expect({ outcome, files, calls }).toEqual({
    outcome: 'succeeded',
    files: { 'index.html': '<p>hi</p>\n' },
    calls: 1,
  });
});

const HALF: Step = { text: '<file path="half.md">\nThis is ' };

/** Only the deadline that ends a call is short: how soon a server answers depends on the machine. */
const SILENT_MS = 300;

testRows<[what: string, steps: readonly Step[], outcome: string, deadline: Partial<typeof DEADLINES>]>([
  ['nothing', ['hang'], 'silent', { firstMs: SILENT_MS }],
  ['headers', ['keepAlive', 'hang'], 'silent', { firstMs: SILENT_MS }],
  ['half a file', [HALF, 'hang'], 'silent', { stallMs: SILENT_MS }],
  [
    'keep-alive frames',
    Array.from({ length: 40 }, (): Step[] => ['keepAlive', { wait: 20 }]).flat(),
    'silent',
    { firstMs: SILENT_MS },
  ],
  ['half a file, and a reset', [HALF, { wait: 20 }, 'reset'], 'cut_off', {}],
  ['half a line, and the limit', [HALF, { finish: 'length' }], 'unusable', {}],
  [
    'text, and the limit of the call',
    Array(80)
      .fill([{ text: 'a ' }, { wait: 20 }])
      .flat(),
    'timed_out',
    { totalMs: 700 },
  ],
  ['a refusal', ['refuse'], 'refused', {}],
  ['prose', [{ text: 'Certainly! What colour?' }, { finish: 'complete' }], 'unusable', {}],
  ['the whole answer', [{ text: `${WHOLE}\n` }, 'hang'], 'succeeded', {}],
])('ends a call that sends no more than this, and does not repeat it', async (_what, steps, outcome, deadline) => {
  const ended = await call(steps, { ...DEADLINES, ...deadline });
  expect(ended.outcome).toBe(outcome);
  // The deadline may have passed before the server was called.
  expect(ended.calls).toBeLessThanOrEqual(1);
});

const SECRET = 'org-123 of tenant-9';

/** The words of the vendor may name accounts and hosts: they are in the log only. */
testRows<[what: string, steps: readonly Step[], outcome: string, reason: string, log?: string]>([
  ['429', [{ status: 429 }], 'overloaded', 'The provider is overloaded or limits the request rate', '429'],
  ['401', [{ status: 401 }], 'credentials', 'The provider rejects the configured credentials', '401'],
  [
    'no credit',
    [json({ error: { message: SECRET, code: 'insufficient_quota' } }, 'application/json', 429)],
    'credentials',
    'The credit or the quota of the provider is used up',
    SECRET,
  ],
  [
    'an error as a success',
    [json({ error: { message: SECRET } })],
    'failed',
    'The call to the provider failed',
    SECRET,
  ],
  [
    'a page',
    [json(`<html><title>${SECRET}</title>`, 'text/html')],
    'failed',
    'The address of the provider responds with a web page',
    SECRET,
  ],
  ['a document', [json({ ok: 1 })], 'failed', 'The response of the provider cannot be read', 'neither a stream'],
  [
    '404',
    [json('404 page not found', 'text/plain', 404)],
    'failed',
    'The provider does not know the configured address or model',
    '/v1/chat/completions',
  ],
  [
    'a request that no other form of it helps',
    [json({ error: { message: SECRET } }, 'application/json', 400)],
    'failed',
    'The provider rejects the request, for a reason that the log of the operator has',
    SECRET,
  ],
  ['no text', [stream('[DONE]')], 'failed', 'The response of the provider ended without any text', 'after nothing'],
  ['an empty answer', [{ finish: 'complete' }], 'unusable', 'The answer is empty'],
  [
    'reasoning until it stops',
    [{ reasoning: 'hm' }, { finish: 'complete' }],
    'unusable',
    'The model reasoned, but wrote no answer',
  ],
  [
    'reasoning until the limit',
    [{ reasoning: 'hm' }, { finish: 'length' }],
    'unusable',
    'The model reached its length limit before it wrote an answer',
  ],
  [
    'a tool call',
    [
      stream({
        choices: [
          {
            index: 0,
            delta: { tool_calls: [{ index: 0, id: '1', function: { name: 'write', arguments: '{}' } }] },
            finish_reason: 'tool_calls',
          },
        ],
      }),
    ],
    'unusable',
    'The model called a tool instead of answering',
  ],
])('tells callers the cause, and operators the words of the vendor', async (_what, steps, outcome, reason, log) => {
  const ended = await call(steps);
  expect({ ...ended, cause: undefined, files: {} }).toEqual({
    outcome,
    reason,
    cause: undefined,
    // Only then would the provider reject the same request again.
    isUnacceptable: reason.startsWith('The provider rejects the request,') || undefined,
    files: {},
    calls: 1,
  });
  expect(String(ended.cause ?? '')).toContain(log ?? '');
  expect(ended.reason).not.toContain(SECRET);
});
