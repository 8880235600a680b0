import { LOOK_WIDTHS, type LookProblem, type LookWidth } from '../../contract/looks.ts';
import { prependHeader, splitHeader } from '../../sites/source/build.ts';

/** The site that a browser opens, as its visitors get it. */
export interface LookInput {
  /** The files to open; if the project is built, the built ones with their source maps. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Path of the page; an empty string if there is none. */
  readonly entry: string;
}

/** The findings and pictures of a browser. */
export interface Look {
  readonly state: 'looked';
  readonly problems: readonly LookProblem[];
  /** Present if the time was over before the look was: there may be other problems. */
  readonly isPartial?: true;
  /** PNG images. One is absent if the page could not be pictured. */
  readonly screenshots: ReadonlyMap<LookWidth, Uint8Array>;
}

/** Why nobody looked: `skipped` if the stage does not, `failed` if the browser could not. Neither says anything about the page. */
export interface NoLook {
  readonly state: 'skipped' | 'failed';
  readonly reason: string;
}

/** The reason of a look that failed because no browser was free: another one can succeed later. */
export const BROWSERS_BUSY = 'Too many browsers are running';

/** Has a browser look at sites. */
export interface Looker {
  /** Why no site is looked at, as a sentence; undefined if sites are. */
  readonly skipped?: string | undefined;
  /**
   * Returns what a browser sees of a site: of an earlier look at an equal site for the same tenant, or of a new one. It never
   * throws for what the site does, nor if the browser is unavailable.
   * @param tenant as `Builder.build` has it
   */
  look(tenant: string, input: LookInput): Promise<Look | NoLook>;
}

/** The longest that a look takes, with the wait for a free browser and the calls of storage: `LambdaLooker` gives up then. */
export const LOOK_SECONDS = 80;

const LINE_FEED = 0x0a;

/** The first line of a stored look: what was found, and the sizes of the pictures that follow, in the order of `LOOK_WIDTHS`. */
type Line = NoLook | (Omit<Look, 'screenshots'> & { readonly sizes: readonly number[] });

/** Returns a look as the bytes of an object: one line of JSON, then its pictures. */
export function packLook(look: Look | NoLook): Uint8Array {
  if (look.state !== 'looked') return prependHeader(look, new Uint8Array());
  const { screenshots, ...found } = look;
  const pictures = LOOK_WIDTHS.map((width) => screenshots.get(width) ?? new Uint8Array());
  const line: Line = { ...found, sizes: pictures.map(({ length }) => length) };
  return prependHeader(line, Buffer.concat(pictures));
}

/** The first line of a stored look, with the widths of the pictures. */
export type LookLine = NoLook | (Omit<Look, 'screenshots'> & { readonly widths: readonly LookWidth[] });

/** Reads the first line of a stored look; undefined if the bytes, the first ones of it, do not have all of it. */
export function readLookLine(bytes: Uint8Array): LookLine | undefined {
  if (!bytes.includes(LINE_FEED)) return undefined;
  const line = splitHeader(bytes).header as Line;
  if (line.state !== 'looked') return line;
  const { sizes, ...found } = line;
  return { ...found, widths: LOOK_WIDTHS.filter((_, i) => (sizes[i] ?? 0) > 0) };
}

/** Reverts `packLook`. The pictures are views of the bytes. */
export function readLook(stored: Uint8Array): Look | NoLook {
  const { header, rest } = splitHeader(stored);
  const line = header as Line;
  if (line.state !== 'looked') return line;
  const { sizes, ...found } = line;
  const screenshots = new Map<LookWidth, Uint8Array>();
  let from = 0;
  for (const [i, width] of LOOK_WIDTHS.entries()) {
    const size = sizes[i] ?? 0;
    if (size > 0) screenshots.set(width, rest.subarray(from, from + size));
    from += size;
  }
  return { ...found, screenshots };
}
