/** The position of a URL in a text: `text.slice(start, end)`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A reference that begins at the root of its host. */
export interface RootReference {
  /** The offset of its leading slash in the text. */
  readonly at: number;
  /** The path after that slash, percent-decoded, without query and fragment. */
  readonly path: string;
}

/**
 * Returns the root-absolute path at `text[start, end)`, or undefined for any other URL. The URL Standard strips control
 * characters and spaces from both ends, drops tabs and newlines anywhere, and treats `\` as `/`: a path with those may
 * belong to another host (`/\host`) and is left alone.
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

/** Returns the root-absolute ones of the URLs at these positions. */
export function rootReferences(text: string, spans: readonly Span[]): RootReference[] {
  return spans.flatMap(({ start, end }) => rootReference(text, start, end) ?? []);
}

function isStripped(code: number): boolean {
  return code <= 0x20;
}
