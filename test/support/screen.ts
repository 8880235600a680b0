/** The scripts of the tests that take two columns a character. */
const WIDE = /[\u3000-\ua4cf\uac00-\ud7a3\uff01-\uff60]/;

/** A terminal of a width: text, line breaks, and the escape sequences that the commands use. Anything else throws. */
export class Screen {
  readonly #columns: number;
  #lines: string[][] = [[]];
  #row = 0;
  #column = 0;
  cursorVisible = true;

  constructor(columns: number) {
    this.#columns = columns;
  }

  /** The lines without spaces at their ends, and without empty lines at the end. */
  get text(): string {
    return this.#lines
      .map((line) =>
        Array.from(line, (cell) => cell ?? ' ')
          .join('')
          .trimEnd(),
      )
      .join('\n')
      .trimEnd();
  }

  write(output: string): void {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: terminals are controlled by them
    for (const [token] of output.matchAll(/\x1b\[[?\d;]*[A-Za-z]|[\s\S]/gu)) this.#take(token);
  }

  #take(token: string): void {
    if (token === '\r') this.#column = 0;
    // As the driver of a terminal passes it on.
    else if (token === '\n') this.#moveTo(this.#row + 1);
    else if (token.startsWith('\x1b')) this.#control(token.slice(2));
    else {
      const cells = WIDE.test(token) ? [token, ''] : [token];
      if (this.#column + cells.length > this.#columns) this.#moveTo(this.#row + 1);
      this.#lines[this.#row]?.splice(this.#column, cells.length, ...cells);
      this.#column += cells.length;
    }
  }

  #control(sequence: string): void {
    const [, n = '1', command] = /^(\d*)([A-Z])$/.exec(sequence) ?? [];
    if (command === 'A') this.#row = Math.max(0, this.#row - Number(n || 1));
    else if (command === 'G') this.#column = Number(n || 1) - 1;
    else if (command === 'D') this.#column = Math.max(0, this.#column - Number(n || 1));
    else if (command === 'B') this.#moveTo(this.#row + Number(n || 1));
    else if (command === 'K' || command === 'J') {
      this.#lines[this.#row]?.splice(this.#column);
      if (command === 'J') this.#lines.splice(this.#row + 1);
    } else if (/^\?25[hl]$/.test(sequence)) this.cursorVisible = sequence.endsWith('h');
    else if (!sequence.endsWith('m')) throw new Error(`unknown escape sequence ${sequence}`);
  }

  #moveTo(row: number): void {
    this.#column = 0;
    this.#row = row;
    while (this.#lines.length <= row) this.#lines.push([]);
  }
}
