const LINE_FEED = 10;

/** How many single-character chunks are joined at a time. */
const BUFFER_SIZE = 512;

/** Splits text that arrives in chunks of any size into lines. Takes linear time. */
export class LineSplitter {
  /** The current line so far, followed by the single characters that are not joined to it yet. */
  #line = '';
  readonly #characters = new Uint16Array(BUFFER_SIZE);
  #buffered = 0;
  readonly #onLine: (line: string) => void;

  /** @param onLine called with each line, without its line break */
  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  /** Adds a chunk. @returns whether it ended a line */
  add(chunk: string): boolean {
    // With single characters, searching each for a line break and joining it to the line would take most of the time.
    if (chunk.length === 1) {
      const code = chunk.charCodeAt(0);
      if (code !== LINE_FEED) {
        if (this.#buffered === BUFFER_SIZE) this.#flush();
        this.#characters[this.#buffered++] = code;
        return false;
      }
    }
    this.#flush();
    let start = 0;
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', start)) {
      const line = this.#line + chunk.slice(start, end);
      this.#line = '';
      this.#onLine(line);
      start = end + 1;
    }
    this.#line += start === 0 ? chunk : chunk.slice(start);
    return start > 0;
  }

  /** Returns the last line, which lacks a line break, and forgets it. */
  takeRest(): string {
    this.#flush();
    const rest = this.#line;
    this.#line = '';
    return rest;
  }

  /** Joins the buffered characters to the line. */
  #flush(): void {
    if (this.#buffered === 0) return;
    this.#line += String.fromCharCode.apply(
      null,
      this.#characters.subarray(0, this.#buffered) as unknown as number[],
    );
    this.#buffered = 0;
  }
}
