/**
 * Returns whether a path matches a pattern: `*` and `?` stand for characters other than `/`, `**` also for `/`, and a
 * pattern without wildcards also for everything in the folder of that name. Takes time proportional to the product of
 * the lengths: patterns come from callers, and a regular expression could take exponential time.
 */
export function matchesPattern(path: string, pattern: string): boolean {
  const plain = pattern.replace(/^\.?\/+/, '').replace(/\/+$/, '');
  return matches(path, plain) || matches(path, `${plain}/**`);
}

function matches(path: string, pattern: string): boolean {
  // The positions of the pattern that the path so far can have reached.
  let reached = closure(new Set([0]), pattern, true);
  for (const character of path) {
    if (reached.size === 0) return false;
    const next = new Set<number>();
    for (const at of reached) {
      if (pattern[at] === '*') {
        if (character !== '/' || isDouble(pattern, at)) next.add(at);
      } else if (pattern[at] === character || (pattern[at] === '?' && character !== '/')) next.add(at + 1);
    }
    reached = closure(next, pattern, character === '/');
  }
  return reached.has(pattern.length);
}

/** Adds the positions behind wildcards that stand for nothing; at the start of a name, `**` does so with its slash. */
function closure(reached: Set<number>, pattern: string, atStart: boolean): Set<number> {
  for (const at of reached) {
    if (pattern[at] !== '*') continue;
    const behind = at + (isDouble(pattern, at) ? 2 : 1);
    reached.add(behind);
    if (atStart && behind === at + 2 && pattern[behind] === '/') reached.add(behind + 1);
  }
  return reached;
}

const isDouble = (pattern: string, at: number) => pattern[at + 1] === '*';
