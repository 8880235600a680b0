import type { Output } from '../program.ts';
import type { Context } from './context.ts';
import { widthOf } from './text.ts';

const HIDE_CURSOR = '\x1b[?25l';
const SHOW_CURSOR = '\x1b[?25h';
const CLEAR_BELOW = '\x1b[J';
const CLEAR_RIGHT = '\x1b[K';
const REDRAW_MS = 100;

/**
 * Keeps one line at the bottom of the terminal up to date, with finished lines above it. Each change is one write that
 * overwrites what is there, so that no empty line is ever visible.
 */
export class LiveLine {
  readonly #output: Output;
  readonly #text: (columns: number) => string;
  readonly #timer: NodeJS.Timeout;
  readonly #restore = () => void this.#output.write(SHOW_CURSOR);
  /** What is drawn now. */
  #drawn = '';

  /** Returns a line on stderr, or undefined where nobody watches it. @param text returns the line */
  static on(context: Context, text: (columns: number) => string): LiveLine | undefined {
    const { stderr, env, quiet } = context;
    return stderr.isTTY && env.TERM !== 'dumb' && !quiet ? new LiveLine(stderr, text) : undefined;
  }

  private constructor(output: Output, text: (columns: number) => string) {
    this.#output = output;
    this.#text = text;
    process.once('exit', this.#restore);
    output.write(HIDE_CURSOR);
    this.#draw('');
    this.#timer = setInterval(() => this.#draw(''), REDRAW_MS);
  }

  /** The last column stays empty: some terminals wrap as soon as it is used. */
  get columns(): number {
    return Math.max(20, (this.#output.columns ?? 80) - 1);
  }

  /** Prints finished lines above the live one. */
  print(lines: readonly string[]): void {
    if (lines.length > 0) this.#draw(lines.map((line) => `${line}${CLEAR_RIGHT}\n`).join(''));
  }

  /** Removes the live line. */
  stop(): void {
    clearInterval(this.#timer);
    process.off('exit', this.#restore);
    this.#output.write(`${this.#home()}${CLEAR_BELOW}${SHOW_CURSOR}`);
  }

  #draw(above: string): void {
    const line = this.#text(this.columns);
    if (above === '' && line === this.#drawn) return;
    const home = this.#home();
    this.#drawn = line;
    this.#output.write(`${home}${above}${line}${CLEAR_RIGHT}`);
  }

  /** Returns to the first column of the drawn line, which has several rows if the terminal became narrower since. */
  #home(): string {
    const rows = Math.ceil(widthOf(this.#drawn) / (this.#output.columns ?? 80));
    return rows > 1 ? `\x1b[${rows - 1}A\r${CLEAR_BELOW}` : '\r';
  }
}
