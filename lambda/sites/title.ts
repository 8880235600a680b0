import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { ENDS_FOREIGN_CONTENT, HTML_IN_SVG } from './foreign-content.ts';

/** A title stands in the deployment's item and in every answer about it. Whole code points. */
const LONGEST = /^.{0,300}/u;

/** Elements whose `<title>` is not the page's, each with those in it that matter. A foreignObject holds HTML again. */
const CONTEXTS: ReadonlyMap<string | undefined, readonly string[]> = new Map([
  ['svg', ['svg', ...HTML_IN_SVG]],
  ['math', ['math']],
  ['template', ['template']],
  ['noscript', []],
]);
const IN_HTML = [...CONTEXTS.keys()];
const FOREIGN: ReadonlySet<string | undefined> = new Set(['svg', 'math']);

const ignore = () => {};
const IGNORED = {
  onattribname: ignore,
  onattribdata: ignore,
  onattribentity: ignore,
  onattribend: ignore,
  oncdata: ignore,
  oncomment: ignore,
  ondeclaration: ignore,
  onprocessinginstruction: ignore,
  onend: ignore,
};

/**
 * The text of a page's first `<title>` element as a browser with scripts finds it (HTML Standard, 13.2.6): none that
 * is in a comment, a script, a template, a `<noscript>` or a drawing. Entities are decoded, white space is folded,
 * and 300 characters are kept; undefined when there is no such element or it is empty. Reading ends with the title.
 */
export function titleOf(html: string): string | undefined {
  // Most pages that are read to the end have none; to search one takes a fortieth of reading it.
  if (!/<title/i.test(html)) return undefined;
  const text = readTitle(html).replace(/\s+/g, ' ').trim();
  return LONGEST.exec(text)?.[0].trimEnd() || undefined;
}

/** By htmlparser2's tokenizer: its parser takes the square of the time for elements that nobody closes. */
function readTitle(html: string): string {
  const contexts: string[] = [];
  let tag = '';
  let inTitle = false;
  let text = '';

  const inForeign = () => FOREIGN.has(contexts.at(-1));
  const readTag = (start: number, end: number) => {
    tag = html.slice(start, end).toLowerCase();
    if (ENDS_FOREIGN_CONTENT.has(tag)) while (inForeign()) contexts.pop();
  };
  const open = () => {
    const context = contexts.at(-1);
    if ((CONTEXTS.get(context) ?? IN_HTML).includes(tag)) contexts.push(tag);
    else if (tag === 'title') inTitle = !CONTEXTS.has(context);
  };
  const callbacks: TokenizerCallbacks = {
    ...IGNORED,
    isInForeignContext: inForeign,
    onopentagname: readTag,
    onopentagend: open,
    onselfclosingtag: () => {
      if (!inForeign() && !FOREIGN.has(tag)) open();
    },
    onclosetag: (start, end) => {
      readTag(start, end);
      if (inTitle) tokenizer.pause();
      else if (contexts.at(-1) === tag) contexts.pop();
    },
    ontext: (start, end) => {
      if (inTitle) text += html.slice(start, end);
    },
    ontextentity: (point) => {
      if (inTitle) text += String.fromCodePoint(point);
    },
  };
  const tokenizer = new Tokenizer({}, callbacks);
  tokenizer.write(html);
  tokenizer.end();
  return text;
}
