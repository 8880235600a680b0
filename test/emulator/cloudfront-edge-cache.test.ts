import { PassThrough, Readable } from 'node:stream';
import { EdgeCache, type Visit } from '../../local/cloud/cloudfront/edge-cache.ts';
import { DistributionProperties } from '../../local/cloud/cloudfront/properties.ts';
import { collect, type HeaderList, type HttpRequest, type HttpResponse, header } from '../../local/cloud/http.ts';

const NONE = { mode: 'none', names: [] } as const;
const POLICY = {
  headers: NONE,
  query: NONE,
  encodings: [],
  minTtl: 0,
  defaultTtl: 0,
  maxTtl: 1000,
};
const FORWARDED = { headers: NONE, query: NONE, cookies: NONE };
const ALL = { mode: 'all', names: [] } as const;
const PAGE = 'abcdefghij';

/** Returns the origin's response; by default, an empty page. */
type OriginStub = (request: HttpRequest) => Partial<HttpResponse> | Promise<Partial<HttpResponse>>;

let edge: EdgeCache;
let now: number;
/** The requests that reached the origin. */
let received: HttpRequest[];
/** The reported failures of the origin. */
let faults: string[];

beforeEach(() => {
  const behavior = { TargetOriginId: 'o', CachePolicyId: 'p' };
  const { DistributionConfig } = DistributionProperties.parse({
    DistributionConfig: {
      Enabled: true,
      Origins: [],
      DefaultCacheBehavior: behavior,
      CacheTagConfig: { HeaderName: 'cache-tag' },
      CustomErrorResponses: [{ ErrorCode: 502, ErrorCachingMinTTL: 0 }],
    },
  });
  faults = [];
  edge = new EdgeCache(DistributionConfig, (line) => faults.push(line));
  received = [];
  now = 1_000_000;
  jest.spyOn(Date, 'now').mockImplementation(() => now);
});

afterEach(() => jest.restoreAllMocks());

const request = (method: string, headers: HeaderList): HttpRequest => ({
  method,
  path: '/page',
  query: '',
  headers,
  body: Readable.from([]),
  peerIp: '192.0.2.1',
});

const page = (control: string, body = PAGE): Partial<HttpResponse> => ({
  headers: [
    ['Cache-Control', control],
    ['Cache-Tag', 'one'],
    ['ETag', `"${body}"`],
    ['Content-Type', 'text/plain'],
    ['Content-Length', String(body.length)],
  ],
  body: Readable.from([Buffer.from(body)]),
});
const fails = (status: number) => () => ({ status, body: Buffer.from('down') });

function fetch(origin: OriginStub, method: string, headers: HeaderList, behavior: Partial<Visit['behavior']> = {}) {
  return edge.fetch({
    request: request(method, headers),
    behavior: { cachePolicy: POLICY, originRequestPolicy: FORWARDED, ...behavior },
    viewerPath: '/page',
    send: async (one) => {
      received.push(one);
      return { status: 200, headers: [], body: Buffer.alloc(0), servedBy: 'origin', ...(await origin(one)) };
    },
  });
}

async function visit(origin: OriginStub, method = 'GET', headers: HeaderList = []) {
  const response = await fetch(origin, method, headers);
  const body = (await collect(response.body)).toString();
  // The cache stores the body after the viewer got it.
  await new Promise(setImmediate);
  return { status: response.status, body, field: (name: string) => header(response.headers, name) };
}

