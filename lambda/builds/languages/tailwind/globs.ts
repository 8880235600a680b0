import { posix } from 'node:path';

/** Alternatives that the braces of one pattern stand for. */
const MAX_ALTERNATIVES = 200;

/**
 * Returns a test of paths such as `src/App.tsx` for a pattern such as `./src/**` + `/*.{ts,tsx}`, relative to a folder. A pattern of a
 * folder matches what is in it. Takes time in proportion to the lengths of pattern and path: projects choose both.
 */
export function pathMatcher(pattern: string, folder: string): (path: string) => boolean {
  const alternatives = expanded(pattern).map((each) => {
    const absolute = posix.normalize(each.startsWith('/') ? each : posix.join('/', folder, each));
    return absolute.split('/').filter(Boolean);
  });
  return (path) => {
    const names = path.split('/');
    return alternatives.some((segments) => matches(segments, names));
  };
}

/** `a.{b,c}` as `a.b` and `a.c`. */
function expanded(pattern: string): string[] {
  const patterns = [pattern];
  for (let index = 0; index < patterns.length; index += 1) {
    const each = patterns[index] ?? '';
    const open = each.lastIndexOf('{');
    const close = open < 0 ? -1 : each.indexOf('}', open);
    if (close >= 0) {
      const inner = each.slice(open + 1, close).split(',');
      const replaced = inner.map((part) => each.slice(0, open) + part + each.slice(close + 1));
      patterns.splice(index, 1, ...replaced.slice(0, MAX_ALTERNATIVES));
      index -= 1;
    }
    if (patterns.length > MAX_ALTERNATIVES) {
      return patterns.slice(0, MAX_ALTERNATIVES).filter((text) => !text.includes('{'));
    }
  }
  return patterns;
}

/** Matches segments one after the other; at `**`, remembers where to go on, as for a star in a text. */
function matches(segments: readonly string[], names: readonly string[]): boolean {
  return wildcard(segments, names, '**', (segment, name) =>
    wildcard([...segment], [...name], '*', matchesCharacter),
  );
}

function matchesCharacter(pattern: string, character: string): boolean {
  return pattern === '?' || pattern === character;
}

/** Matches a list with a pattern in which `star` stands for any number of items. Goes back to the last star only. */
function wildcard(
  pattern: readonly string[],
  items: readonly string[],
  star: string,
  isMatch: (pattern: string, item: string) => boolean,
): boolean {
  let next = 0;
  let lastStar = -1;
  let resumed = 0;
  for (let index = 0; index < items.length; index += 1) {
    const part = pattern[next];
    if (part === star) {
      lastStar = next;
      resumed = index;
      next += 1;
      index -= 1;
    } else if (part !== undefined && isMatch(part, items[index] ?? '')) {
      next += 1;
    } else if (next === pattern.length && star === '**' && next > 0) {
      return true;
    } else if (lastStar >= 0) {
      next = lastStar + 1;
      index = resumed;
      resumed += 1;
    } else {
      return false;
    }
  }
  return pattern.slice(next).every((part) => part === star);
}
