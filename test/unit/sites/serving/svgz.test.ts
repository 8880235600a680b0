import { gzipSync } from 'node:zlib';
import { Site } from '../../../../lambda/sites/serving/site.ts';
import { testRows } from '../../../support/rows.ts';

const SVG = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${' '.repeat(10_000)}</svg>`);
const GZIPPED = gzipSync(SVG);
/** 8 MB of spaces. */
const BOMB = gzipSync(Buffer.alloc(8 * 1_048_576, ' '));
const BROKEN = GZIPPED.subarray(0, GZIPPED.length - 20);

const site = new Site(
  new Map<string, Uint8Array>([
    ['a.svgz', GZIPPED],
    ['B.SVGZ', GZIPPED],
    ['plain.svgz', SVG],
    ['bomb.svgz', BOMB],
    ['broken.svgz', BROKEN],
    ['a.svg.gz', GZIPPED],
  ]),
  '',
  '/d/abcdefghijkl/',
);
const serve = (path: string, acceptEncoding?: string, conditions = {}) => {
  const { body, ...rest } = site.serve({ path, rawQuery: '', navigation: false, conditions, acceptEncoding });
  return { ...rest, body: Buffer.from(body) };
};
const ENCODED = { 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' };

describe('a .svgz file', () => {
  testRows(['gzip', 'br, gzip', 'GZIP;q=0.5', 'deflate , x-gzip ;q=1'])(
    'is sent compressed to a client that accepts gzip',
    (accepted) => {
      for (const path of ['a.svgz', 'B.SVGZ']) {
        const { status, headers, body } = serve(path, accepted);
        expect([status, headers]).toMatchObject([200, { 'Content-Type': 'image/svg+xml', ...ENCODED }]);
        expect(body.equals(GZIPPED)).toBe(true);
      }
    },
  );

  testRows([undefined, '', 'br', 'gzip;q=0', 'gzip; q=0.000', 'identity', 'gzipped'])(
    'is sent decoded to other clients',
    (accepted) => {
      const { status, headers, body } = serve('a.svgz', accepted);
      expect([status, headers]).toMatchObject([200, { 'Content-Type': 'image/svg+xml', Vary: 'Accept-Encoding' }]);
      expect(headers['Content-Encoding']).toBeUndefined();
      expect(body.equals(SVG)).toBe(true);
    },
  );

  it('has a different entity tag for each encoding', () => {
    const encoded = serve('a.svgz', 'gzip').headers.ETag;
    const decoded = serve('a.svgz').headers.ETag;
    expect(encoded).not.toBe(decoded);
    const status = (acceptEncoding: string, ifNoneMatch?: string) =>
      serve('a.svgz', acceptEncoding, { ifNoneMatch }).status;
    expect([status('gzip', encoded), status('', decoded)]).toEqual([304, 304]);
    expect([status('gzip', decoded), status('', encoded)]).toEqual([200, 200]);
  });

  it('applies a range to the bytes that are sent', () => {
    const encoded = serve('a.svgz', 'gzip', { range: 'bytes=0-9' });
    expect([encoded.status, encoded.headers]).toMatchObject([206, ENCODED]);
    expect(encoded.body.equals(GZIPPED.subarray(0, 10))).toBe(true);
    const decoded = serve('a.svgz', '', { range: 'bytes=-6' });
    expect([decoded.status, decoded.body.toString()]).toEqual([206, '</svg>']);
    const { status, headers } = serve('a.svgz', 'gzip', { range: 'bytes=99999-' });
    expect([status, headers['Content-Range'], headers['Content-Encoding']]).toEqual([
      416,
      `bytes */${GZIPPED.length}`,
      undefined,
    ]);
  });

  testRows([
    ['bomb.svgz', BOMB],
    ['broken.svgz', BROKEN],
  ])('is sent compressed if it cannot be decoded', (path, bytes) => {
    const { headers, body } = serve(path);
    expect(headers).toMatchObject(ENCODED);
    expect(body.equals(bytes)).toBe(true);
  });

  it('is served as an ordinary SVG if it is not compressed', () => {
    const { headers, body } = serve('plain.svgz', 'gzip');
    expect(headers['Content-Type']).toBe('image/svg+xml; charset=utf-8');
    expect(headers['Content-Encoding']).toBeUndefined();
    expect(body.equals(SVG)).toBe(true);
  });
});

it('serves a .gz file as an archive, even if it contains an SVG', () => {
  const { headers, body } = serve('a.svg.gz', 'gzip');
  expect(headers['Content-Type']).toBe('application/gzip');
  expect(headers['Content-Encoding']).toBeUndefined();
  expect(body.equals(GZIPPED)).toBe(true);
});