describe('a range of a cached response', () => {
  const never: OriginStub = () => {
    throw new Error('unexpected request to the origin');
  };
  const part = (range: string, ...more: HeaderList) => visit(never, 'GET', [['Range', range], ...more]);

  beforeEach(() => visit(() => page('max-age=100')));

  test('is served from the cache', async () => {
    const { status, body, field } = await part('bytes=2-4');
    expect([status, body]).toEqual([206, 'cde']);
    expect(field('content-range')).toBe('bytes 2-4/10');
    expect(field('content-length')).toBe('3');
    expect(field('content-type')).toBe('text/plain');
    expect(field('x-cache')).toBe('Hit from cloudfront');
  });

  test('is rejected when it is unsatisfiable', async () => {
    const { status, body, field } = await part('bytes=10-');
    expect([status, body, field('content-range')]).toEqual([416, '', 'bytes */10']);
  });

  test.each([
    ['the ETag', `"${PAGE}"`, 206],
    ['another ETag', '"other"', 200],
    ['a weak ETag', `W/"${PAGE}"`, 200],
    ['a date', 'Sat, 21 Nov 2026 10:00:00 GMT', 200],
  ])('with If-Range of %s', async (_name, condition, status) => {
    expect(await part('bytes=0-0', ['If-Range', condition])).toMatchObject({ status });
  });

  test('is ignored for HEAD and for viewers that have the response', async () => {
    expect(await visit(never, 'HEAD', [['Range', 'bytes=0-0']])).toMatchObject({ status: 200 });
    expect(await part('bytes=0-0', ['If-None-Match', `"${PAGE}"`])).toMatchObject({ status: 304 });
  });
});

test('a partial response of the origin is not cached, but a complete response to a range is', async () => {
  const range: HeaderList = [['Range', 'bytes=0-0']];
  const partial: OriginStub = () => ({ ...page('max-age=100', 'a'), status: 206 });
  await visit(partial, 'GET', range);
  await visit(partial, 'GET', range);
  expect(received.map(({ headers }) => header(headers, 'range'))).toEqual(['bytes=0-0', 'bytes=0-0']);
  await visit(() => page('max-age=100'), 'GET', range);
  expect(await visit(fails(500))).toMatchObject({ status: 200, body: PAGE });
  expect(received).toHaveLength(3);
});

test('HEAD is served from the response to GET, and is not cached itself', async () => {
  await visit(() => page('max-age=100', ''), 'HEAD');
  await visit(() => page('max-age=100'));
  const head = await visit(fails(500), 'HEAD');
  expect([head.status, head.field('etag'), head.field('x-cache')]).toEqual([200, `"${PAGE}"`, 'Hit from cloudfront']);
  expect(received.map(({ method }) => method)).toEqual(['HEAD', 'GET']);
});

test('an expired response is fresh again after revalidation, also for a range', async () => {
  await visit(() => page('max-age=100'));
  now += 101_000;
  const revalidates: OriginStub = ({ headers }) =>
    header(headers, 'if-none-match') === `"${PAGE}"` ? { status: 304 } : page('max-age=100');
  const part = await visit(revalidates, 'GET', [['Range', 'bytes=-1']]);
  expect([part.status, part.body, part.field('x-cache')]).toEqual([206, 'j', 'RefreshHit from cloudfront']);
  now += 99_000;
  expect(await visit(fails(500))).toMatchObject({ status: 200, body: PAGE });
  expect(received).toHaveLength(2);
});

describe('an expired response is revalidated', () => {
  const LATER = 'Sun, 22 Nov 2026 10:00:00 GMT';
  const unchanged: OriginStub = () => ({
    status: 304,
    headers: [
      ['Cache-Control', 's-maxage=0'],
      ['Content-Length', '0'],
    ],
  });
  const conditionsOf = ({ headers }: HttpRequest) => [
    header(headers, 'if-none-match'),
    header(headers, 'if-modified-since'),
  ];

  test.each(['"other"', `"${PAGE}"`])('with its own ETag, while the viewer has %s', async (has) => {
    await visit(() => page('max-age=0, s-maxage=0, stale-if-error=50'));
    const viewer: HeaderList = [
      ['If-None-Match', has],
      ['If-Modified-Since', LATER],
    ];
    const { status, body, field } = await visit(unchanged, 'GET', viewer);
    expect(received.map(conditionsOf)[1]).toEqual([`"${PAGE}"`, undefined]);
    expect([status, body]).toEqual(has === '"other"' ? [200, PAGE] : [304, '']);
    expect(field('x-cache')).toBe('RefreshHit from cloudfront');
    expect(field('content-length')).toBe(status === 200 ? '10' : undefined);
    // The next viewer does not get it without asking either.
    await visit(unchanged);
    expect(received).toHaveLength(3);
  });

  test('unless it has none: then the viewer gets the 304 that it asked for', async () => {
    await visit(() => ({ headers: [['Cache-Control', 's-maxage=0']], body: Buffer.from('old') }));
    const viewer: HeaderList = [['If-None-Match', '"new"']];
    expect(await visit(unchanged, 'GET', viewer)).toMatchObject({ status: 304, body: '' });
    expect(received.map(conditionsOf)[1]).toEqual(['"new"', undefined]);
  });
});

