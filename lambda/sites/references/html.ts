import { DecodedText, ElementReader } from '../html-reader.ts';
import { type RootReference, readCss, rootReference, rootReferences } from './css.ts';
import type { Span } from './css-tokens.ts';

/**
 * Returns a page or a style sheet with `base` before each root-absolute reference (`/app.js`) to a path of the site.
 * Nothing else changes; without such a reference, returns the same string. Never throws, and takes linear time.
 *
 * @param base where the site is served, with a slash at both ends: `/d/<id>/`
 * @param exists returns whether the site has a path: relative to its root, percent-decoded, without query and
 * fragment; `''` is the root itself
 */
export function rewriteReferences(
  kind: 'html' | 'css',
  text: string,
  base: string,
  exists: (path: string) => boolean,
): string {
  const references = kind === 'html' ? htmlReferences(text) : rootReferences(text, readCss(text).urls);
  const prefix = base.slice(0, -1);
  let rewritten = '';
  let end = 0;
  for (const { at, path } of references) {
    if (!exists(path)) continue;
    rewritten += text.slice(end, at) + prefix;
    end = at;
  }
  return end === 0 ? text : rewritten + text.slice(end);
}

type Find = (text: string) => readonly RootReference[];

/** Finds references among the URLs of a text. */
type Select = (text: string, urls: readonly Span[]) => readonly RootReference[];

/** Every URL as the source has it, in place of a path. */
const everyUrl: Select = (text, urls) => urls.map(({ start, end }) => ({ at: start, path: text.slice(start, end) }));

const ANOTHER_HOST = /^\s*(?:https?:|[/\\]{2})/i;

/**
 * Returns the root-absolute references of a page, in order: those in attributes, style sheets and import maps. Returns
 * none if its `<base>` names another host, because they then refer to that host.
 */
function htmlReferences(html: string): readonly RootReference[] {
  const page = new Page(html, rootReferences).read();
  return ANOTHER_HOST.test(page.base ?? '') ? [] : page.references;
}

/** Returns the URLs of a page, except those in its import maps that are not root-absolute, and the URL of its `<base>`. */
export function htmlUrls(html: string): { readonly base: string | undefined; readonly urls: string[] } {
  const { base, references } = new Page(html, everyUrl).read();
  return { base, urls: references.map(({ path }) => path).filter((url) => url !== base) };
}

class Page extends ElementReader {
  readonly references: RootReference[] = [];
  base: string | undefined;
  readonly #select: Select;
  /** The style sheet or import map that is being read. */
  #open: { readonly text: DecodedText; readonly find: Find } | undefined;

  constructor(html: string, select: Select) {
    super(html);
    this.#select = select;
  }

  override onopentagname(start: number, end: number): void {
    this.#closeText();
    super.onopentagname(start, end);
  }

  protected override opened(closed: boolean): void {
    this.#addAttributes();
    if (!closed) this.#openText();
  }

  override ontext(start: number, end: number): void {
    this.#open?.text.add(this.html.slice(start, end), start);
  }

  override ontextentity(codePoint: number): void {
    this.#open?.text.add(String.fromCodePoint(codePoint), undefined);
  }

  protected override closed(): void {
    this.#closeText();
  }

  override onend(): void {
    this.#closeText();
  }

  #addAttributes(): void {
    const attribute = (name: string) => this.attributes.get(name)?.value ?? '';
    if (this.element === 'base') this.base ??= this.attributes.get('href')?.value;
    for (const [name, value] of this.attributes) {
      const find = urlsInAttribute(this.element, name, attribute);
      if (find) this.#add(value, (text) => this.#select(text, find(text)));
    }
  }

  #openText(): void {
    const type = () => this.attributes.get('type')?.value.trim().toLowerCase();
    if (this.element === 'style')
      this.#open = { text: new DecodedText(), find: (css) => this.#select(css, readCss(css).urls) };
    else if (this.element === 'script' && type() === 'importmap')
      this.#open = { text: new DecodedText(), find: importMapReferences };
  }

  #closeText(): void {
    if (this.#open) this.#add(this.#open.text, this.#open.find);
    this.#open = undefined;
  }

  #add(decoded: DecodedText, find: Find): void {
    for (const reference of decoded.inSource(find(decoded.value))) this.references.push(reference);
  }
}

