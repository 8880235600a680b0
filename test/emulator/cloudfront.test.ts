import { Readable } from 'node:stream';
import { Cache, type Entry, readTags, timeToLive } from '../../local/cloud/cloudfront/cache.ts';
import { CloudFrontFunction } from '../../local/cloud/cloudfront/function.ts';
import { applyResponseHeaders } from '../../local/cloud/cloudfront/policies.ts';
import { type HttpRequest, parseByteRange } from '../../local/cloud/http.ts';
import { testRows } from '../support/rows.ts';

const NONE = { mode: 'none', names: [] } as const;
const policy = {
  headers: NONE,
  query: NONE,
  encodings: [],
  minTtl: 0,
  defaultTtl: 60,
  maxTtl: 600,
};

function entry(path: string, ...tags: string[]): Entry {
  return {
    path,
    tags,
    status: 200,
    headers: [],
    body: Buffer.alloc(1),
    storedAt: 0,
    expiresAt: 1,
    staleUntil: 1,
  };
}

describe('the cache', () => {
  testRows([
    ['s-maxage=30, max-age=5', 200, 30],
    ['max-age=5', 200, 5],
    ['max-age=9999', 200, 600],
    ['', 200, 60],
    ['private, max-age=5', 200, 0],
    ['no-store', 404, 10],
    ['max-age=20', 404, 20],
    ['', 403, 0],
    ['max-age=5', 403, 10],
    ['max-age=20', 410, 0],
    ['max-age=20', 416, 0],
  ])('keeps a response for the time that its Cache-Control says', (control, status, seconds) => {
    expect(timeToLive(status, [['cache-control', control]], policy, 10)).toBe(seconds);
  });

  test('reads at most 50 case-insensitive tags from the configured header', () => {
    const headers = [['Cache-Tag', ` A, b,,${Array.from({ length: 60 }, (_, i) => `t${i}`).join(',')}`]] as const;
    expect(readTags(headers, 'cache-tag').slice(0, 3)).toEqual(['a', 'b', 't0']);
    expect(readTags(headers, 'cache-tag')).toHaveLength(50);
    expect(readTags(headers, undefined)).toEqual([]);
  });

  test('keeps entries until an invalidation takes effect, which applies to earlier requests only', () => {
    const cache = new Cache();
    const clock = jest.spyOn(Date, 'now').mockReturnValue(1000);
    cache.begin('/a').store('kept', entry('/a', 'tag'));
    const before = cache.begin('/a');
    cache.invalidate(['#tag'], 3000);
    clock.mockReturnValue(2999);
    expect(cache.get('kept')).toBeDefined();
    before.store('early', entry('/a', 'tag'));
    expect(cache.get('early')).toBeDefined();
    clock.mockReturnValue(3000);
    before.store('late', entry('/a', 'tag'));
    cache.begin('/a').store('after', entry('/a', 'tag'));
    expect(['kept', 'early', 'late', 'after'].filter((key) => cache.get(key))).toEqual(['after']);
    clock.mockRestore();
  });
});

testRows([
  [[['origin', 'https://elsewhere.example']], [['access-control-allow-origin', '*']]],
  [[], []],
] as const)('a response headers policy adds CORS fields to requests with an allowed origin', (headers, added) => {
  const cors = { name: 'access-control-allow-origin', value: '*', override: true, cors: true } as const;
  expect(applyResponseHeaders([], [cors], { headers })).toEqual(added);
});

describe('a CloudFront function', () => {
  const request: HttpRequest = {
    method: 'GET',
    path: '/a%20b',
    query: 'x=1&y',
    headers: [
      ['Host', 'me:3000'],
      ['Cookie', 'k=v'],
      ['Accept', 'a'],
      ['Accept', 'b'],
    ],
    body: Readable.from([]),
    peerIp: '192.0.2.1',
  };
  const names = { distributionDomainName: 'd', distributionId: 'E' };
  const run = (body: string) =>
    new CloudFrontFunction('F', `function handler(event) { ${body} }`, () => undefined).onViewerRequest(request, names);

  test('gets a Host without a port, as on AWS', async () => {
    const result = await run('return { statusCode: 200, body: event.request.headers.host.value };');
    expect(result).toMatchObject({ response: { body: Buffer.from('me') } });
  });

  const respond = (body: string) =>
    new CloudFrontFunction('F', `function handler(event) { ${body} }`, () => undefined).onViewerResponse(
      request,
      {
        status: 200,
        headers: [
          ['X-Own', 'a'],
          ['Content-Length', '1'],
          ['Set-Cookie', 'k=v'],
        ],
      },
      names,
    );

  test.each([
    "event.response.headers['content-length'] = { value: '2' }; return event.response;",
    'event.response.statusCode = 201; return event.response;',
    'return event.request;',
  ])('fails when a function for responses returns something else: %s', async (code) => {
    await expect(respond(code)).rejects.toMatchObject({ name: 'FunctionFailure', status: 502 });
  });

  test('does not time out on a busy machine', async () => {
    let calls = 0;
    // The thread has no processor for longer than the limit.
    const stall = () => {
      if (calls++ === 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_200);
    };
    const fn = new CloudFrontFunction('F', 'function handler({ request }) { console.log(); return request; }', stall);
    expect(await fn.onViewerRequest(request, names)).toMatchObject({ request: { path: '/a%20b' } });
    expect(calls).toBe(2);
  });

  testRows([
    ['throw new Error("no")', 503],
    ['return require("fs")', 503],
    ['for (;;);', 503],
    ['return 7', 502],
    ["event.request.headers.host = { value: 'other' }; return event.request", 502],
  ])('fails as on CloudFront', async (body, status) => {
    await expect(run(body)).rejects.toMatchObject({ name: 'FunctionFailure', status });
  });
});

testRows([
  ['bytes=0-3', { first: 0, last: 3 }],
  ['bytes=4-', { first: 4, last: 9 }],
  ['bytes=9-9', { first: 9, last: 9 }],
  ['bytes=5-500', { first: 5, last: 9 }],
  ['bytes=-3', { first: 7, last: 9 }],
  ['bytes=-30', { first: 0, last: 9 }],
  ['Bytes=1-2', { first: 1, last: 2 }],
  ['bytes=10-', 'unsatisfiable'],
  ['bytes=10-20', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=3-2', undefined],
  ['bytes=0-1,4-5', undefined],
  ['bytes=-', undefined],
  ['bytes=a-b', undefined],
  ['lines=0-1', undefined],
])('parses the Range of ten bytes', (field, range) => {
  expect(parseByteRange(field, 10)).toEqual(range);
});

test('no range of an empty body is satisfiable', () => {
  expect(parseByteRange('bytes=0-', 0)).toBe('unsatisfiable');
  expect(parseByteRange('bytes=-1', 0)).toBe('unsatisfiable');
});