test('a 304 for a response that the edge does not have is passed on, and not cached', async () => {
  const viewer: HeaderList = [['If-None-Match', '"new"']];
  const { status } = await visit(() => ({ ...page('max-age=100'), status: 304 }), 'GET', viewer);
  expect([status, header(received[0]?.headers ?? [], 'if-none-match')]).toEqual([304, '"new"']);
  expect(await visit(() => page('max-age=100', 'new'))).toMatchObject({ body: 'new' });
});

describe('simultaneous requests for one object', () => {
  /** Sends three requests, of which the origin answers none before all have arrived; the bodies, and the X-Cache. */
  async function together(
    answer: (count: number) => Partial<HttpResponse>,
    behavior: Partial<Visit['behavior']> = {},
    headers: HeaderList = [],
  ) {
    const { promise, resolve } = Promise.withResolvers<void>();
    let count = 0;
    const slow: OriginStub = () => {
      const response = answer(++count);
      return promise.then(() => response);
    };
    const visits = Array.from({ length: 3 }, () => fetch(slow, 'GET', headers, behavior));
    await new Promise(setImmediate);
    const waiting = 3 - count;
    resolve();
    const responses = await Promise.all(visits);
    const bodies = await Promise.all(responses.map(async ({ body }) => String(await collect(body))));
    return { waiting, bodies, xCache: responses.map((one) => header(one.headers, 'x-cache')) };
  }

  test.each(['max-age=100', 'max-age=0, s-maxage=100', 'public'])('share a response with %s', async (control) => {
    const { waiting, bodies, xCache } = await together((count) => page(control, `body ${count}`));
    expect([waiting, bodies]).toEqual([2, ['body 1', 'body 1', 'body 1']]);
    expect(xCache.slice(1)).toEqual(['Hit from cloudfront', 'Hit from cloudfront']);
  });

  test.each(['private', 'no-store', 'no-cache', 'max-age=0', 'max-age=9, s-maxage=0', 'private, max-age=100'])(
    'wait for a response with %s, and then go to the origin themselves',
    async (control) => {
      const { waiting, bodies } = await together((count) => page(control, `body ${count}`));
      expect([waiting, bodies]).toEqual([2, ['body 1', 'body 2', 'body 3']]);
    },
  );

  test('share any response with a minimum TTL', async () => {
    const behavior = { cachePolicy: { ...POLICY, minTtl: 1 } };
    const { bodies } = await together((count) => page('no-store', `body ${count}`), behavior);
    expect(new Set(bodies)).toEqual(new Set(['body 1']));
  });

  test.each([
    ['in a behavior that forwards cookies', { originRequestPolicy: { ...FORWARDED, cookies: ALL } }, []],
    ['for ranges', {}, [['Range', 'bytes=0-1']] as const],
  ])('do not wait %s', async (_name, behavior, headers) => {
    expect(await together(() => page('max-age=100'), behavior, headers)).toMatchObject({ waiting: 0 });
  });

  test('do not share a response that was invalidated since the request', async () => {
    const { bodies } = await together((count) => {
      if (count === 1) setImmediate(() => edge.invalidate(['#one']));
      return page('max-age=100', `body ${count}`);
    });
    expect(bodies).toEqual(['body 1', 'body 2', 'body 3']);
  });

  test('are sent once the first response turns out not to be shareable, and later ones wait anew', async () => {
    const slow = (control: string) => {
      const body = new PassThrough();
      return { body, response: { ...page(control), body } };
    };
    const never: OriginStub = () => {
      throw new Error('unexpected request to the origin');
    };
    const first = slow('no-store');
    const second = slow('max-age=100');
    await fetch(() => first.response, 'GET', []);
    await fetch(() => second.response, 'GET', []);
    first.body.end('first');
    await new Promise(setImmediate);
    const third = fetch(never, 'GET', []);
    second.body.end('second');
    expect(String(await collect((await third).body))).toBe('second');
  });

  test('share a stale response when the origin fails, and report the failure', async () => {
    await visit(() => page('max-age=100'));
    now += 101_000;
    const { waiting, bodies } = await together(() => ({ status: 500 }));
    expect([waiting, bodies, faults]).toEqual([2, [PAGE, PAGE, PAGE], ['GET /page 500']]);
  });
});

