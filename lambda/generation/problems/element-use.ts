import { EnclosingFunctions } from './enclosing-functions.ts';
import { INTERPOLATION, VALUE } from './javascript-lexer.ts';
import { LOOKUP_METHODS, lookupFunctions, lookupsOf } from './lookup-functions.ts';
import { optionalVariables } from './optional-variables.ts';
import type { Argument, Call, ElementUse, Lookup, NamedImport } from './parts.ts';
import { type Text, Vocabulary } from './vocabulary.ts';

/** A lookup may read other documents in a script with one of these words. */
const OTHER_DOCUMENTS = new Set(['DOMParser', 'contentDocument', 'contentWindow', 'responseXML', 'opener']);
/** After a lookup or its variable, these show that the element may be missing: `?.`, `?? b`, `=== null`, `&& b`. */
const OPTIONAL = /^[?=!&|]$/;
const WORD = /^[\w$\u0080-\uffff]+$/;

/** Reads the lookups of a script from its tokens, and the texts that may define elements. */
export function readElements(
  tokens: readonly string[],
  texts: readonly (string | undefined)[],
  imports: readonly NamedImport[],
): ElementUse {
  const reader = new ElementReader(tokens, texts, imports);
  reader.run();
  return reader;
}

class ElementReader implements ElementUse {
  readonly lookups: Lookup[] = [];
  readonly vocabulary = new Vocabulary();
  readonly calls: Call[] = [];
  readonly functions: ReadonlyMap<string, Argument>;
  readonly words = new Map<string, number>();
  opaque = false;
  readonly #tokens: readonly string[];
  readonly #texts: readonly (string | undefined)[];
  readonly #enclosing = new EnclosingFunctions();
  readonly #optional: ReadonlySet<string>;

  readonly #imported: ReadonlySet<string>;

  constructor(
    tokens: readonly string[],
    texts: readonly (string | undefined)[],
    imports: readonly NamedImport[],
  ) {
    this.#imported = new Set(imports.map(({ name }) => name));
    this.#tokens = tokens;
    this.#texts = texts;
    this.functions = lookupFunctions(tokens);
    this.#optional = optionalVariables(tokens);
  }

  run(): void {
    /** Whether the token is in the list of an `export { a }`. */
    let exported = false;
    for (const [at, token] of this.#tokens.entries()) {
      const text = this.#texts[at];
      if (OTHER_DOCUMENTS.has(token)) this.opaque = true;
      this.#enclosing.follow(token);
      exported = token === '{' ? this.#token(at - 1) === 'export' : exported && token !== '}';
      if (text !== undefined) this.#add(at, text);
      else if (this.#isKey(at)) this.vocabulary.add({ text: token });
      else if (!exported && WORD.test(token)) this.words.set(token, 1 + (this.words.get(token) ?? 0));
    }
  }

  #token(at: number): string {
    return this.#tokens[at] ?? '';
  }

  #add(at: number, text: string): void {
    if (/^(?:from|import)$/.test(this.#token(at - 1))) return;
    const argument = this.#text(at, text);
    if (!this.#isOnlyArgument(at)) {
      this.vocabulary.add(argument);
      return;
    }
    const name = this.#token(at - 2);
    const method = this.#token(at - 3) === '.';
    const reads = method ? LOOKUP_METHODS.get(name) : this.functions.get(name);
    if (reads === undefined && (method || !this.#imported.has(name))) {
      this.vocabulary.add(argument);
      return;
    }
    const optional = name === 'matches' || this.#isOptional(at);
    const call = { name, argument, optional, within: this.#enclosing.names() };
    if (reads === undefined) this.calls.push(call);
    else if (!optional) this.lookups.push(...lookupsOf(call, reads));
  }

  #isOnlyArgument(at: number): boolean {
    return this.#token(at - 1) === '(' && this.#token(at).startsWith('"') && this.#token(at + 1) === ')';
  }

  #text(at: number, text: string): Text {
    const token = this.#token(at);
    const template = token === INTERPOLATION || token === VALUE;
    return {
      text,
      only: this.#isClass(at) ? 'class' : undefined,
      joinsStart: template || this.#token(at - 1) === '+',
      joinsEnd: token === INTERPOLATION || this.#token(at + 1) === '+',
    };
  }

  /** Returns whether a string is a value of `className` or an argument of `classList.add()` and the like. */
  #isClass(at: number): boolean {
    if (/^[=:]$/.test(this.#token(at - 1))) return this.#token(at - 2) === 'className';
    return this.#token(at - 1) === '(' && this.#token(at - 4) === 'classList';
  }

  /** Returns whether a word is the name of a property, unless its value is a call with the same word. */
  #isKey(at: number): boolean {
    const key = this.#token(at);
    if (this.#token(at + 1) !== ':' || !/^[{,]$/.test(this.#token(at - 1)) || !WORD.test(key)) return false;
    const call = this.#token(at + 3) === '.' ? at + 4 : at + 2;
    return this.#token(call + 2).replace(/^"[#.]?/, '') !== key;
  }

  #isOptional(at: number): boolean {
    if (OPTIONAL.test(this.#token(at + 2))) return true;
    const start = this.#token(at - 3) !== '.' ? at - 2 : at - 4;
    const before = this.#token(start - 1);
    return before === '!' || (/^[=:]$/.test(before) && this.#optional.has(this.#token(start - 2)));
  }
}
