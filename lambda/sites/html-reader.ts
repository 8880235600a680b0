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

/** Reads the elements and the text of a page as browsers do, with the HTML parts of an SVG and the SVG parts of a page. */
export abstract class ElementReader extends TokenReader {
  /** The element whose tag is being read, and the attribute. */
  protected element = '';
  protected attribute = '';
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
    this.element = this.nameAt(start, end);
    while (this.isInForeignContext() && ENDS_FOREIGN_CONTENT.has(this.element)) this.#namespaces.pop();
  }

  override onattribname(start: number, end: number): void {
    this.attribute = this.nameAt(start, end);
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
