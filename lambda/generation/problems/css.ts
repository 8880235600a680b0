import type { Comment, Parts, Reference } from './parts.ts';

/** Where a comment, a string, a `url(` or an `@import` may begin. */
const INTERESTING = /\/\*|["']|\burl\(\s*|@import\s+(?=["'])/gi;

/** What a style sheet refers to, by `url()` and `@import`, outside of comments and other strings. */
export function readCss(css: string): Parts {
  const references: Reference[] = [];
  const comments: Comment[] = [];
  const refer = (specifier: string) =>
    references.push({ specifier: specifier.replace(/\\(.)/g, '$1'), use: 'resource' });
  const interesting = new RegExp(INTERESTING);
  for (let match = interesting.exec(css); match !== null; match = interesting.exec(css)) {
    const start = match.index + match[0].length;
    if (match[0] === '/*') {
      interesting.lastIndex = endOf(css, '*/', start);
      comments.push({ text: css.slice(match.index, interesting.lastIndex), index: match.index });
    } else if (match[0].length === 1) interesting.lastIndex = stringEnd(css, match.index);
    else if (/["']/.test(css.charAt(start))) {
      interesting.lastIndex = stringEnd(css, start);
      if (css.charAt(interesting.lastIndex - 1) === css.charAt(start))
        refer(css.slice(start + 1, interesting.lastIndex - 1));
    } else {
      interesting.lastIndex = endOf(css, ')', start);
      refer(css.slice(start, interesting.lastIndex - 1).trim());
    }
  }
  return { references, comments };
}

function endOf(css: string, mark: string, from: number): number {
  const at = css.indexOf(mark, from);
  return at === -1 ? css.length : at + mark.length;
}

/** The place behind the string that begins here; one that is not closed ends with its line. */
function stringEnd(css: string, start: number): number {
  const quote = css.charAt(start);
  for (let at = start + 1; at < css.length; at++) {
    const character = css.charAt(at);
    if (character === quote || character === '\n') return at + 1;
    if (character === '\\') at++;
  }
  return css.length;
}
