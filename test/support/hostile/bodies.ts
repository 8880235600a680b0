import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { nearlyValid } from './values.ts';

/** A body as it is sent, with the headers that describe it, truthfully or not. */
export interface HostileBody {
  readonly bytes: Buffer;
  readonly headers: readonly Header[];
}

export type Header = readonly [name: string, value: string];

const JSON_TYPE: Header = ['Content-Type', 'application/json'];
const GZIP: Header = ['Content-Encoding', 'gzip'];

const once = (make: () => Buffer) => {
  let made: Buffer | undefined;
  return () => {
    made ??= make();
    return made;
  };
};
/** 80 MB of spaces in 80 KB; and the same within another gzip. */
const bomb = once(() => gzipSync(Buffer.alloc(80 * 1_048_576, 0x20)));
const doubleBomb = once(() => gzipSync(bomb()));
const deepArrays = once(() => Buffer.from('['.repeat(200_000)));
const deepObjects = once(() => Buffer.from('{"a":'.repeat(100_000)));
const wide = once(() => Buffer.from(`{${Array.from({ length: 50_000 }, (_, i) => `"k${i}":1`).join()}}`));
const longNumber = once(() => Buffer.from(`{"prompt": ${'9'.repeat(1_000_000)}}`));
const large = once(() => Buffer.alloc(2 * 1_048_576, 0x61));

const plain = (text: string): HostileBody => ({ bytes: Buffer.from(text), headers: [JSON_TYPE] });

/** Bodies that are not what their headers say, or that cost more to read than to send. */
const BROKEN: readonly (() => HostileBody)[] = [
  () => ({ bytes: Buffer.alloc(0), headers: [JSON_TYPE] }),
  () => plain('{'),
  () => plain('{"prompt":}'),
  () => plain('{"prompt": "a", "prompt": {"b": 1}}'),
  () => plain('{"prompt": "\\ud800"}'),
  () => plain('{"prompt": "\\u0000"}'),
  () => plain('\ufeff{"prompt": "a timer"}'),
  () => plain('{"__proto__": {"prompt": "a timer"}}'),
  () => plain("{'prompt': 'a timer'}"),
  () => plain('{"prompt": "a timer"} trailing'),
  () => plain('null'),
  () => plain('[]'),
  () => plain('"a timer"'),
  () => plain('1e999'),
  () => ({ bytes: Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), headers: [JSON_TYPE] }),
  () => ({
    bytes: Buffer.from('{"prompt": "a timer"}', 'utf16le'),
    headers: [['Content-Type', 'application/json; charset=utf-16']],
  }),
  () => ({
    bytes: Buffer.from('{"prompt": "caf\xe9"}', 'latin1'),
    headers: [['Content-Type', 'application/json; charset=iso-8859-1']],
  }),
  () => ({ bytes: deepArrays(), headers: [JSON_TYPE] }),
  () => ({ bytes: deepObjects(), headers: [JSON_TYPE] }),
  () => ({ bytes: wide(), headers: [JSON_TYPE] }),
  () => ({ bytes: longNumber(), headers: [JSON_TYPE] }),
  () => ({ bytes: large(), headers: [JSON_TYPE] }),
  () => ({ bytes: bomb(), headers: [JSON_TYPE, GZIP] }),
  () => ({ bytes: doubleBomb(), headers: [JSON_TYPE, ['Content-Encoding', 'gzip, gzip']] }),
  () => ({ bytes: doubleBomb(), headers: [JSON_TYPE, GZIP] }),
];

/** Ways to send the same JSON, right and wrong. */
const ENCODINGS: readonly ((json: Buffer) => HostileBody)[] = [
  (bytes) => ({ bytes, headers: [['Content-Type', 'application/json; charset=utf-8']] }),
  (bytes) => ({ bytes, headers: [['Content-Type', 'application/json;charset="x"; boundary=;;']] }),
  (bytes) => ({ bytes, headers: [['Content-Type', 'text/plain']] }),
  (bytes) => ({ bytes, headers: [['Content-Type', 'multipart/form-data; boundary=x']] }),
  (bytes) => ({ bytes, headers: [['Content-Type', 'application/xml']] }),
  (bytes) => ({ bytes, headers: [['Content-Type', 'x'.repeat(2_000)]] }),
  (bytes) => ({ bytes, headers: [] }),
  (bytes) => ({ bytes, headers: [JSON_TYPE, JSON_TYPE] }),
  (bytes) => ({ bytes, headers: [JSON_TYPE, GZIP] }),
  (bytes) => ({ bytes: gzipSync(bytes), headers: [JSON_TYPE, GZIP] }),
  (bytes) => ({ bytes: gzipSync(bytes), headers: [JSON_TYPE] }),
  (bytes) => ({ bytes: gzipSync(bytes).subarray(0, 15), headers: [JSON_TYPE, GZIP] }),
  (bytes) => ({ bytes: Buffer.concat([gzipSync(bytes), Buffer.from('tail')]), headers: [JSON_TYPE, GZIP] }),
  (bytes) => ({ bytes: Buffer.concat([gzipSync(bytes), gzipSync(bytes)]), headers: [JSON_TYPE, GZIP] }),
  (bytes) => ({ bytes: gzipSync(gzipSync(bytes)), headers: [JSON_TYPE, ['Content-Encoding', 'gzip, gzip']] }),
  (bytes) => ({ bytes: gzipSync(bytes), headers: [JSON_TYPE, GZIP, GZIP] }),
  (bytes) => ({ bytes: gzipSync(bytes), headers: [JSON_TYPE, ['Content-Encoding', 'GZip']] }),
  (bytes) => ({ bytes: brotliCompressSync(bytes), headers: [JSON_TYPE, ['Content-Encoding', 'br']] }),
  (bytes) => ({ bytes: deflateSync(bytes), headers: [JSON_TYPE, ['Content-Encoding', 'deflate']] }),
  (bytes) => ({ bytes, headers: [JSON_TYPE, ['Content-Encoding', 'identity']] }),
  (bytes) => ({ bytes, headers: [JSON_TYPE, ['Content-Encoding', '\x80\xff']] }),
];

/**
 * Generates bodies for an operation: valid, wrong in one place, encoded in all ways, and broken.
 * @param valid generates the values that the operation's schema allows
 */
export function hostileBody(valid: fc.Arbitrary<unknown>): fc.Arbitrary<HostileBody> {
  const json = (value: unknown) => Buffer.from(JSON.stringify(value) ?? '');
  const near = nearlyValid(valid);
  return fc.oneof(
    { weight: 6, arbitrary: valid.map((value) => ({ bytes: json(value), headers: [JSON_TYPE] })) },
    { weight: 10, arbitrary: near.map((value) => ({ bytes: json(value), headers: [JSON_TYPE] })) },
    {
      weight: 5,
      arbitrary: fc.tuple(valid, fc.constantFrom(...ENCODINGS)).map(([value, encode]) => encode(json(value))),
    },
    { weight: 4, arbitrary: fc.constantFrom(...BROKEN).map((make) => make()) },
    {
      weight: 1,
      arbitrary: fc
        .uint8Array({ maxLength: 300 })
        .map((bytes) => ({ bytes: Buffer.from(bytes), headers: [JSON_TYPE] })),
    },
  );
}
