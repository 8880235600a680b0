export interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
  write(text: string): unknown;
}

/** Characters that control a terminal or reorder what it shows, and the styles of `painter` and of the help. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
const CONTROL = /(\x1b\[(?:1|2|22|31|32|33|39)m)|[\p{Cc}\u2028\u2029\p{Bidi_Control}]/gu;

/**
 * Returns a text that changes nothing in a terminal but what it adds: only line ends, tabs and, if `styled`, colors are
 * left. Other control characters become `�`, and those that reorder text are removed.
 */
export function neutralized(text: string, styled: boolean): string {
  return text.replaceAll('\r\n', '\n').replace(CONTROL, (found, style) => {
    if (style !== undefined) return styled ? style : `�${style.slice(1)}`;
    if (found === '\n' || found === '\t') return found;
    return /\p{Bidi_Control}/u.test(found) ? '' : '�';
  });
}

/**
 * A stream of a command. What others wrote, such as names of files and errors of a service, leaves through it like any
 * text of the program, so it is neutralized here and not by each caller.
 */
export class SafeOutput implements Output {
  /** For what draws, which neutralizes texts itself. */
  readonly stream: Output;
  readonly #env: NodeJS.ProcessEnv;

  /** @param env read on every use: an option can turn colors off */
  constructor(stream: Output, env: NodeJS.ProcessEnv) {
    this.stream = stream;
    this.#env = env;
  }

  get isTTY(): boolean {
    return this.stream.isTTY ?? false;
  }

  get columns(): number | undefined {
    return this.stream.columns;
  }

  get rows(): number | undefined {
    return this.stream.rows;
  }

  write(text: string): unknown {
    return this.stream.write(neutralized(text, this.isTTY && !this.#env.NO_COLOR));
  }
}

/** Returns the stream itself, for a program that draws. */
export function streamOf(output: Output): Output {
  return output instanceof SafeOutput ? output.stream : output;
}

/** Returns a value as JSON that a terminal can show: characters that control one are escaped, too. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(
    /[\x7f-\x9f\u2028\u2029\p{Bidi_Control}]/gu,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
