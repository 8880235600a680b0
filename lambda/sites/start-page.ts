import type { SiteFile } from './accept-files.ts';
import { decodeHtml } from './charset.ts';
import { ENDS_FOREIGN_CONTENT, HTML_IN_SVG, TokenReader } from './html-reader.ts';
import { byPath, isHtml } from './paths.ts';

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

/**
 * Returns the text of a page's first `<title>` as a browser with scripts finds it (HTML Standard, 13.2.6): outside of
 * comments, scripts, templates, `<noscript>`, SVG and MathML. Entities are decoded, white space is collapsed, and 300
 * characters are kept. Returns undefined if there is no such element or it is empty. Reading ends with the title.
 */
export function titleOf(html: string): string | undefined {
  // A page without a title would be read to the end, which takes 40 times as long as this search.
  if (!/<title/i.test(html)) return undefined;
  const text = new TitleReader(html).read().title.replace(/\s+/g, ' ').trim();
  return LONGEST.exec(text)?.[0].trimEnd() || undefined;
}

class TitleReader extends TokenReader {
  title = '';
  readonly #contexts: string[] = [];
  #tag = '';
  #inTitle = false;

  override isInForeignContext(): boolean {
    return FOREIGN.has(this.#contexts.at(-1));
  }

  override onopentagname(start: number, end: number): void {
    this.#tag = this.nameAt(start, end);
    if (ENDS_FOREIGN_CONTENT.has(this.#tag)) while (this.isInForeignContext()) this.#contexts.pop();
  }

  override onopentagend(): void {
    const context = this.#contexts.at(-1);
    if ((CONTEXTS.get(context) ?? IN_HTML).includes(this.#tag)) this.#contexts.push(this.#tag);
    else if (this.#tag === 'title') this.#inTitle = !CONTEXTS.has(context);
  }

  override onselfclosingtag(): void {
    if (!this.isInForeignContext() && !FOREIGN.has(this.#tag)) this.onopentagend();
  }

  override onclosetag(start: number, end: number): void {
    this.onopentagname(start, end);
    if (this.#inTitle) this.tokenizer.pause();
    else if (this.#contexts.at(-1) === this.#tag) this.#contexts.pop();
  }

  override ontext(start: number, end: number): void {
    if (this.#inTitle) this.title += this.html.slice(start, end);
  }

  override ontextentity(codePoint: number): void {
    if (this.#inTitle) this.title += String.fromCodePoint(codePoint);
  }
}

/** Returns the title of the entry, else of the first HTML file by path that has one, else null. */
export function siteTitle(files: readonly Pick<SiteFile, 'path' | 'content'>[], entry: string): string | null {
  const pages = files
    .filter(({ path }) => isHtml(path))
    .toSorted((a, b) => Number(b.path === entry) - Number(a.path === entry) || byPath(a.path, b.path));
  for (const { content } of pages) {
    const title = titleOf(decodeHtml(content));
    if (title) return title;
  }
  return null;
}
