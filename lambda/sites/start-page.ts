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

/** Sources that browsers do not run, as a module script of the site's own host. */
const SOURCE = /^(?!https?:|[/\\]{2}).*\.(jsx|tsx|ts|mts|vue|svelte)(?:[?#]|$)/i;

const ADVICE = "run the project's build and deploy its output folder, such as dist";

/**
 * Returns a sentence, in ASCII, about a deployment that seems to be the source of a project instead of its build, or
 * undefined. It says what visitors see and what to do.
 *
 * @param entry the path of the page that visitors see first; `''` without one
 */
export function buildWarning(
  files: readonly Pick<SiteFile, 'path' | 'content'>[],
  entry: string,
): string | undefined {
  if (entry === '')
    return files.some(({ path }) => /(?:^|\/)package\.json$/.test(path))
      ? `Visitors see a list of files, because there is a package.json but no HTML page: ${ADVICE}`
      : undefined;
  const content = files.find(({ path }) => path === entry)?.content ?? '';
  const extension = sourceExtension(decodeHtml(content));
  if (extension === undefined) return undefined;
  return `Visitors see an empty page, because the start page loads a .${extension} module, which browsers do not run: ${ADVICE}`;
}

/**
 * Returns the extension of the first module script that is a source, such as `tsx`. Only a warning depends on it, so it need
 * not read HTML as browsers do.
 */
function sourceExtension(html: string): string | undefined {
  const markup = html.replace(/<!--.*?(?:-->|$)/gs, '');
  for (const [, attributes = ''] of markup.matchAll(/<script\b([^<>]*)>/gi)) {
    const source = /\bsrc\s*=\s*(?:"([^"]*)"|'([^']*)'|([^"'\s]+))/i.exec(attributes)?.slice(1).join('');
    const extension = SOURCE.exec(source?.trim() ?? '')?.[1];
    if (extension && /\btype\s*=\s*["']?\s*module\b/i.test(attributes)) return extension.toLowerCase();
  }
  return undefined;
}
