const WORD = /^[\w$\u0080-\uffff]+$/;

/** Returns the variables that a script uses as if they may be null. */
export function optionalVariables(tokens: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [at, token] of tokens.entries()) {
    if (!WORD.test(token)) continue;
    const [before, after] = [tokens[at - 1] ?? '', tokens[at + 1] ?? ''];
    const compared = /^[?&|!]$/.test(after) || (after === '=' && tokens[at + 2] === '=');
    const condition = before === '(' && tokens[at - 2] === 'if' && after === ')';
    if (compared || condition || before === '!') found.add(token);
  }
  return found;
}
