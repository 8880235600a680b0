import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { ENDS_FOREIGN_CONTENT, HTML_IN_SVG } from '../foreign-content.ts';
import { importMapReferences, urlsInAttribute } from './attributes.ts';
import { readCss } from './css.ts';
import { DecodedText } from './decoded-text.ts';
import { type RootReference, rootReferences } from './root-reference.ts';

type Find = (text: string) => readonly RootReference[];

const inStyleSheet: Find = (css) => rootReferences(css, readCss(css).urls);

const ANOTHER_HOST = /^\s*(?:https?:|[/\\]{2})/i;

/**
 * The root-absolute references of a page, in their order: in the attributes that hold addresses, and in its style
 * sheets and import maps. None when its `<base>` is another host's, since they are then that host's.
 */
export function htmlReferences(html: string): readonly RootReference[] {
  const page = new Page(html);
  // The library's parser takes time quadratic in the depth of a document; its tokenizer does not.
  const tokenizer = new Tokenizer({}, page);
  tokenizer.write(html);
  tokenizer.end();
  return ANOTHER_HOST.test(page.base ?? '') ? [] : page.references;
}

class Page implements TokenizerCallbacks {
  readonly references: RootReference[] = [];
  base: string | undefined;
  readonly #html: string;
  /** The element whose tag is read, and its attributes; of two with one name, the first counts. */
  #element = '';
  #attributes = new Map<string, DecodedText>();
  #name = '';
  #value = new DecodedText();
  /** Where an entity may follow at once in the value that is read; undefined right after another one. */
  #valueEnd: number | undefined;
  /** The style sheet or import map that is open. */
  #open: { readonly text: DecodedText; readonly find: Find } | undefined;
  /** The open elements at which HTML turned into SVG, and back. */
  readonly #namespaces: string[] = [];

  constructor(html: string) {
    this.#html = html;
  }

  /** In foreign content, `<style>`, `<title>` and their like hold markup. */
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
    // A slash closes nothing in HTML, but everything in SVG.
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
    // It closes what was left open right inside of it, too.
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
      if (find) this.#add(value, (text) => rootReferences(text, find(text)));
    }
  }

  #openText(): void {
    const type = () => this.#attributes.get('type')?.text.trim().toLowerCase();
    if (this.#element === 'style') this.#open = { text: new DecodedText(), find: inStyleSheet };
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
