import { posix } from 'node:path';

const MOST_BRACES = 64;
const LONGEST = 500;

/**
 * Returns whether a path matches a pattern, as Vite's globs do: `*` and `?` within a name, `**` for any folders,
 * `{a,b}`, `{1..3}`, `[abc]`. Names that begin with a dot match patterns that do. The work is bounded by the product of the
 * lengths.
 * @param pattern without a leading slash, as the paths
 * @param hidden wildcards match names that begin with a dot, and `node_modules`, as well
 */
export function globMatcher(pattern: string, hidden = false): (path: string) => boolean {
  const alternatives = expandBraces(pattern.slice(0, LONGEST).normalize('NFC')).map((each) =>
    each.replace(/^\//, '').split('/'),
  );
  const isFolders = (segment: string) => segment === '**';
  const isHidden = (name: string) => !hidden && (name.startsWith('.') || name === 'node_modules');
  const mayTake = (name: string) => !isHidden(name);
  const matches = (segment: string, name: string) =>
    (!isHidden(name) || segment.startsWith('.') || segment === name) && matchName(segment, name);
  return (path) => {
    const names = path.split('/');
    return alternatives.some((segments) => matchSequence(segments, names, isFolders, matches, mayTake));
  };
}

/**
 * Matches a sequence with wildcards that stand for any number of items, by going back to the last wildcard only: an
 * earlier one never needs to take more.
 */
function matchSequence<Part, Item>(
  parts: readonly Part[],
  items: readonly Item[],
  isWildcard: (part: Part) => boolean,
  matches: (part: Part, item: Item) => boolean,
  mayTake: (item: Item) => boolean = () => true,
): boolean {
  let part = 0;
  let item = 0;
  let lastWildcard = -1;
  let taken = 0;
  while (item < items.length) {
    const next = parts[part];
    if (next !== undefined && isWildcard(next)) {
      lastWildcard = part++;
      taken = item;
    } else if (next !== undefined && matches(next, items[item] as Item)) {
      part++;
      item++;
    } else if (lastWildcard !== -1 && mayTake(items[taken] as Item)) {
      part = lastWildcard + 1;
      item = ++taken;
    } else {
      return false;
    }
  }
  while (part < parts.length && isWildcard(parts[part] as Part)) part++;
  return part === parts.length;
}

/** Reports if a name matches a segment, such as `*.ts` or `[ab]?.tsx`. */
function matchName(segment: string, name: string): boolean {
  const parts = segment.match(/\[[^\]]*\]|\\.|./gsu) ?? [];
  return matchSequence(parts, [...name], (part) => part === '*', matchCharacter);
}

function matchCharacter(part: string, character: string): boolean {
  if (part === '?') return true;
  if (part.length > 2 && part.startsWith('[')) {
    const negated = part[1] === '!' || part[1] === '^';
    return inClass(part.slice(negated ? 2 : 1, -1), character) !== negated;
  }
  return part === character || part === `\\${character}`;
}

function inClass(members: string, character: string): boolean {
  for (let at = 0; at < members.length; at++) {
    const last = members[at + 1] === '-' ? members[at + 2] : undefined;
    if (last !== undefined && (members[at] as string) <= character && character <= last) return true;
    if (members[at] === character) return true;
  }
  return false;
}

/** `a/{b,c}` as `a/b` and `a/c`, and `{1..3}` as `{1,2,3}`: at most `MOST_BRACES` patterns. */
export function expandBraces(pattern: string): string[] {
  const done: string[] = [];
  const open = [pattern];
  while (open.length > 0 && open.length + done.length <= MOST_BRACES) {
    const next = open.pop() as string;
    const group = /\{([^{}]*,[^{}]*|\d{1,9}\.\.\d{1,9})\}/.exec(next);
    if (!group) {
      done.push(next);
      continue;
    }
    const rest = next.slice(group.index + group[0].length);
    for (const choice of choicesOf(group[1] as string)) open.push(next.slice(0, group.index) + choice + rest);
  }
  return done;
}

function choicesOf(group: string): string[] {
  const [, first, last] = /^(\d+)\.\.(\d+)$/.exec(group) ?? [];
  if (first === undefined) return group.split(',');
  const [low, high] = [Number(first), Number(last)].toSorted((a, b) => a - b) as [number, number];
  return Array.from({ length: Math.min(high - low + 1, MOST_BRACES) }, (_, index) => String(low + index));
}

/**
 * Returns a test of paths for a pattern that is relative to a folder, whose own name is no pattern: it may have brackets.
 * @param hidden as for `globMatcher`
 */
export function relativeMatcher(pattern: string, folder: string, hidden = false): (path: string) => boolean {
  const normal = posix.normalize(pattern);
  const [up = ''] = /^(?:\.\.\/)*/.exec(normal) ?? [];
  const start = posix.join('/', folder, up, '/').slice(1);
  const matches = globMatcher(normal.slice(up.length), hidden);
  return (path) => path.startsWith(start) && matches(path.slice(start.length));
}

/** Returns a test of paths for a pattern, relative to a folder. A pattern of a folder matches what is in it. */
export function pathMatcher(pattern: string, folder: string): (path: string) => boolean {
  const start = pattern.startsWith('/') ? '' : folder;
  const relative = pattern.replace(/^\/+/, '').replace(/\/$/, '');
  const matchers = [relative, `${relative}/**`].map((each) => relativeMatcher(each, start, true));
  return (path) => matchers.some((matches) => matches(path));
}
