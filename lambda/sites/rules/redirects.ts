import {
  type Captures,
  decode,
  type Ignore,
  match,
  type Pattern,
  pathPattern,
  ruleLines,
  trimSlashes,
} from './pattern.ts';

/** A line of `_redirects`. */
export interface RedirectRule {
  readonly from: Pattern;
  /** Parameters that the query must have, with a value or a placeholder. */
  readonly query: readonly (readonly [name: string, value: string])[];
  /** A path of the site or, for a redirect, a URL; with placeholders. */
  readonly to: string;
  readonly status: number;
  /** Whether the rule also applies to a path that has a file. */
  readonly force: boolean;
}

/** A redirect to a URL, or the path of the site to serve with a status. */
export type Outcome =
  | { readonly status: number; readonly location: string }
  | { readonly status: number; readonly path: string };

/** 410 says that a page is gone for good (RFC 9110, 15.5.11). */
const REWRITES = new Set([200, 404, 410]);
const STATUSES = new Set([...REWRITES, 301, 302, 303, 307, 308]);
const STATUS = /^(\d{3})(!?)$/;
/** A URL whose host is fixed: a visitor must not choose where a redirect leads. */
const ELSEWHERE = /^https?:\/\/[\w.-]+(?::\d+)?(?=[/?#]|$)/i;
const REFERENCE = /:([a-z]\w*)/gi;
/** Of all rules together, which any request may have to read. */
const MOST_CHARACTERS = 100_000;

/**
 * Reads `_redirects` (https://docs.netlify.com/manage/routing/redirects/overview/): lines of
 * `from [name=value …] to [status[!]]`, with 301 as the default. A line that is invalid or not supported is ignored:
 * conditions (`Country=`, `Language=`, `Role=`), rules for a domain, and rewrites to another origin, which would make the
 * service a proxy for anything.
 * @param ignore gets each such line
 */
export function readRedirects(file: Uint8Array | undefined, ignore: Ignore = () => {}): RedirectRule[] {
  let left = MOST_CHARACTERS;
  return ruleLines(file, ignore).flatMap((line) => {
    left -= line.text.length;
    if (left < 0) {
      ignore(line, `the rules have more than ${MOST_CHARACTERS} characters`);
      return [];
    }
    const words = line.text.split(/\s+/);
    const comment = words.findIndex((word) => word.startsWith('#'));
    const rule = readRule(comment === -1 ? words : words.slice(0, comment));
    if (typeof rule !== 'string') return rule;
    ignore(line, rule);
    return [];
  });
}

/** Returns the rule of a line, or why it does not count. */
function readRule([path = '', ...words]: readonly string[]): RedirectRule | string {
  const from = pathPattern(path);
  if (from === undefined) return `${path} is not a path of the site`;
  const target = words.findIndex((word) => word.startsWith('/') || ELSEWHERE.test(word));
  const to = words[target];
  if (to === undefined) return 'it has no target';
  const query = words.slice(0, target).map((word) => {
    const [name = '', ...value] = word.split('=');
    return [decode(name), decode(value.join('='))] as const;
  });
  if (query.some((pair) => pair.includes(''))) return 'a parameter before the target has no value';
  const [option, ...conditions] = words.slice(target + 1);
  const condition = [option, ...conditions].find((word) => word?.includes('=')) ?? conditions[0];
  if (condition !== undefined) return `${condition} is not supported`;
  const [, code, mark] = STATUS.exec(option ?? '301') ?? [];
  const status = Number(code);
  if (!STATUSES.has(status)) return `the status ${option} is not supported`;
  if (!to.startsWith('/') && REWRITES.has(status))
    return 'a rewrite to another host is not supported: use a redirect, such as 302';
  return { from, query, to, status, force: mark === '!' };
}

/**
 * Returns what the first rule says that matches a request, or undefined if none does, and whether another query might
 * have a different result. A rule matches with or without a slash at the end of the path, and with further parameters. A
 * path that has a file is not redirected unless the rule is forced. A redirect to the path itself would not end, so it
 * is skipped.
 *
 * @param path decoded, relative to the site
 * @param rawQuery not decoded; passed on by a redirect, unless the rule has parameters on either side
 * @param base the path of the site on its origin, to which a target that begins with a slash is relative
 */
export function redirectOf(
  rules: readonly RedirectRule[],
  { path, rawQuery, exists }: { readonly path: string; readonly rawQuery: string; readonly exists: boolean },
  base: string,
): { readonly outcome: Outcome | undefined; readonly byQuery: boolean } {
  const whole = `/${path}`;
  const capturesOf = (rule: RedirectRule) => {
    const captures = match(rule.from, whole);
    return captures && !isLoop(rule, captures, path) ? captures : undefined;
  };
  if (exists && !rules.some((rule) => rule.force && capturesOf(rule))) return { outcome: undefined, byQuery: false };
  const parameters = new URLSearchParams(rawQuery);
  let byQuery = false;
  for (const rule of rules) {
    const captures = capturesOf(rule);
    if (captures === undefined) continue;
    byQuery ||= rule.query.length > 0;
    const all = withQuery(rule, captures, parameters);
    if (all === undefined) continue;
    const applies = rule.force || !exists;
    return { outcome: applies ? outcomeOf(rule, all, rawQuery, base) : undefined, byQuery };
  }
  return { outcome: undefined, byQuery };
}

/** Adds the captures from the query. @returns undefined if a parameter is missing or has another value */
function withQuery({ query }: RedirectRule, captures: Captures, parameters: URLSearchParams) {
  const all = new Map(captures);
  for (const [name, expected] of query) {
    const value = parameters.get(name);
    if (!value || (!expected.startsWith(':') && value !== expected)) return undefined;
    if (expected.startsWith(':')) all.set(expected.slice(1), value);
  }
  return all;
}

function outcomeOf(
  { to, status, query }: RedirectRule,
  captures: Captures,
  rawQuery: string,
  base: string,
): Outcome | undefined {
  if (REWRITES.has(status)) return { status, path: targetPath(to, captures) };
  const [, host = '', path = '', ownQuery, fragment = ''] =
    /^(https?:\/\/[^/?#]*)?([^?#]*)(?:\?([^#]*))?(#.*)?$/i.exec(to) ?? [];
  // More than one slash at the start, from a splat for example, would be the name of another host.
  const prefix = host === '' ? base : `${host}/`;
  const location = prefix + fillCaptures(path, captures, segments).replace(/^\/+/, '');
  // Dot segments that a visitor sent must not lead to another site.
  if (host === '' && !new URL(location, 'http://site').pathname.startsWith(base)) return undefined;
  const passedOn = query.length > 0 ? '' : encodeUnsafe(rawQuery);
  const search = ownQuery === undefined ? passedOn : fillCaptures(ownQuery, captures, encodeURIComponent);
  return {
    status,
    location: location + (search && `?${search}`) + fillCaptures(fragment, captures, segments),
  };
}

/** Returns the decoded path of the site that a target names. */
function targetPath(to: string, captures: Captures): string {
  const [path = ''] = to.split(/[?#]/, 1);
  return decode(path)
    .replace(REFERENCE, (text, name) => captures.get(name) ?? text)
    .replace(/^\/+/, '');
}

function isLoop({ to, status, query }: RedirectRule, captures: Captures, path: string): boolean {
  if (REWRITES.has(status) || query.length > 0 || !to.startsWith('/')) return false;
  return trimSlashes(targetPath(to, captures)) === trimSlashes(path.replace(/^\/+/, ''));
}

/** Fills in the placeholders of a part of a URL. Whatever the file and the visitor sent, the result is part of a URL. */
function fillCaptures(part: string, captures: Captures, encode: (value: string) => string): string {
  const value = (text: string, name: string) => {
    const captured = captures.get(name);
    return captured === undefined ? text : encode(captured.toWellFormed());
  };
  return encodeUnsafe(part).replace(REFERENCE, value);
}

function segments(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

/** Encodes the characters that a URL or a header cannot have; `%` is one that has been encoded already. */
function encodeUnsafe(text: string): string {
  return text.toWellFormed().replace(/[^\x21-\x7e]|["<>\\^`{|}]/gu, encodeURIComponent);
}
