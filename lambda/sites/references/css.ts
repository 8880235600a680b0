import { type RootReference, rootReference } from './root-reference.ts';

/** The tokens that matter: a comment, a string, a name or the start of a function, a bracket, the end of a rule. */
const TOKEN = /\/\*|["']|[#@]?(?:[-\w\u0080-\uffff]+|\\[^\n\r\f])+\(?|[()[\]{};]/g;
const STRING_BODY = {
  '"': /(?:[^"\\\n\r\f]+|\\(?:\r\n|.))*/sy,
  "'": /(?:[^'\\\n\r\f]+|\\(?:\r\n|.))*/sy,
};
const WHITE_SPACE = /[ \t\n\r\f]*/y;
const URL_BODY = /(?:[^)\\]+|\\.)*/sy;
/** In these functions a string is an address. */
const TAKES_ADDRESS = new Set(['url(', 'image-set(', '-webkit-image-set(']);
const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/**
 * The root-absolute references of a style sheet, or of the declarations in a `style` attribute, in their order:
 * `url()`, `@import` and `image-set()`, told apart from comments and other strings as in CSS Syntax Level 3,
 * section 4. One whose path is written with escapes is left out.
 */
export function cssReferences(css: string): RootReference[] {
  const references: RootReference[] = [];
  const refer = (start: number, end: number) => {
    const reference = rootReference(css, start, end);
    if (reference) references.push(reference);
  };
  /** The blocks that are open, each as the token that opened it. */
  const blocks: string[] = [];
  let afterImport = false;
  const tokens = new RegExp(TOKEN);
  for (let match = tokens.exec(css); match !== null; match = tokens.exec(css)) {
    const word = match[0].toLowerCase();
    const start = tokens.lastIndex;
    if (word === '/*') {
      tokens.lastIndex = endOfComment(css, start);
      continue;
    }
    if (word === '"' || word === "'") {
      const end = endOf(STRING_BODY[word], css, start);
      const closed = end === css.length || css.charAt(end) === word;
      if (closed && (afterImport || TAKES_ADDRESS.has(blocks.at(-1) ?? ''))) refer(start, end);
      tokens.lastIndex = closed ? end + 1 : end;
    } else if (word === 'url(' && !/["']/.test(css.charAt(endOf(WHITE_SPACE, css, start)))) {
      const end = endOf(URL_BODY, css, start);
      refer(start, end);
      tokens.lastIndex = end + 1;
    } else if (/[([{]$/.test(word)) blocks.push(word);
    else if (word === CLOSING[blocks.at(-1)?.at(-1) ?? '']) blocks.pop();
    afterImport = word === '@import';
  }
  return references;
}

function endOfComment(css: string, start: number): number {
  const end = css.indexOf('*/', start);
  return end === -1 ? css.length : end + 2;
}

/** Where what a sticky pattern matches at `start` ends. */
function endOf(pattern: RegExp, css: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.test(css) ? pattern.lastIndex : start;
}
