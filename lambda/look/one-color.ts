import { inflateSync } from 'node:zlib';

const SIGNATURE = 8;
/** Of a pixel by the type of color: RGB and RGBA. */
const BYTES: Readonly<Record<number, number>> = { 2: 3, 6: 4 };
const PAETH = 4;

/**
 * Returns whether all pixels of an image have the same color.
 * @param png of 8 bits per channel, not interlaced, as Chromium makes them: https://www.w3.org/TR/png-3/
 */
export function isOneColor(png: Uint8Array): boolean {
  const buffer = Buffer.from(png.buffer, png.byteOffset, png.byteLength);
  const parts: Buffer[] = [];
  for (let at = SIGNATURE; at + 12 <= buffer.length; ) {
    const length = buffer.readUInt32BE(at);
    if (buffer.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(buffer.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const width = buffer.readUInt32BE(16);
  const bytes = BYTES[buffer[25] ?? 0];
  if (bytes === undefined) return false;
  const row = width * bytes;
  const rows = inflateSync(Buffer.concat(parts));
  let above = Buffer.alloc(row);
  for (let at = 0; at < rows.length; at += row + 1) {
    const current = unfiltered(rows.subarray(at + 1, at + 1 + row), above, rows[at] ?? 0, bytes);
    if (!current.subarray(bytes).equals(current.subarray(0, row - bytes))) return false;
    if (at > 0 && !current.equals(above)) return false;
    above = current;
  }
  return true;
}

/** https://www.w3.org/TR/png-3/#9Filter-types */
function unfiltered(row: Buffer, above: Buffer, filter: number, bytes: number): Buffer<ArrayBuffer> {
  const result = Buffer.alloc(row.length);
  for (let i = 0; i < row.length; i++) {
    const a = i < bytes ? 0 : (result[i - bytes] ?? 0);
    const b = above[i] ?? 0;
    const c = i < bytes ? 0 : (above[i - bytes] ?? 0);
    const predicted = [0, a, b, (a + b) >> 1][filter] ?? (filter === PAETH ? paeth(a, b, c) : 0);
    result[i] = (row[i] ?? 0) + predicted;
  }
  return result;
}

function paeth(a: number, b: number, c: number): number {
  const [pa, pb, pc] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)];
  if (pa <= pb && pa <= pc) return a;
  return pb <= pc ? b : c;
}
