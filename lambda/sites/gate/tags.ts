import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { ENDS_FOREIGN_CONTENT, HTML_IN_SVG } from '../foreign-content.ts';

export type Attributes = ReadonlyMap<string, string>;

export interface TagsReader {
  open(element: string, attributes: Attributes): void;
  close(element: string): void;
  text(text: string): void;
}

/** A longer value of an attribute is cut off, except for these, which hold pages. */
const LONGEST_VALUE = 4_000;
const PAGES: ReadonlySet<string> = new Set(['srcdoc', 'src', 'href', 'data', 'content']);

/** Reads the tags and the text of a page in linear time, whatever it nests. Entities are decoded. */
export function readTags(html: string, reader: TagsReader): void {
  const tokenizer = new Tokenizer({}, new Tags(html, reader));
  tokenizer.write(html);
  tokenizer.end();
}

class Tags implements TokenizerCallbacks {
  readonly #html: string;
  readonly #reader: TagsReader;
  /** The open elements that switch from HTML to SVG, and back. */
  readonly #namespaces: string[] = [];
  #element = '';
  #attributes = new Map<string, string>();
  #name = '';
  #value: string[] = [];

  constructor(html: string, reader: TagsReader) {
    this.#html = html;
    this.#reader = reader;
  }

  isInForeignContext(): boolean {
    return this.#namespaces.at(-1) === 'svg';
  }

  onopentagname(start: number, end: number): void {
    this.#element = this.#html.slice(start, end).toLowerCase();
    this.#attributes = new Map();
    while (this.isInForeignContext() && ENDS_FOREIGN_CONTENT.has(this.#element)) this.#namespaces.pop();
  }

  onattribname(start: number, end: number): void {
    this.#name = this.#html.slice(start, end).toLowerCase();
    this.#value = [];
  }

  onattribdata(start: number, end: number): void {
    this.#value.push(this.#html.slice(start, end));
  }

  onattribentity(codePoint: number): void {
    this.#value.push(String.fromCodePoint(codePoint));
  }

  onattribend(): void {
    if (this.#attributes.has(this.#name)) return;
    const value = this.#value.join('');
    this.#attributes.set(this.#name, PAGES.has(this.#name) ? value : value.slice(0, LONGEST_VALUE));
  }

  onopentagend(): void {
    this.#reader.open(this.#element, this.#attributes);
    if (this.#element === 'svg' || (this.isInForeignContext() && HTML_IN_SVG.has(this.#element)))
      this.#namespaces.push(this.#element);
  }

  onselfclosingtag(): void {
    // HTML ignores the slash; in SVG it closes the element.
    if (this.#element === 'svg' || this.isInForeignContext()) {
      this.#reader.open(this.#element, this.#attributes);
      this.#reader.close(this.#element);
    } else this.onopentagend();
  }

  ontext(start: number, end: number): void {
    this.#reader.text(this.#html.slice(start, end));
  }

  ontextentity(codePoint: number): void {
    this.#reader.text(String.fromCodePoint(codePoint));
  }

  oncdata(start: number, end: number, endOffset: number): void {
    this.ontext(start, end - endOffset);
  }

  onclosetag(start: number, end: number): void {
    const name = this.#html.slice(start, end).toLowerCase();
    this.#reader.close(name);
    // `</svg>` also closes an HTML part that was left open inside.
    if (name === 'svg' && !this.isInForeignContext()) this.#namespaces.pop();
    if (name === this.#namespaces.at(-1)) this.#namespaces.pop();
  }

  onend(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
}
