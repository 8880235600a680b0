import { LOOK_WIDTHS, type LookWidth } from '../../contract/looks.ts';
import { prependHeader, splitHeader } from '../../sites/source/build.ts';
import type { Look, NoLook } from './looker.ts';

const LINE_FEED = 0x0a;

/** The first line of a stored look: what was found, and the sizes of the pictures that follow, in the order of `LOOK_WIDTHS`. */
type Line = NoLook | (Omit<Look, 'screenshots'> & { readonly sizes: readonly number[] });

/** Returns a look as the bytes of an object: one line of JSON, then its pictures. */
export function packLook(look: Look | NoLook): Uint8Array {
  if (look.state !== 'looked') return prependHeader(look, new Uint8Array());
  const pictures = LOOK_WIDTHS.map((width) => look.screenshots.get(width) ?? new Uint8Array());
  const { state, problems } = look;
  const line: Line = { state, problems, sizes: pictures.map(({ length }) => length) };
  return prependHeader(line, Buffer.concat(pictures));
}

/** The first line of a stored look, with the widths of the pictures. */
export type LookLine = NoLook | (Omit<Look, 'screenshots'> & { readonly widths: readonly LookWidth[] });

/** Reads the first line of a stored look; undefined if the bytes, the first ones of it, do not have all of it. */
export function readLookLine(bytes: Uint8Array): LookLine | undefined {
  if (!bytes.includes(LINE_FEED)) return undefined;
  const line = splitHeader(bytes).header as Line;
  if (line.state !== 'looked') return line;
  const { state, problems, sizes } = line;
  return { state, problems, widths: LOOK_WIDTHS.filter((_, i) => (sizes[i] ?? 0) > 0) };
}

/** Reverts `packLook`. The pictures are views of the bytes. */
export function readLook(stored: Uint8Array): Look | NoLook {
  const { header, rest } = splitHeader(stored);
  const line = header as Line;
  if (line.state !== 'looked') return line;
  const screenshots = new Map<LookWidth, Uint8Array>();
  let from = 0;
  for (const [i, width] of LOOK_WIDTHS.entries()) {
    const size = line.sizes[i] ?? 0;
    if (size > 0) screenshots.set(width, rest.subarray(from, from + size));
    from += size;
  }
  return { state: 'looked', problems: line.problems, screenshots };
}
