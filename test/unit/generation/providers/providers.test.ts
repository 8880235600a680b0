import { setTimeout as sleep } from 'node:timers/promises';
import type { FailureKind, ProviderEvent, ProviderFailure } from '../../../../lambda/generation/providers/provider.ts';
import { SecretUnavailable } from '../../../../lambda/platform/secrets.ts';
import { REQUEST } from '../../../support/attempt-request.ts';
import { testRows } from '../../../support/rows.ts';
import { type Step, VENDOR_KINDS } from '../../../support/vendors/index.ts';
import { collect, connect, failing, KEY, outcomeOf, rejecting, useVendors } from '../../../support/vendors/provider.ts';

useVendors();

const text = (words: string): ProviderEvent => ({ type: 'text', text: words });
const end = (reason: 'complete' | 'length' | 'refused'): ProviderEvent => ({ type: 'end', reason });

const LONG_AGO = 'Wed, 21 Oct 2015 07:28:00 GMT';

const A: Step = { text: 'a' };
const HM: Step = { reasoning: 'hm' };
/** Matches a failure of a call that may cost something. */
const charged = (kind: FailureKind, message: string) => failing(kind, message, undefined, false);

describe.each(VENDOR_KINDS)('%s', (kind) => {
  it('yields every piece of text as it arrives', async () => {
    const { write } = await connect(kind, [{ text: 'one ' }, { wait: 20 }, { text: 'two' }, 'hang']);
    const written = write();
    // The answer never ends, so neither piece can have waited for its end.
    expect(await written.next()).toEqual({ done: false, value: text('one ') });
    expect(await written.next()).toEqual({ done: false, value: text('two') });
    await written.return?.();
  });

  testRows<[Step[], ProviderEvent[]]>([
    [
      [{ text: '<done/>' }, { finish: 'complete' }],
      [text('<done/>'), end('complete')],
    ],
    [
      [{ text: 'Grüße, 世界 👋🏽', bytewise: true }, { finish: 'complete' }],
      [text('Grüße, 世界 👋🏽'), end('complete')],
    ],
    [
      [{ text: 'a' }, { finish: 'length' }],
      [text('a'), end('length')],
    ],
    [
      [{ text: 'a' }, { finish: 'refused' }],
      [text('a'), end('refused')],
    ],
    [[{ finish: 'complete' }], [end('complete')]],
    [
      [{ reasoning: 'hm' }, { finish: 'length' }],
      [
        { type: 'activity' },
        {
          type: 'end',
          reason: 'length',
          silence: 'The model reached its length limit before it wrote an answer',
        },
      ],
    ],
    [[{ text: 'a' }], [text('a')]],
    [
      [{ reasoning: 'hm' }, { text: 'a' }, { finish: 'complete' }],
      [{ type: 'activity' }, text('a'), end('complete')],
    ],
    [
      [{ text: '' }, 'keepAlive', { wait: 10 }, 'keepAlive', { text: 'a' }, 'keepAlive', { finish: 'complete' }],
      [text('a'), end('complete')],
    ],
  ])('yields the events of an answer', async (script, events) => {
    const outcome = await outcomeOf(kind, script);
    const shown = outcome.events.filter(({ type }, at, all) => type !== 'usage' || all[at + 1]?.type !== 'end');
    expect({ ...outcome, events: shown }).toEqual({ events, failure: undefined, requests: 1 });
  });

  it('reports a refusal', async () => {
    const { events, failure, requests } = await outcomeOf(kind, ['refuse']);
    expect(events.at(-1)).toEqual(end('refused'));
    expect({ failure, requests }).toEqual({ failure: undefined, requests: 1 });
  });

  testRows<[Step[], ProviderEvent[], unknown]>([
    [[{ status: 401 }], [], rejecting('credentials', 'HTTP 401: This is a 401')],
    [[{ status: 429, headers: { 'retry-after': '7' } }], [], rejecting('overloaded', '429', 7)],
    [['reset'], [], charged('failed', 'the connection failed (ECONNRESET)')],
    [[{ fault: 'overloaded' }], [], failing('overloaded', 'HTTP')],
    [[{ fault: 'broken' }], [], failing('failed', 'HTTP')],
    [[A, { wait: 20 }, 'reset'], [text('a')], charged('failed', 'the connection was lost')],
    [[A, { fault: 'overloaded' }], [text('a')], charged('overloaded', 'HTTP')],
    [[A, { fault: 'broken' }], [text('a')], charged('failed', 'HTTP')],
    [[HM, { fault: 'overloaded' }], [{ type: 'activity' }], charged('overloaded', 'HTTP')],
  ])('fails after one request, with the text before it and without tokens', async (script, events, failure) => {
    expect(await outcomeOf(kind, script)).toEqual({ events, failure, requests: 1 });
  });

  it('fails if the stream ends without any text', async () => {
    const { failure } = await outcomeOf(kind, [{ reasoning: 'hm' }]);
    expect(failure).toEqual(failing('empty', 'The stream ended after reasoning'));
  });

  it('fails if the vendor is unreachable', async () => {
    const { vendor, write } = await connect(kind, []);
    await vendor.close();
    const expected = rejecting('unreachable', 'the connection failed (ECONNREFUSED)');
    expect(await collect(write())).toEqual({ events: [], failure: expected });
  });

  testRows<[string, Step[]]>([
    ['has not started', ['hang']],
    ['has stalled', [{ text: 'a' }, 'hang']],
    ['is in progress', Array.from({ length: 300 }, () => [{ text: 'a' }, { wait: 5 }]).flat()],
  ])('closes the connection when an answer is aborted', async (_what, script) => {
    const { vendor, write } = await connect(kind, script);
    const giveUp = new AbortController();
    const reason = new Error('too slow');
    const collected = collect(write(giveUp.signal));
    while (vendor.requests.length === 0) await sleep(1);
    await sleep(20);
    giveUp.abort(reason);
    expect(await vendor.requests[0]?.over).toBe(true);
    expect((await collected).failure).toBe(reason);
  });

  it('closes the connection when the consumer stops', async () => {
    const { vendor, write } = await connect(kind, [{ text: 'a' }, 'hang']);
    const written = write();
    await written.next();
    await written.return?.();
    expect(await vendor.requests[0]?.over).toBe(true);
  });

  it('reveals neither key nor prompt, and prints nothing', async () => {
    const prints = (['log', 'info', 'warn', 'error'] as const).map((name) => jest.spyOn(console, name));
    const spies = [...prints, jest.spyOn(process, 'emitWarning')];
    // Bedrock's key signs the request and is not in it.
    const keys = kind === 'bedrock' ? [] : [`Bad key: ${KEY}`, `Bad key: ${KEY.slice(0, 18)}…`];
    for (const message of [...keys, REQUEST.prompt, `You said "${REQUEST.prompt.slice(3, 25)}…"`]) {
      const body = JSON.stringify({ message, error: { message, code: 400, status: 'INVALID_ARGUMENT' } });
      expect((await outcomeOf(kind, [{ status: 400, body }])).failure).toMatchObject({
        message: expect.stringMatching(/^HTTP 400 \(http:\S+\)$/),
      });
    }
    // Without a limit in the configuration, the SDK warns that it set one for a model that it does not know.
    expect((await outcomeOf(kind, [{ text: 'a' }, { finish: 'complete' }])).failure).toBeUndefined();
    for (const spy of spies) expect(spy).not.toHaveBeenCalled();
    jest.restoreAllMocks();
  });
});

