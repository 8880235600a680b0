/** The parts of a path that a pattern captured, decoded, by name; that of the asterisk is `splat`. */
export type Captures = ReadonlyMap<string, string>;

/** A path pattern of `_redirects` or `_headers`. */
export interface Pattern {
  /** Literal text and the names of placeholders, alternating; the text comes first and last. */
  readonly start: readonly string[];
  /** The text after the asterisk; undefined without one. */
  readonly end: string | undefined;
  /** Whether the asterisk is the beginning of a segment: `/news/*` also matches `/news`. */
  readonly standalone: boolean;
}

/** More than any route has: each is looked for in the path of a request, once for each rule. */
const MOST_PLACEHOLDERS = 10;
const PLACEHOLDER = /(?<=\/):([a-z]\w*)(?=\/|$)/i;

/**
 * Returns the pattern of a path, or undefined if it is none: it begins with a slash and may contain placeholders, each a
 * segment (`/:year/:slug`, at most 10), and one asterisk, which matches anything (`/news/*`, `/*.css`). Text is percent-decoded.
 * A slash at the end makes no difference.
 */
export function pathPattern(path: string): Pattern | undefined {
  const decoded = decode(path);
  const [before = '', after, another] = decoded.split('*');
  if (!decoded.startsWith('/') || another !== undefined) return undefined;
  const standalone = after !== undefined && before.endsWith('/');
  const start = (after === undefined ? trimSlashes(before) : before.slice(0, standalone ? -1 : undefined)).split(
    PLACEHOLDER,
  );
  if (start.length > 2 * MOST_PLACEHOLDERS + 1) return undefined;
  if (after === undefined) return { start, end: undefined, standalone };
  return PLACEHOLDER.test(after) ? undefined : { start, end: trimSlashes(after), standalone };
}

/** Matches a decoded path that begins with a slash, in linear time. @returns undefined if it does not match */
export function match({ start, end, standalone }: Pattern, whole: string): Captures | undefined {
  const path = trimSlashes(whole);
  if (!path.startsWith(start[0] ?? '')) return undefined;
  const captures = new Map<string, string>();
  let at = 0;
  for (const [i, part] of start.entries()) {
    if (i % 2 === 0) {
      if (!path.startsWith(part, at)) return undefined;
      at += part.length;
      continue;
    }
    const slash = path.indexOf('/', at);
    const next = slash === -1 ? path.length : slash;
    if (next === at) return undefined;
    captures.set(part, path.slice(at, next));
    at = next;
  }
  if (end === undefined) return at === path.length ? captures : undefined;
  const rest = path.slice(at);
  if (!rest.endsWith(end) || (standalone && rest !== '' && !rest.startsWith('/'))) return undefined;
  // At the end, the splat keeps the slash.
  const splat = end === '' ? whole.slice(at) : rest.slice(0, rest.length - end.length);
  return captures.set('splat', standalone ? splat.replace(/^\//, '') : splat);
}

/** Returns a path without slashes at its end; the root becomes empty. */
export function trimSlashes(path: string): string {
  let end = path.length;
  while (path.charAt(end - 1) === '/') end--;
  return path.slice(0, end);
}

/** Decodes a path. One with malformed escapes stays as it is, and so matches nothing. */
export function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Bounds the work per request. A control file may have more lines; only these count. */
const MAX_LINES = 1_000;
/** A longer line is ignored; a content security policy fits. */
const MAX_CHARACTERS = 2_000;

/** A line of a control file. */
interface RuleLine {
  /** From 1. */
  readonly number: number;
  /** Without white space around it. */
  readonly text: string;
}

/** Gets a line that does not count, and why, as a clause. */
export type Ignore = (line: RuleLine, reason: string) => void;

/** Returns the lines of a control file that count: no comments, no blank lines, none beyond the limits. */
export function ruleLines(file: Uint8Array | undefined, ignore: Ignore): RuleLine[] {
  if (file === undefined) return [];
  const lines = new TextDecoder()
    .decode(file)
    .split('\n')
    .map((whole, index) => ({ number: index + 1, text: whole.trim(), length: whole.length }))
    .filter(({ text }) => text !== '' && !text.startsWith('#'));
  const [over] = lines.slice(MAX_LINES);
  if (over) ignore(over, `there are more than ${MAX_LINES} lines`);
  return lines.slice(0, MAX_LINES).filter((line) => {
    const fits = line.length <= MAX_CHARACTERS;
    if (!fits) ignore(line, `it has more than ${MAX_CHARACTERS} characters`);
    return fits;
  });
}
