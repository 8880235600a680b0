import { editDistance } from '../../contract/messages.ts';
import type { Json } from './store.ts';

/** Why `_data.json` declares no data: one sentence with the path or the line. */
export class DeclarationError extends Error {
  override readonly name = 'DeclarationError';
}

/** The name of the file that declares the data of a site. */
export const DATA_FILE = '_data.json';

/** @param path such as `messages.schema`; an empty string for the file */
export function fail(path: string, reason: string): never {
  throw new DeclarationError(path === '' ? `${DATA_FILE}: ${reason}` : `${DATA_FILE}: ${path} ${reason}`);
}

/** Rejects names that an object does not declare, with the known one that is closest. */
export function onlyKnown(path: string, names: Iterable<string>, known: readonly string[], note = ''): void {
  for (const name of names) {
    if (known.includes(name)) continue;
    const place = path === '' ? name : `${path}.${name}`;
    const similar = closest(name, known);
    fail(place, `is not known${similar === undefined ? note : `; did you mean ${similar}?`}`);
  }
}

/** Returns the known name that a misspelled one stands for, or undefined. */
function closest(name: string, known: readonly string[]): string | undefined {
  const rated = known.map((one) => ({
    one,
    distance: editDistance(name.slice(0, 40).toLowerCase(), one.toLowerCase()),
  }));
  const [best] = rated.toSorted((a, b) => a.distance - b.distance);
  return best !== undefined && best.distance <= (best.one.length > 4 ? 2 : 1) ? best.one : undefined;
}

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
      if (this.#text[begin] !== '"') this.#fail(`has ${this.#found()} where a name in double quotes is expected`);
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
    const [word = ''] = /^(?:\w+|.)/su.exec(rest) ?? [];
    return `\`${word}\``;
  }

  #fail(reason: string): never {
    const line = this.#text.slice(0, this.#at).split(/\r\n?|\n/).length;
    throw new DeclarationError(`${DATA_FILE}: line ${line} ${reason}`);
  }
}