/** Returns the positions of the URLs in a decoded text, in order. */
type FindUrls = (text: string) => readonly Span[];

/**
 * The attributes for which the HTML Standard lists a URL, a srcset or CSS. The name alone decides, because custom
 * elements and SVG use the same names with the same meaning.
 */
const FIND: ReadonlyMap<string, FindUrls> = new Map([
  ...['action', 'background', 'cite', 'formaction', 'href', 'poster', 'src', 'xlink:href'].map(
    (name): [string, FindUrls] => [name, wholeText],
  ),
  ['srcset', srcsetUrls],
  ['imagesrcset', srcsetUrls],
  ['style', (css: string) => readCss(css).urls],
]);

/**
 * The `<meta>` names and properties whose content is a URL of the site (https://ogp.me, X's cards, Windows tiles). Most of
 * their readers resolve a path against the page's URL. It does not become an absolute URL: the response would depend on the
 * host that it was requested from, which the edge's cache key does not contain.
 */
const META_URL =
  /^(?:og:(?:url|(?:image|video|audio)(?::(?:secure_)?url)?)|twitter:(?:image(?::src)?|player(?::stream)?)|msapplication-(?:tileimage|square\d+x\d+logo|config))$/i;

/**
 * Returns the function that finds the URLs in an attribute, or undefined if the attribute has none.
 * @param attribute returns the value of another attribute of the element
 */
export function urlsInAttribute(
  element: string,
  name: string,
  attribute: (name: string) => string,
): FindUrls | undefined {
  if (element === 'object' && name === 'data') return wholeText;
  if (element === 'meta' && name === 'content') {
    if (attribute('http-equiv').toLowerCase() === 'refresh') return refreshUrl;
    return [attribute('property'), attribute('name')].some((key) => META_URL.test(key.trim())) ? wholeText : undefined;
  }
  return FIND.get(name);
}

function wholeText(url: string): Span[] {
  return [{ start: 0, end: url.length }];
}

/** HTML, "parse a srcset attribute": a URL may contain commas but not end with one; parentheses hide commas. */
function srcsetUrls(srcset: string): Span[] {
  const urls: Span[] = [];
  const candidates = /[^\t\n\f\r ,][^\t\n\f\r ]*/g;
  for (let match = candidates.exec(srcset); match !== null; match = candidates.exec(srcset)) {
    let end = candidates.lastIndex;
    if (match[0].endsWith(',')) while (srcset.charAt(end - 1) === ',') end--;
    else candidates.lastIndex = endOfDescriptors(srcset, end);
    urls.push({ start: match.index, end });
  }
  return urls;
}

function endOfDescriptors(srcset: string, start: number): number {
  const marks = /,|\([^)]*/g;
  marks.lastIndex = start;
  for (let match = marks.exec(srcset); match !== null; match = marks.exec(srcset)) {
    if (match[0] === ',') return marks.lastIndex;
  }
  return srcset.length;
}

const REFRESH =
  /^[\t\n\f\r ]*[\d.]+(?=[\t\n\f\r ;,])[\t\n\f\r ]*[;,]?[\t\n\f\r ]*(?:url[\t\n\f\r ]*=[\t\n\f\r ]*)?(["']?)/i;

/** HTML, "shared declarative refresh steps": `5; url=/x`, where `url=` and quotes are optional. */
function refreshUrl(content: string): Span[] {
  const [before, quote = ''] = REFRESH.exec(content) ?? [];
  if (before === undefined) return [];
  const end = quote === '' ? -1 : content.indexOf(quote, before.length);
  return [{ start: before.length, end: end === -1 ? content.length : end }];
}

/** Returns the root-absolute string values of an import map; browsers ignore a map that is not valid JSON. */
function importMapReferences(json: string): RootReference[] {
  if (!isJson(json)) return [];
  const references: RootReference[] = [];
  for (const { 1: string = '', 2: colon, index } of json.matchAll(/("[^"\\]*(?:\\.[^"\\]*)*")\s*(:?)/g)) {
    if (colon) continue;
    const reference = rootReference(JSON.parse(string));
    // With leading white space it is not a URL but a bare specifier, which maps to nothing.
    if (reference?.at === 0) references.push({ ...reference, at: index + 1 });
  }
  return references;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
