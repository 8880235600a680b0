import { crc32, deflateSync } from 'node:zlib';
import { isOneColor } from '../../../lambda/look/examine.ts';

const WIDTH = 4;

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** @param rows each with its filter first, then RGB; in two chunks of data */
function png(...rows: readonly (readonly number[])[]): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(rows.length, 4);
  header.set([8, 2], 8);
  const data = deflateSync(Buffer.from(rows.flat()));
  const half = data.length >> 1;
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', data.subarray(0, half)),
    chunk('IDAT', data.subarray(half)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const times = (count: number, ...pixel: readonly number[]) => Array.from({ length: count }, () => pixel).flat();
const PLAIN = [0, ...times(WIDTH, 9, 8, 7)];

it('recognizes one color behind every filter of PNG', () => {
  const none = times(WIDTH, 0, 0, 0);
  const sub = [1, 9, 8, 7, ...times(WIDTH - 1, 0, 0, 0)];
  const up = [2, ...none];
  // Half of the one above; then half of both, which are equal.
  const average = [3, 5, 4, 4, ...times(WIDTH - 1, 0, 0, 0)];
  const paeth = [4, ...none];
  expect(isOneColor(png(PLAIN, sub, up, average, paeth))).toBe(true);
});

it('sees one pixel of another color, in any row', () => {
  expect(isOneColor(png(PLAIN, [2, ...times(WIDTH - 1, 0, 0, 0), 0, 0, 1]))).toBe(false);
  expect(isOneColor(png(PLAIN, [0, ...times(WIDTH, 9, 8, 6)]))).toBe(false);
  expect(isOneColor(png([1, 9, 8, 7, 0, 0, 0, 1, 0, 0, 255, 0, 0]))).toBe(false);
});
