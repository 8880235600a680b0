import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { ENDS_FOREIGN_CONTENT, HTML_IN_SVG } from '../foreign-content.ts';
import { importMapReferences, urlsInAttribute } from './attributes.ts';
import { readCss } from './css.ts';
import { DecodedText } from './decoded-text.ts';
import { type RootReference, rootReferences, type Span } from './root-reference.ts';

type Find = (text: string) => readonly RootReference[];

/** Finds references among the URLs of a text. */
type Select = (text: string, urls: readonly Span[]) => readonly RootReference[];

/** Every URL as the source has it, in place of a path. */
const everyUrl: Select = (text, urls) =>
  urls.map(({ start, end }) => ({ at: start, path: text.slice(start, end) }));

const ANOTHER_HOST = /^\s*(?:https?:|[/\\]{2})/i;

/**
 * Returns the root-absolute references of a page, in order: those in attributes, style sheets and import maps. Returns
 * none if its `<base>` names another host, because they then refer to that host.
 */
export function htmlReferences(html: string): readonly RootReference[] {
  const page = read(html, rootReferences);
  return ANOTHER_HOST.test(page.base ?? '') ? [] : page.references;
}

/** Returns the URLs of a page, except those in its import maps that are not root-absolute, and the URL of its `<base>`. */
export function htmlUrls(html: string): { readonly base: string | undefined; readonly urls: string[] } {
  const { base, references } = read(html, everyUrl);
  return { base, urls: references.map(({ path }) => path).filter((url) => url !== base) };
}

function read(html: string, select: Select): Page {
  const page = new Page(html, select);
  // The library's parser takes quadratic time in the depth of a document; its tokenizer does not.
  const tokenizer = new Tokenizer({}, page);
  tokenizer.write(html);
  tokenizer.end();
  return page;
}

class Page implements TokenizerCallbacks {
  readonly references: RootReference[] = [];
  base: string | undefined;
  readonly #html: string;
  readonly #select: Select;
  /** The element whose tag is being read, and its attributes; the first of two with the same name counts. */
  #element = '';
  #attributes = new Map<string, DecodedText>();
  #name = '';
  #value = new DecodedText();
  /** Where an entity in the value would start; undefined after an entity, whose length in the source is unknown. */
  #valueEnd: number | undefined;
  /** The style sheet or import map that is being read. */
  #open: { readonly text: DecodedText; readonly find: Find } | undefined;
  /** The open elements that switch from HTML to SVG, and back. */
  readonly #namespaces: string[] = [];

  constructor(html: string, select: Select) {
    this.#html = html;
    this.#select = select;
  }

  /** In foreign content, `<style>`, `<title>` and similar elements contain markup. */
  isInForeignContext(): boolean {
    return this.#namespaces.at(-1) === 'svg';
  }

  onopentagname(start: number, end: number): void {
    this.#closeText();
    this.#element = this.#html.slice(start, end).toLowerCase();
    this.#attributes = new Map();
    while (this.isInForeignContext() && ENDS_FOREIGN_CONTENT.has(this.#element)) this.#namespaces.pop();
  }

  onattribname(start: number, end: number): void {
    this.#name = this.#html.slice(start, end).toLowerCase();
    this.#value = new DecodedText();
    this.#valueEnd = end;
  }

  onattribdata(start: number, end: number): void {
    this.#value.add(this.#html.slice(start, end), start);
    this.#valueEnd = end;
  }

  onattribentity(codePoint: number): void {
    const position = this.#valueEnd === undefined ? undefined : this.#html.indexOf('&', this.#valueEnd);
    this.#value.add(String.fromCodePoint(codePoint), position);
    this.#valueEnd = undefined;
  }

  onattribend(): void {
    if (!this.#attributes.has(this.#name)) this.#attributes.set(this.#name, this.#value);
  }

  onopentagend(): void {
    this.#addAttributes();
    this.#openText();
    if (this.#element === 'svg' || (this.isInForeignContext() && HTML_IN_SVG.has(this.#element)))
      this.#namespaces.push(this.#element);
  }

  onselfclosingtag(): void {
    // HTML ignores the slash; in SVG it closes the element.
    if (this.#element === 'svg' || this.isInForeignContext()) this.#addAttributes();
    else this.onopentagend();
  }

  ontext(start: number, end: number): void {
    this.#open?.text.add(this.#html.slice(start, end), start);
  }

  oncdata(start: number, end: number, endOffset: number): void {
    this.ontext(start, end - endOffset);
  }

  ontextentity(codePoint: number): void {
    this.#open?.text.add(String.fromCodePoint(codePoint), undefined);
  }

  onclosetag(start: number, end: number): void {
    this.#closeText();
    const name = this.#html.slice(start, end).toLowerCase();
    // `</svg>` also closes an HTML part that was left open inside.
    if (name === 'svg' && !this.isInForeignContext()) this.#namespaces.pop();
    if (name === this.#namespaces.at(-1)) this.#namespaces.pop();
  }

  onend(): void {
    this.#closeText();
  }

  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}

  #addAttributes(): void {
    const attribute = (name: string) => this.#attributes.get(name)?.text ?? '';
    if (this.#element === 'base') this.base ??= this.#attributes.get('href')?.text;
    for (const [name, value] of this.#attributes) {
      const find = urlsInAttribute(this.#element, name, attribute);
      if (find) this.#add(value, (text) => this.#select(text, find(text)));
    }
  }

  #openText(): void {
    const type = () => this.#attributes.get('type')?.text.trim().toLowerCase();
    if (this.#element === 'style')
      this.#open = { text: new DecodedText(), find: (css) => this.#select(css, readCss(css).urls) };
    else if (this.#element === 'script' && type() === 'importmap')
      this.#open = { text: new DecodedText(), find: importMapReferences };
  }

  #closeText(): void {
    if (this.#open) this.#add(this.#open.text, this.#open.find);
    this.#open = undefined;
  }

  #add(decoded: DecodedText, find: Find): void {
    for (const reference of decoded.inSource(find(decoded.text))) this.references.push(reference);
  }
}