/** What is read of a response is the same for all vendors. */
testRows<[Step, unknown]>([
  [{ status: 403 }, rejecting('credentials', 'HTTP 403: This is a 403')],
  [{ status: 429 }, rejecting('overloaded', 'HTTP 429: This is a 429')],
  [{ status: 429, headers: { 'retry-after-ms': '1200' } }, failing('overloaded', '429', 2)],
  [{ status: 429, headers: { 'retry-after': LONG_AGO } }, failing('overloaded', '429', 0)],
  [{ status: 500 }, rejecting('failed', 'HTTP 500: This is a 500')],
  [{ status: 500, headers: { 'retry-after': '7' } }, failing('failed', '500')],
  [{ status: 503, headers: { 'retry-after': '0' } }, failing('overloaded', 'HTTP 503', 0)],
  [{ status: 529 }, rejecting('overloaded', 'HTTP 529: This is a 529')],
  [{ status: 400 }, rejecting('rejected', 'HTTP 400: This is a 400')],
  // A proxy that gave up.
  [{ status: 504 }, charged('failed', 'HTTP 504')],
  [{ status: 422, body: '{"detail":"no such model"}' }, failing('rejected', 'HTTP 422: no such model')],
  [{ status: 502, body: '<html>' }, failing('failed', 'HTTP 502: Bad Gateway')],
  [
    { status: 400, body: JSON.stringify({ detail: 'long '.repeat(99) }) },
    expect.objectContaining({ message: expect.stringMatching(/^HTTP 400: (long ){40}… \(/) }),
  ],
])('reads the error of a response', async (step, expected) => {
  expect(await outcomeOf('anthropic', [step])).toEqual({ events: [], failure: expected, requests: 1 });
});

it('reads a retry-after date', async () => {
  const date = new Date(Date.now() + 3_600_000).toUTCString();
  const { failure } = await outcomeOf('anthropic', [{ status: 503, headers: { 'retry-after': date } }]);
  const { retryAfterSeconds = 0 } = failure as ProviderFailure;
  expect(retryAfterSeconds).toBeGreaterThan(3_500);
  expect(retryAfterSeconds).toBeLessThanOrEqual(3_600);
});

testRows(VENDOR_KINDS.filter((kind) => kind !== 'bedrock'))('calls no vendor without its key', async (kind) => {
  const problem = 'The secret VENDOR_KEY does not exist';
  const { vendor, write } = await connect(kind, [], {}, () => Promise.reject(new SecretUnavailable(problem)));
  expect(await collect(write())).toEqual({ events: [], failure: rejecting('credentials', problem) });
  expect(vendor.requests).toEqual([]);
});
