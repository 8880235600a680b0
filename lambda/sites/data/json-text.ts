import { DATA_FILE, DeclarationError } from './declaration-error.ts';
import type { Json } from './store.ts';

const DEEPEST = 32;
const LITERALS: readonly (readonly [string, Json])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
];
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** Any character from the space on but `"` and `\`, or an escape. */
const STRING = /"(?:[ !#-[\]-\u{10ffff}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy;

/**
 * Parses JSON as `JSON.parse` does, but with the line of an error, and without duplicate names, the last of which would replace the
 * others silently.
 * @throws DeclarationError
 */
export function parseJson(source: string): Json {
  const reader = new Reader(source.replace(/^\ufeff/, ''));
  const value = reader.value(0);
  reader.end();
  return value;
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(depth: number): Json {
    if (depth > DEEPEST) this.#fail('is nested too deeply');
    this.#space();
    const next = this.#text[this.#at];
    if (next === '{') return this.#object(depth);
    if (next === '[') return this.#array(depth);
    if (next === '"') return this.#string();
    for (const [word, value] of LITERALS) if (this.#take(word)) return value;
    const number = this.#match(NUMBER);
    if (number === undefined) this.#fail(`has ${this.#found()} where a value is expected`);
    return Number(number);
  }

  end(): void {
    this.#space();
    if (this.#at < this.#text.length) this.#fail(`has ${this.#found()} after its end`);
  }

  #object(depth: number): Json {
    const members = new Map<string, Json>();
    this.#list('}', () => {
      this.#space();
      const begin = this.#at;
      if (this.#text[begin] !== '"')
        this.#fail(`has ${this.#found()} where a name in double quotes is expected`);
      const name = this.#string();
      if (members.has(name)) {
        this.#at = begin;
        this.#fail(`has the name ${name} twice`);
      }
      this.#space();
      if (!this.#take(':')) this.#fail(`has ${this.#found()} where a colon is expected`);
      members.set(name, this.value(depth + 1));
    });
    // As own properties, `__proto__` included.
    return Object.fromEntries(members);
  }

  #array(depth: number): Json {
    const values: Json[] = [];
    this.#list(']', () => values.push(this.value(depth + 1)));
    return values;
  }

  #list(close: string, readOne: () => void): void {
    this.#at++;
    this.#space();
    if (this.#take(close)) return;
    for (;;) {
      readOne();
      this.#space();
      if (this.#take(close)) return;
      if (!this.#take(',')) this.#fail(`has ${this.#found()} where a comma or ${close} is expected`);
      this.#space();
      if (this.#text[this.#at] === close) this.#fail(`has a comma before ${close}`);
    }
  }

  #string(): string {
    const literal = this.#match(STRING);
    if (literal === undefined) this.#fail('has a string that does not end, or with an invalid escape');
    return JSON.parse(literal);
  }

  #space(): void {
    while (' \t\r\n'.includes(this.#text[this.#at] ?? '.')) this.#at++;
  }

  #take(word: string): boolean {
    if (!this.#text.startsWith(word, this.#at)) return false;
    this.#at += word.length;
    return true;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.#text) ?? [];
    this.#at += found?.length ?? 0;
    return found;
  }

  #found(): string {
    const rest = this.#text.slice(this.#at);
    if (rest === '') return 'its end';
    if (/^(?:\/\/|\/\*|#)/.test(rest)) return 'a comment, which JSON does not allow,';
    return String.fromCodePoint(rest.codePointAt(0) ?? 0);
  }

  #fail(reason: string): never {
    const line = this.#text.slice(0, this.#at).split(/\r\n?|\n/).length;
    throw new DeclarationError(`${DATA_FILE}: line ${line} ${reason}`);
  }
}
