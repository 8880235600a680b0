import { stripVTControlCharacters } from 'node:util';
import { neutralized, type Output, streamOf } from './safe-output.ts';
import { widthOf } from './text.ts';

const HIDE_CURSOR = '\x1b[?25l';
const SHOW_CURSOR = '\x1b[?25h';
const CLEAR_BELOW = '\x1b[J';
const CLEAR_RIGHT = '\x1b[K';
const REDRAW_MS = 100;

/**
 * Keeps the last lines of a terminal up to date, with finished lines above them. Each change is one write over what is
 * there, so that no empty line is ever visible.
 */
export class LiveLines {
  /** The ones that are drawn: other messages have to be printed above them. */
  static active: LiveLines | undefined;
  readonly #output: Output;
  readonly #text: (columns: number) => readonly string[];
  readonly #timer: NodeJS.Timeout;
  readonly #restore = () => void this.#output.write(SHOW_CURSOR);
  #drawn: readonly string[] = [''];

  /** @param text returns the lines, at least one; called every 100 ms */
  constructor(output: Output, text: (columns: number) => readonly string[]) {
    this.#output = streamOf(output);
    this.#text = text;
    LiveLines.active = this;
    process.once('exit', this.#restore);
    this.#output.write(HIDE_CURSOR);
    this.refresh();
    this.#timer = setInterval(() => this.refresh(), REDRAW_MS);
  }

  /** The last column stays empty: some terminals wrap as soon as it is used. */
  get columns(): number {
    return Math.max(20, (this.#output.columns ?? 80) - 1);
  }

  /** Prints finished lines above the live ones. */
  print(lines: readonly string[]): void {
    if (lines.length > 0) this.#draw(lines);
  }

  refresh(): void {
    this.#draw([]);
  }

  /** Removes the live lines. */
  stop(): void {
    clearInterval(this.#timer);
    process.off('exit', this.#restore);
    LiveLines.active = undefined;
    this.#output.write(`${this.#home()}${CLEAR_BELOW}${SHOW_CURSOR}`);
  }

  #draw(above: readonly string[]): void {
    // Lines that have scrolled out of a low terminal could not be drawn again.
    const lines = this.#text(this.columns).slice(-Math.max(1, (this.#output.rows ?? 24) - 1));
    if (above.length === 0 && lines.join('\n') === this.#drawn.join('\n')) return;
    const home = this.#home();
    this.#drawn = lines;
    const drawn = [...above, ...lines].map((line) => neutralized(line, true)).join(`${CLEAR_RIGHT}\n`);
    this.#output.write(`${home}${drawn}${CLEAR_BELOW}`);
  }

  /** Returns to the start of the drawn lines, which have more rows if the terminal became narrower since. */
  #home(): string {
    const columns = this.#output.columns ?? 80;
    const widths = this.#drawn.map((line) => widthOf(stripVTControlCharacters(line)));
    const rows = widths.reduce((sum, width) => sum + Math.max(1, Math.ceil(width / columns)), 0);
    const up = rows > 1 ? `\x1b[${rows - 1}A\r` : '\r';
    return rows > this.#drawn.length ? up + CLEAR_BELOW : up;
  }
}
