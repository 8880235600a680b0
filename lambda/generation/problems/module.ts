import { VALUE } from './javascript-lexer.ts';
import type { NamedImport } from './parts.ts';

/** The named imports and the exports of a JavaScript module. */
export interface Module {
  readonly imports: readonly NamedImport[];
  /** All exported names, and possibly some that are only declared. */
  readonly exports: ReadonlySet<string>;
  /** The specifiers of its `export * from`. */
  readonly stars: readonly string[];
}

const OPENING = /^[({[]$/;
const CLOSING = /^[)}\]]$/;
const WORD = /^[\w$\u0080-\uffff]+$/;
const EXPORT_LINE = /^[ \t]*export\b/gm;
/** Keywords that end a declaration without a semicolon; the others may start a value. */
const STATEMENTS = new Set('export const let var if for while do switch try throw return'.split(' '));

/** Reads the imports and exports from the tokens of a script. Returns undefined if they are not certain. */
export function readModule(tokens: readonly string[], source: string): Module | undefined {
  const reader = new ModuleReader(tokens);
  // A regular expression that is read as divisions may hide statements.
  return reader.run() && (source.match(EXPORT_LINE)?.length ?? 0) <= reader.count ? reader : undefined;
}

class ModuleReader implements Module {
  readonly imports: NamedImport[] = [];
  readonly exports = new Set<string>();
  readonly stars: string[] = [];
  /** Number of export statements. */
  count = 0;
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  /** Returns false if the brackets do not match, or an export is in no known form. */
  run(): boolean {
    let depth = 0;
    for (; this.#at < this.#tokens.length; this.#at++) {
      const token = this.#token(this.#at);
      if (OPENING.test(token)) depth++;
      else if (CLOSING.test(token)) depth--;
      if (depth < 0) return false;
      if (depth > 0 || this.#token(this.#at - 1) === '.') continue;
      if (token === 'import') this.#import(this.#at + 1);
      else if (token === 'export' && !this.#export(this.#at + 1)) return false;
    }
    return depth === 0;
  }

  #token(at: number): string {
    return this.#tokens[at] ?? '';
  }

  /** Reads `import a, { b as c } from '…'`; ignores all forms without names and those of other languages. */
  #import(start: number): void {
    let names: string[] = [];
    let at = start;
    if (WORD.test(this.#token(at))) {
      names.push('default');
      at++;
      if (this.#token(at) === 'from') this.#importFrom(names, at);
      if (this.#token(at) !== ',') return;
      at++;
    }
    if (this.#token(at) === '{') {
      const clause = this.#clause(at);
      if (clause === undefined) return;
      names = [...names, ...clause.names.map(([name]) => name)];
      at = clause.end;
    } else if (this.#token(at) === '*') at += 3;
    this.#importFrom(names, at);
  }

  #importFrom(names: readonly string[], at: number): void {
    const specifier = this.#from(at);
    if (specifier === undefined) return;
    for (const name of names) this.imports.push({ name, specifier });
    this.#at = at + 1;
  }

  /** Returns the specifier of a `from '…'`. */
  #from(at: number): string | undefined {
    const specifier = this.#token(at + 1);
    return this.#token(at) === 'from' && specifier.startsWith('"') ? specifier.slice(1) : undefined;
  }

  #export(start: number): boolean {
    this.count++;
    const token = this.#token(start);
    if (token === 'default') this.exports.add('default');
    else if (token === '*') return this.#exportAll(start + 1);
    else if (token === '{') return this.#exportClause(start);
    else if (/^(?:const|let|var)$/.test(token)) this.#declarations(start + 1);
    else if (/^(?:async|function|class)$/.test(token)) {
      let at = start;
      while (/^(?:async|function|class|\*)$/.test(this.#token(at))) at++;
      this.exports.add(this.#token(at));
    } else return false;
    return true;
  }

  #exportAll(at: number): boolean {
    const specifier = this.#from(at);
    if (this.#token(at) === 'as') this.exports.add(nameOf(this.#token(at + 1)));
    else if (specifier !== undefined) this.stars.push(specifier);
    else return false;
    return true;
  }

  #exportClause(start: number): boolean {
    const clause = this.#clause(start);
    if (clause === undefined) return false;
    const specifier = this.#from(clause.end);
    for (const [name, exported] of clause.names) {
      this.exports.add(exported);
      if (specifier !== undefined) this.imports.push({ name, specifier });
    }
    this.#at = clause.end - 1;
    return true;
  }

  /** Reads `{ a, b as c }`. Returns each name before and after `as`, and the offset after the clause. */
  #clause(start: number): { names: [string, string][]; end: number } | undefined {
    const names: [string, string][] = [];
    for (let at = start + 1; ; at++) {
      const token = this.#token(at);
      if (token === '}') return { names, end: at + 1 };
      if (token === VALUE || !(WORD.test(token) || token.startsWith('"'))) return undefined;
      const renamed = this.#token(at + 1) === 'as';
      if (renamed) at += 2;
      names.push([nameOf(token), nameOf(this.#token(at))]);
      if (this.#token(at + 1) === ',') at++;
      else if (this.#token(at + 1) !== '}') return undefined;
    }
  }

  /** Reads `a = 1, { b, c: d } = e`. Of a pattern, all words count. */
  #declarations(start: number): void {
    let depth = 0;
    let naming = true;
    for (this.#at = start; this.#at < this.#tokens.length; this.#at++) {
      const token = this.#token(this.#at);
      const ends = token === ';' || (STATEMENTS.has(token) && this.#token(this.#at - 1) !== '.');
      if (OPENING.test(token)) depth++;
      else if (CLOSING.test(token)) depth--;
      else if (naming && WORD.test(token)) {
        this.exports.add(token);
        if (depth === 0) naming = false;
      } else if (depth === 0 && token === '=') naming = false;
      else if (depth === 0 && token === ',') naming = true;
      if (depth < 0 || (depth === 0 && ends)) break;
    }
    this.#at--;
  }
}

function nameOf(token: string): string {
  return token.startsWith('"') ? token.slice(1) : token;
}
