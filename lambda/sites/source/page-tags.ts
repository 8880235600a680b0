import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import type { Span } from '../references/root-reference.ts';

/** An attribute of a tag. */
export interface PageAttribute extends Span {
  /** With decoded character references. The span is that of its name and value in the page. */
  readonly value: string;
}

/** A tag of a page. `html.slice(start, end)` is the tag, or the whole element of a script. */
export interface PageTag extends Span {
  /** In lower case. */
  readonly name: string;
  /** By name in lower case; the first one of two counts. */
  readonly attributes: ReadonlyMap<string, PageAttribute>;
  /** The text of a script; empty for other elements. */
  readonly text: string;
}

/** Returns the tags of a page that have attributes, its scripts, and the end tags `/head` and `/body`, in order. Takes linear time. */
export function pageTags(html: string): readonly PageTag[] {
  const reader = new TagReader(html);
  // The library's parser takes quadratic time in the depth of a document; its tokenizer does not.
  const tokenizer = new Tokenizer({}, reader);
  tokenizer.write(html);
  tokenizer.end();
  return reader.tags;
}

class TagReader implements TokenizerCallbacks {
  readonly tags: PageTag[] = [];
  readonly #html: string;
  #name = '';
  #start = 0;
  #attributes = new Map<string, PageAttribute>();
  #attribute = { name: '', value: '', start: 0 };
  /** The script that is being read, and where its text begins. */
  #script: { readonly tag: PageTag; readonly text: number } | undefined;

  constructor(html: string) {
    this.#html = html;
  }

  onopentagname(start: number, end: number): void {
    this.#name = this.#html.slice(start, end).toLowerCase();
    this.#start = start - 1;
    this.#attributes = new Map();
  }

  onattribname(start: number, end: number): void {
    this.#attribute = { name: this.#html.slice(start, end).toLowerCase(), value: '', start };
  }

  onattribdata(start: number, end: number): void {
    this.#attribute.value += this.#html.slice(start, end);
  }

  onattribentity(codePoint: number): void {
    this.#attribute.value += String.fromCodePoint(codePoint);
  }

  onattribend(_quote: number, end: number): void {
    const { name, value, start } = this.#attribute;
    if (!this.#attributes.has(name)) this.#attributes.set(name, { value, start, end });
  }

  onopentagend(end: number): void {
    const tag = {
      name: this.#name,
      attributes: this.#attributes,
      text: '',
      start: this.#start,
      end: end + 1,
    };
    if (this.#name === 'script') this.#script = { tag, text: end + 1 };
    else if (this.#attributes.size > 0) this.tags.push(tag);
  }

  onselfclosingtag(end: number): void {
    this.onopentagend(end);
  }

  onclosetag(start: number, end: number): void {
    const name = this.#html.slice(start, end).toLowerCase();
    const close = this.#html.indexOf('>', end) + 1 || this.#html.length;
    if (this.#script && name === 'script') {
      const { tag, text } = this.#script;
      this.tags.push({ ...tag, text: this.#html.slice(text, start - 2), end: close });
      this.#script = undefined;
    } else if (name === 'head' || name === 'body') {
      this.tags.push({ name: `/${name}`, attributes: new Map(), text: '', start: start - 2, end: close });
    }
  }

  isInForeignContext(): boolean {
    return false;
  }

  ontext(): void {}
  oncdata(): void {}
  ontextentity(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}
}
