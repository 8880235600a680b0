const OPEN = new Set(['(', '[', '{', '<']);
const CLOSE = new Set([')', ']', '}', '>']);

/**
 * Reports if a text has more brackets open at a time than a parser in native code can follow: it would overflow its
 * stack, which ends the process. Counts those in strings and comments as well, so `limit` must be far above what people
 * write.
 */
export function isNestedTooDeeply(text: string, limit: number): boolean {
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (OPEN.has(character)) {
      depth += 1;
      if (depth > limit) return true;
    } else if (CLOSE.has(character) && text.charAt(index - 1) !== '=') {
      depth = Math.max(0, depth - 1);
    }
  }
  return false;
}