describe('an expired response when the origin fails', () => {
  /** Returns what a viewer gets `seconds` after a response with this `Cache-Control` was cached. */
  async function later(control: string, seconds: number, origin = fails(502)): Promise<string> {
    await visit(() => page(control));
    now += seconds * 1000;
    const { status, body } = await visit(origin);
    return `${status} ${body}`;
  }

  test.each([
    ['max-age=100, stale-if-error=50', 149, true],
    ['max-age=100, stale-if-error=50', 151, false],
    ['max-age=100, stale-if-error=0', 101, false],
    // The maximum TTL is the limit.
    ['max-age=100, stale-if-error=5000', 999, true],
    ['max-age=100, stale-if-error=5000', 1001, false],
    // Without the directive, the response is served until the maximum TTL.
    ['max-age=100', 999, true],
    ['max-age=100', 1001, false],
    ['no-store', 1, true],
    ['no-store, stale-if-error=0', 1, false],
    ['s-maxage=100, max-age=0, must-revalidate, proxy-revalidate, stale-if-error=50', 149, true],
  ])('with %s is served after %i s: %s', async (control, seconds, served) => {
    expect(await later(control, seconds)).toBe(served ? `200 ${PAGE}` : '502 down');
    expect(faults).toEqual(served ? ['GET /page 502'] : []);
  });

  test.each([
    [500, `200 ${PAGE}`],
    [504, `200 ${PAGE}`],
    [404, '404 down'],
    [410, '410 down'],
  ])('and returns %i', async (status, seen) => {
    expect(await later('max-age=100', 101, fails(status))).toBe(seen);
  });

  test('is served without requests to the origin for the error caching minimum TTL', async () => {
    await later('max-age=100', 101, fails(503));
    now += 9000;
    expect(await visit(() => page('max-age=100', 'new'))).toMatchObject({ body: PAGE });
    expect(received).toHaveLength(2);
    now += 2000;
    expect(await visit(() => page('max-age=100', 'new'))).toMatchObject({ body: 'new' });
  });

  test('is not served after stale-if-error, even if the origin has just failed', async () => {
    await later('max-age=100, stale-if-error=5', 104, fails(503));
    now += 2000;
    expect(await visit(fails(503))).toMatchObject({ status: 503 });
  });

  test('is never an error itself', async () => {
    await visit(() => ({ ...page('max-age=100'), status: 404 }));
    now += 101_000;
    expect(await visit(fails(502))).toMatchObject({ status: 502 });
  });

  test.each(['#one', '/page'])('is removed when %s is invalidated', async (item) => {
    await visit(() => page('max-age=100'));
    edge.invalidate([item]);
    expect(await visit(fails(502))).toMatchObject({ status: 502 });
  });

  test.each(['#ONE', '/pa*'])('is removed when %s is invalidated while the origin fails', async (item) => {
    await visit(() => page('max-age=100'));
    now += 101_000;
    const failing: OriginStub = () => {
      edge.invalidate([item]);
      return fails(502)();
    };
    expect(await visit(failing)).toMatchObject({ status: 502 });
    expect(await visit(fails(502))).toMatchObject({ status: 502 });
  });
});

test.each<[string, string, HeaderList, Partial<HttpResponse>]>([
  ['GET', 'GET', [], {}],
  ['a complete response to a range', 'GET', [['Range', 'bytes=0-0']], {}],
  ['a revalidation', 'GET', [], { status: 304, body: Buffer.alloc(0) }],
  ['a revalidation by HEAD', 'HEAD', [], { status: 304, body: Buffer.alloc(0) }],
])('%s that arrives after an invalidation is not cached', async (_name, method, headers, response) => {
  await visit(() => page('max-age=100'));
  now += 101_000;
  await visit(
    () => {
      edge.invalidate(['#one']);
      return { ...page('max-age=100'), ...response };
    },
    method,
    headers,
  );
  expect(await visit(() => page('max-age=100', 'new'))).toMatchObject({ body: 'new' });
});
