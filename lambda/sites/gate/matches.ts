/** Returns the first matches of a global pattern, so that the work on a text is bounded. */
export function firstMatches(text: string, pattern: RegExp, most: number): RegExpExecArray[] {
  const matches: RegExpExecArray[] = [];
  for (const match of text.matchAll(pattern)) {
    matches.push(match);
    if (matches.length >= most) break;
  }
  return matches;
}
