import { BuildError, placeOf } from '../problems.ts';

/**
 * Without nesting, each selector has that of the rule around it in place of every `&`: in a list, and in `& + &`, its
 * length doubles with every level. Style sheets of people have a few times their length in such selectors.
 */
const MOST = { timesLength: 8, more: 500_000 };

/** Comments, texts, unquoted URLs and escapes, whose characters mean nothing; and what ends a selector. */
const TOKENS =
  /\/\*[\s\S]*?(?:\*\/|$)|"(?:\\[\s\S]|[^"\\])*(?:"|$)|'(?:\\[\s\S]|[^'\\])*(?:'|$)|(?<![\w-])url\(\s*[^"'\s)](?:\\[\s\S]|[^\\)])*|\\[\s\S]|[{};]/gi;

/**
 * Requires that a style sheet does not become far longer when its nested rules are flattened, before that takes the
 * memory.
 * @throws BuildError with the place of the rule that is too much
 */
export function requireShallowNesting(path: string, css: string): void {
  const most = MOST.timesLength * css.length + MOST.more;
  /** The length of the flattened selectors of each open block; 0 outside of style rules. */
  const open: number[] = [];
  let total = 0;
  let start = 0;
  for (const { 0: token, index } of css.matchAll(TOKENS)) {
    if (token !== '{' && token !== '}' && token !== ';') continue;
    if (token === '}') open.pop();
    if (token === '{') {
      const around = open.at(-1) ?? 0;
      const length = flatLength(css.slice(start, index), around);
      // What follows the block in the rule around it needs the selectors of that once more.
      if (around > 0) total += length + around;
      if (total > most) throw tooLong(path, css, index);
      open.push(length);
    }
    start = index + 1;
  }
}

/** Returns the length of a block's selectors without nesting. @param around that of the block around it */
function flatLength(prelude: string, around: number): number {
  const text = prelude.replace(/\/\*[\s\S]*?\*\//g, '').trim();
  // A rule such as @media has the selectors of the one around it.
  if (text.startsWith('@')) return around;
  return text.length + around * parentsIn(text);
}

/** Returns how often the selectors of a list name the rule around it: at least once each. */
function parentsIn(selectors: string): number {
  let [total, own, depth] = [0, 0, 0];
  for (const character of selectors) {
    if (character === '&') own += 1;
    else if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    else if (character === ',' && depth === 0) {
      total += Math.max(1, own);
      own = 0;
    }
  }
  return total + Math.max(1, own);
}

function tooLong(path: string, css: string, offset: number): BuildError {
  const message =
    'The nested selectors are too long without nesting, which multiplies those of each level: use fewer levels, or shorter lists';
  return new BuildError([{ message, ...placeOf(path, css, offset) }]);
}
