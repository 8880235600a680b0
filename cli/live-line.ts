import type { Output } from './program.ts';
import { widthOf } from './text.ts';

const HIDE_CURSOR = '\x1b[?25l';
const SHOW_CURSOR = '\x1b[?25h';
const CLEAR_BELOW = '\x1b[J';
const CLEAR_RIGHT = '\x1b[K';
const REDRAW_MS = 100;

/**
 * Keeps one line at the bottom of a terminal up to date, with finished lines above it. Each change is one write over what
 * is there, so that no empty line is ever visible.
 */
export class LiveLine {
  /** The one that is drawn: other messages have to be printed above it. */
  static active: LiveLine | undefined;
  readonly #output: Output;
  readonly #text: (columns: number) => string;
  readonly #timer: NodeJS.Timeout;
  readonly #restore = () => void this.#output.write(SHOW_CURSOR);
  #drawn = '';

  /** @param text returns the line; called every 100 ms */
  constructor(output: Output, text: (columns: number) => string) {
    this.#output = output;
    this.#text = text;
    LiveLine.active = this;
    process.once('exit', this.#restore);
    output.write(HIDE_CURSOR);
    this.refresh();
    this.#timer = setInterval(() => this.refresh(), REDRAW_MS);
  }

  /** The last column stays empty: some terminals wrap as soon as it is used. */
  get columns(): number {
    return Math.max(20, (this.#output.columns ?? 80) - 1);
  }

  /** Prints finished lines above the live one. */
  print(lines: readonly string[]): void {
    if (lines.length > 0) this.#draw(lines.map((line) => `${line}${CLEAR_RIGHT}\n`).join(''));
  }

  refresh(): void {
    this.#draw('');
  }

  /** Removes the live line. */
  stop(): void {
    clearInterval(this.#timer);
    process.off('exit', this.#restore);
    LiveLine.active = undefined;
    this.#output.write(`${this.#home()}${CLEAR_BELOW}${SHOW_CURSOR}`);
  }

  #draw(above: string): void {
    const line = this.#text(this.columns);
    if (above === '' && line === this.#drawn) return;
    const home = this.#home();
    this.#drawn = line;
    this.#output.write(`${home}${above}${line}${CLEAR_RIGHT}`);
  }

  /** Returns to the start of the drawn line, which has several rows if the terminal became narrower since. */
  #home(): string {
    const rows = Math.ceil(widthOf(this.#drawn) / (this.#output.columns ?? 80));
    return rows > 1 ? `\x1b[${rows - 1}A\r${CLEAR_BELOW}` : '\r';
  }
}
