import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';

/** SVG elements whose content is HTML. */
export const HTML_IN_SVG: ReadonlySet<string> = new Set(['foreignobject', 'desc', 'title']);

/** HTML elements whose start tag closes open SVG and MathML elements (HTML Standard, 13.2.6.5). */
export const ENDS_FOREIGN_CONTENT: ReadonlySet<string> = new Set(
  (
    'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu ' +
    'meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var'
  ).split(' '),
);

/**
 * Reads the tokens of a page in linear time. A subclass overrides the callbacks that it needs. The library's own parser takes
 * quadratic time in the depth of a document; its tokenizer does not.
 */
export abstract class TokenReader implements TokenizerCallbacks {
  protected readonly html: string;
  protected readonly tokenizer: Tokenizer = new Tokenizer({}, this);

  constructor(html: string) {
    this.html = html;
  }

  read(): this {
    this.tokenizer.write(this.html);
    this.tokenizer.end();
    return this;
  }

  /** Returns a part of the page in lower case: the name of an element or an attribute. */
  protected nameAt(start: number, end: number): string {
    return this.html.slice(start, end).toLowerCase();
  }

  isInForeignContext(): boolean {
    return false;
  }

  onopentagname(_start: number, _end: number): void {}
  onattribname(_start: number, _end: number): void {}
  onattribdata(_start: number, _end: number): void {}
  onattribentity(_codePoint: number): void {}
  onattribend(_quote: unknown, _end: number): void {}
  onopentagend(_end: number): void {}
  onselfclosingtag(_end: number): void {}
  onclosetag(_start: number, _end: number): void {}
  ontext(_start: number, _end: number): void {}
  ontextentity(_codePoint: number): void {}
  oncdata(_start: number, _end: number, _endOffset: number): void {}
  oncomment(_start: number, _end: number): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}
}

/** A text of a page, such as the value of an attribute, with decoded character references: maps positions back to the source. */
export class DecodedText {
  value = '';
  /** Where the attribute is in the page: its name and its value. */
  readonly start: number;
  end: number;
  readonly #parts: { readonly start: number; readonly position: number | undefined }[] = [];

  constructor(start = 0) {
    this.start = start;
    this.end = start;
  }

  /** @param position the offset of the part in the source, or undefined if it is unknown */
  add(part: string, position: number | undefined): void {
    this.#parts.push({ start: this.value.length, position });
    this.value += part;
  }

  /** Maps references in the text, given in order, to the source; omits those whose position is unknown. */
  inSource<Reference extends { readonly at: number }>(references: readonly Reference[]): Reference[] {
    let next = 0;
    return references.flatMap((reference) => {
      while ((this.#parts[next]?.start ?? Number.POSITIVE_INFINITY) <= reference.at) next++;
      const { start = 0, position } = this.#parts[next - 1] ?? {};
      return position === undefined ? [] : [{ ...reference, at: position + reference.at - start }];
    });
  }
}

/** Reads the tags of a page with their attributes. */
export abstract class TagReader extends TokenReader {
  /** The element whose tag is being read. */
  protected element = '';
  /** Its attributes by name in lower case; the first of two with the same name counts. */
  protected attributes = new Map<string, DecodedText>();
  #attribute = { name: '', value: new DecodedText() };
  /** Where an entity in the value would start; undefined after an entity, whose length in the source is unknown. */
  #behind: number | undefined;

  override onopentagname(start: number, end: number): void {
    this.element = this.nameAt(start, end);
    this.attributes = new Map();
  }

  override onattribname(start: number, end: number): void {
    this.#attribute = { name: this.nameAt(start, end), value: new DecodedText(start) };
    this.#behind = end;
  }

  override onattribdata(start: number, end: number): void {
    this.#attribute.value.add(this.html.slice(start, end), start);
    this.#behind = end;
  }

  override onattribentity(codePoint: number): void {
    const position = this.#behind === undefined ? undefined : this.html.indexOf('&', this.#behind);
    this.#attribute.value.add(String.fromCodePoint(codePoint), position);
    this.#behind = undefined;
  }

  override onattribend(_quote: unknown, end: number): void {
    const { name, value } = this.#attribute;
    value.end = end;
    if (!this.attributes.has(name)) this.attributes.set(name, value);
  }
}

/** Reads the elements and the text of a page as browsers do, with the HTML parts of an SVG and the SVG parts of a page. */
export abstract class ElementReader extends TagReader {
  /** The open elements that switch from HTML to SVG, and back. */
  readonly #namespaces: string[] = [];

  /** Called at the end of a start tag. @param closed whether the element has no content */
  protected abstract opened(closed: boolean): void;

  /** Called for each end tag. */
  protected abstract closed(element: string): void;

  /** In foreign content, `<style>`, `<title>` and similar elements contain markup. */
  override isInForeignContext(): boolean {
    return this.#namespaces.at(-1) === 'svg';
  }

  override onopentagname(start: number, end: number): void {
    super.onopentagname(start, end);
    while (this.isInForeignContext() && ENDS_FOREIGN_CONTENT.has(this.element)) this.#namespaces.pop();
  }

  override onopentagend(): void {
    this.opened(false);
    if (this.element === 'svg' || (this.isInForeignContext() && HTML_IN_SVG.has(this.element)))
      this.#namespaces.push(this.element);
  }

  override onselfclosingtag(): void {
    // HTML ignores the slash; in SVG it closes the element.
    if (this.element === 'svg' || this.isInForeignContext()) this.opened(true);
    else this.onopentagend();
  }

  override oncdata(start: number, end: number, endOffset: number): void {
    this.ontext(start, end - endOffset);
  }

  override onclosetag(start: number, end: number): void {
    const name = this.nameAt(start, end);
    this.closed(name);
    // `</svg>` also closes an HTML part that was left open inside.
    if (name === 'svg' && !this.isInForeignContext()) this.#namespaces.pop();
    if (name === this.#namespaces.at(-1)) this.#namespaces.pop();
  }
}
