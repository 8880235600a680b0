import { callProvider } from '../../../../lambda/generation/attempt/provider-call.ts';
import { type FailureKind, type Provider, ProviderFailure } from '../../../../lambda/generation/providers/provider.ts';
import { REQUEST } from '../../../support/attempt-request.ts';
import { testRows } from '../../../support/rows.ts';
import type { Step } from '../../../support/vendors/index.ts';
import { connect, useVendors } from '../../../support/vendors/provider.ts';
import { freeProvider } from '../../../support/written-projects.ts';

useVendors();

const DEADLINES = { totalMs: 60_000, firstMs: 60_000, stallMs: 60_000 };
const WHOLE = '<file path="index.html">\n<p>hi</p>\n</file>\n<done/>';

/** Calls a server that is compatible with OpenAI once. @returns how that ended, and what it wrote */
async function call(steps: readonly Step[], deadlines = DEADLINES) {
  const { provider, vendor } = await connect('openai-compatible', steps);
  return { ...(await callOnce(provider, deadlines)), calls: vendor.requests.length };
}

async function callOnce(provider: Provider, deadlines = DEADLINES) {
  const files: Record<string, string | null> = {};
  const ended = await callProvider(provider, REQUEST, deadlines, new AbortController(), {
    onChanges: (changes) => {
      for (const { path, content } of changes) files[path] = content;
    },
    onPlan: () => {},
    onText: () => {},
    isOver: () => false,
  });
  const { outcome, reason, cause, isUnacceptable } = ended;
  return { outcome, reason, cause, isUnacceptable, files };
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

/** The words of the vendor may name accounts and hosts: they are in the log only. */
const SECRET = 'org-123 of tenant-9';

testRows<[FailureKind, outcome: string, reason: RegExp]>([
  ['overloaded', 'overloaded', /overloaded or limits the request rate/],
  ['credentials', 'credentials', /rejects the configured credentials/],
  ['quota', 'credentials', /credit or the quota/],
  ['refused', 'refused', /refused the request/],
  ['unreachable', 'failed', /cannot be reached/],
  ['not found', 'failed', /does not know the configured address or model/],
  ['rejected', 'failed', /rejects the request, for a reason that the log/],
  ['web page', 'failed', /address .* responds with a web page/],
  ['unreadable', 'failed', /cannot be read/],
  ['empty', 'failed', /without any text/],
  ['failed', 'failed', /call to the provider failed/],
])('tells callers the cause, and operators the words of the vendor', async (kind, outcome, reason) => {
  const write = async function* () {
    yield* [];
    throw new ProviderFailure(kind, SECRET);
  };
  const ended = await callOnce(freeProvider(write));
  // Only one that was rejected would be rejected again.
  const isUnacceptable = kind === 'rejected' || undefined;
  expect(ended).toEqual({ outcome, reason: expect.stringMatching(reason), cause: SECRET, isUnacceptable, files: {} });
  expect(ended.reason).not.toContain(SECRET);
});

testRows<[Step, finish: Step, reason: string]>([
  [{ text: '' }, { finish: 'complete' }, 'The answer is empty'],
  [{ reasoning: 'hm' }, { finish: 'complete' }, 'The model reasoned, but wrote no answer'],
  [{ reasoning: 'hm' }, { finish: 'length' }, 'The model reached its length limit before it wrote an answer'],
])('says why there is no answer', async (...steps) => {
  const [, , reason] = steps;
  expect(await call(steps.slice(0, 2) as Step[])).toEqual({ outcome: 'unusable', reason, files: {}, calls: 1 });
});
