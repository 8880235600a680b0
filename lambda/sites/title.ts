import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import type { SiteFile } from './accept-files.ts';
import { decodeHtml } from './charset.ts';
import { byPath, isHtml } from './entry.ts';
import { ENDS_FOREIGN_CONTENT, HTML_IN_SVG } from './foreign-content.ts';

/** Limits titles, in code points: the deployment's item and all responses about it contain the title. */
const LONGEST = /^.{0,300}/u;

/** Elements whose `<title>` is not the page's, each with the elements to track inside it. A foreignObject holds HTML. */
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
 * Returns the text of a page's first `<title>` as a browser with scripts finds it (HTML Standard, 13.2.6): outside of
 * comments, scripts, templates, `<noscript>`, SVG and MathML. Entities are decoded, white space is collapsed, and 300
 * characters are kept. Returns undefined if there is no such element or it is empty. Reading ends with the title.
 */
export function titleOf(html: string): string | undefined {
  // A page without a title would be read to the end, which takes 40 times as long as this search.
  if (!/<title/i.test(html)) return undefined;
  const text = readTitle(html).replace(/\s+/g, ' ').trim();
  return LONGEST.exec(text)?.[0].trimEnd() || undefined;
}

/** Uses htmlparser2's tokenizer, because its parser takes quadratic time for unclosed elements. */
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

/** Returns the title of the entry, else of the first HTML file by path that has one, else null. */
export function siteTitle(
  files: readonly Pick<SiteFile, 'path' | 'content'>[],
  entry: string,
): string | null {
  const pages = files
    .filter(({ path }) => isHtml(path))
    .toSorted((a, b) => Number(b.path === entry) - Number(a.path === entry) || byPath(a.path, b.path));
  for (const { content } of pages) {
    const title = titleOf(decodeHtml(content));
    if (title) return title;
  }
  return null;
}
