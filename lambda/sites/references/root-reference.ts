/** The place of an address in a text: `text.slice(start, end)`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A reference that begins at the root of its host. */
export interface RootReference {
  /** Where its leading slash stands in the text that it was found in. */
  readonly at: number;
  /** What it names: after that slash, percent-decoded, without query and fragment. */
  readonly path: string;
}

/**
 * Reads `text[start, end)` as a URL; undefined unless it is a root-absolute path. The URL standard strips control
 * characters and spaces from both ends, drops tabs and newlines anywhere, and takes `\` for `/`: such a path may
 * well be another host's (`/\host`), and is left alone.
 */
export function rootReference(text: string, start = 0, end = text.length): RootReference | undefined {
  let at = start;
  while (at < end && isStripped(text.charCodeAt(at))) at++;
  if (at === end || text.charAt(at) !== '/') return undefined;
  let last = end;
  while (isStripped(text.charCodeAt(last - 1))) last--;
  const [path = ''] = text.slice(at + 1, last).split(/[?#]/, 1);
  if (path.startsWith('/') || /[\\\t\n\r]/.test(path)) return undefined;
  try {
    return { at, path: decodeURIComponent(path) };
  } catch {
    return undefined;
  }
}

/** Returns the root-absolute ones of the addresses at these places. */
export function rootReferences(text: string, spans: readonly Span[]): RootReference[] {
  return spans.flatMap(({ start, end }) => rootReference(text, start, end) ?? []);
}

function isStripped(code: number): boolean {
  return code <= 0x20;
}
