import { setTimeout as sleep } from 'node:timers/promises';
import { jest } from '@jest/globals';
import type { ProviderEvent, ProviderFailure } from '../../../lambda/generation/providers/provider.ts';
import { SecretUnavailable } from '../../../lambda/platform/secrets.ts';
import { type Step, VENDOR_KINDS, type VendorRequest } from '../../support/vendors/index.ts';
import { answer, collect, connect, failing, KEY, REQUEST } from '../../support/vendors/provider.ts';

const text = (words: string): ProviderEvent => ({ type: 'text', text: words });
const end = (reason: 'complete' | 'length' | 'refused'): ProviderEvent => ({ type: 'end', reason });

const LONG_AGO = 'Wed, 21 Oct 2015 07:28:00 GMT';

/** Whether the client closed the connection, without waiting for ever. */
const closed = (request: VendorRequest | undefined) =>
  Promise.race([request?.over, sleep(1_000, 'still open')]);

describe.each(VENDOR_KINDS)('%s', (kind) => {
  it('gives every piece of the text as it comes', async () => {
    const { write } = await connect(kind, [{ text: 'one ' }, { wait: 20 }, { text: 'two' }, 'hang']);
    const written = write();
    // The answer never ends, so neither piece can have waited for its end.
    expect(await written.next()).toEqual({ done: false, value: text('one ') });
    expect(await written.next()).toEqual({ done: false, value: text('two') });
    await written.return?.();
  });

  it.each<[string, Step[], ProviderEvent[]]>([
    ['an answer', [{ text: '<done/>' }, { finish: 'complete' }], [text('<done/>'), end('complete')]],
    [
      'characters cut by the network',
      [{ text: 'Grüße, 世界 👋🏽', bytewise: true }, { finish: 'complete' }],
      [text('Grüße, 世界 👋🏽'), end('complete')],
    ],
    ['an answer that is too long', [{ text: 'a' }, { finish: 'length' }], [text('a'), end('length')]],
    ['an answer that is withheld', [{ text: 'a' }, { finish: 'refused' }], [text('a'), end('refused')]],
    ['an empty answer', [{ finish: 'complete' }], [end('complete')]],
    ['an answer that is cut off', [{ text: 'a' }], [text('a')]],
    [
      'thinking',
      [{ reasoning: 'hm' }, { text: 'a' }, { finish: 'complete' }],
      [{ type: 'activity' }, text('a'), end('complete')],
    ],
    [
      'keep-alive frames and empty pieces',
      [
        { reasoning: '' },
        { text: '' },
        'keepAlive',
        { wait: 10 },
        'keepAlive',
        { text: 'a' },
        'keepAlive',
        { finish: 'complete' },
      ],
      [text('a'), end('complete')],
    ],
  ])('understands %s', async (_what, script, events) => {
    expect(await answer(kind, script)).toEqual({ events, failure: undefined, requests: 1 });
  });

  it('tells a refusal', async () => {
    const { events, failure, requests } = await answer(kind, ['refuse']);
    expect(events.at(-1)).toEqual(end('refused'));
    expect({ failure, requests }).toEqual({ failure: undefined, requests: 1 });
  });

  it.each<[string, Step[], unknown]>([
    ['401', [{ status: 401 }], failing('credentials', 'HTTP 401: This is a 401')],
    ['403', [{ status: 403 }], failing('credentials', 'HTTP 403: This is a 403')],
    ['429', [{ status: 429 }], failing('overloaded', 'HTTP 429: This is a 429')],
    ['429 with seconds', [{ status: 429, headers: { 'retry-after': '7' } }], failing('overloaded', '429', 7)],
    [
      '429 with milliseconds',
      [{ status: 429, headers: { 'retry-after-ms': '1200' } }],
      failing('overloaded', '429', 2),
    ],
    [
      '429 with a date',
      [{ status: 429, headers: { 'retry-after': LONG_AGO } }],
      failing('overloaded', '429', 0),
    ],
    ['500', [{ status: 500 }], failing('failed', 'HTTP 500: This is a 500')],
    ['500 with a retry-after', [{ status: 500, headers: { 'retry-after': '7' } }], failing('failed', '500')],
    ['503', [{ status: 503, headers: { 'retry-after': '0' } }], failing('overloaded', 'HTTP 503', 0)],
    ['529', [{ status: 529 }], failing('overloaded', 'HTTP 529: This is a 529')],
    ['400', [{ status: 400 }], failing('failed', 'HTTP 400: This is a 400')],
    [
      'an error in words of its own',
      [{ status: 422, body: '{"detail":"no such model"}' }],
      failing('failed', 'HTTP 422: no such model'),
    ],
    ['an error page', [{ status: 502, body: '<html>' }], failing('failed', 'HTTP 502: Bad Gateway')],
    ['a reset', ['reset'], failing('failed', 'no connection, or a lost one (ECONNRESET)')],
    ['an overload in the stream', [{ fault: 'overloaded' }], failing('overloaded', 'HTTP')],
    ['a fault in the stream', [{ fault: 'broken' }], failing('failed', 'HTTP')],
  ])('fails for %s, and asks once', async (_what, script, expected) => {
    expect(await answer(kind, script)).toEqual({ events: [], failure: expected, requests: 1 });
  });

  it('reads the date after which to try again', async () => {
    const date = new Date(Date.now() + 3_600_000).toUTCString();
    const { failure } = await answer(kind, [{ status: 503, headers: { 'retry-after': date } }]);
    const { retryAfterSeconds = 0 } = failure as ProviderFailure;
    expect(retryAfterSeconds).toBeGreaterThan(3_500);
    expect(retryAfterSeconds).toBeLessThanOrEqual(3_600);
  });

  it.each<[string, Step[], unknown]>([
    ['a reset', [{ wait: 20 }, 'reset'], failing('failed', 'the connection was lost')],
    ['an overload', [{ fault: 'overloaded' }], failing('overloaded', 'HTTP')],
    ['a fault', [{ fault: 'broken' }], failing('failed', 'HTTP')],
  ])('keeps what came before %s', async (_what, script, expected) => {
    const { events, failure } = await answer(kind, [{ text: 'a' }, ...script]);
    expect({ events, failure }).toEqual({ events: [text('a')], failure: expected });
  });

  it('fails when nobody listens', async () => {
    const { vendor, write } = await connect(kind, []);
    await vendor.close();
    const expected = failing('failed', 'no connection, or a lost one (ECONNREFUSED)');
    expect(await collect(write())).toEqual({ events: [], failure: expected });
  });

  it.each<[string, Step[]]>([
    ['has not begun', ['hang']],
    ['stands still', [{ text: 'a' }, 'hang']],
    ['runs', Array.from({ length: 300 }, () => [{ text: 'a' }, { wait: 5 }]).flat()],
  ])('closes the connection when an answer that %s is aborted', async (_what, script) => {
    const { vendor, write } = await connect(kind, script);
    const giveUp = new AbortController();
    const reason = new Error('too slow');
    const collected = collect(write(giveUp.signal));
    while (vendor.requests.length === 0) await sleep(1);
    await sleep(50);
    giveUp.abort(reason);
    expect(await closed(vendor.requests[0])).toBe(true);
    expect((await collected).failure).toBe(reason);
  });

  it('closes the connection when its reader stops', async () => {
    const { vendor, write } = await connect(kind, [{ text: 'a' }, 'hang']);
    const written = write();
    await written.next();
    await written.return?.();
    expect(await closed(vendor.requests[0])).toBe(true);
  });

  it('tells neither key nor prompt, and prints nothing', async () => {
    const prints = (['log', 'info', 'warn', 'error'] as const).map((name) => jest.spyOn(console, name));
    const spies = [...prints, jest.spyOn(process, 'emitWarning')];
    // Bedrock's key signs the request and is not in it.
    const keys = kind === 'bedrock' ? [] : [`Bad key: ${KEY}`, `Bad key: ${KEY.slice(0, 18)}…`];
    for (const message of [...keys, REQUEST.prompt, `You said "${REQUEST.prompt.slice(3, 25)}…"`]) {
      const body = JSON.stringify({ message, error: { message, code: 400, status: 'INVALID_ARGUMENT' } });
      expect((await answer(kind, [{ status: 400, body }])).failure).toMatchObject({ message: 'HTTP 400' });
    }
    // Without a limit in the configuration, the SDK warns that it set one for a model that it does not know.
    expect((await answer(kind, [{ text: 'a' }, { finish: 'complete' }])).failure).toBeUndefined();
    for (const spy of spies) expect(spy).not.toHaveBeenCalled();
    jest.restoreAllMocks();
  });

  it('shortens what a vendor has to say', async () => {
    const { failure } = await answer(kind, [
      { status: 400, body: JSON.stringify({ detail: 'long '.repeat(99) }) },
    ]);
    expect((failure as Error).message).toMatch(/^HTTP 400: (long ){40}…$/);
  });
});

it.each(VENDOR_KINDS.filter((kind) => kind !== 'bedrock'))(
  'does not call %s without its key',
  async (kind) => {
    const problem = 'The secret VENDOR_KEY does not exist';
    const { vendor, write } = await connect(kind, [], {}, () =>
      Promise.reject(new SecretUnavailable(problem)),
    );
    expect(await collect(write())).toEqual({ events: [], failure: failing('credentials', problem) });
    expect(vendor.requests).toEqual([]);
  },
);
