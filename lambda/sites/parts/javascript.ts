import jsTokens, { type JSXToken, type Token } from 'js-tokens';
import { type DataUse, dataUrlsIn } from './data-uses.ts';
import type { Comment, Parts, Reference, Use } from './parts.ts';

export interface ScriptParts extends Parts {
  readonly data: readonly DataUse[];
  /** It uses the DOM of a page. */
  readonly usesDom: boolean;
  /** It changes the URL of the page, as routers do: links may then have no file. */
  readonly routes: boolean;
}

/**
 * A token other than white space and comments: as written, and for a string or a template without interpolation its
 * text.
 */
interface Word {
  readonly value: string;
  /** Its offset in the source. */
  readonly index: number;
  readonly text?: string;
}

const ELLIPSIS_LINE = /\.\.\.[ \t]*(?=\r?\n|$)/y;

/**
 * Returns the comments of JavaScript or TypeScript, and its references with a literal: `import` and `export … from` at
 * the top level, `import()`, `require()`, `new URL(…, import.meta.url)`, `new Worker()` and `importScripts()`. Never
 * fails: invalid code gives some of them.
 */
export function readScript(source: string): ScriptParts {
  const comments: Comment[] = [];
  const words: Word[] = [];
  const data: DataUse[] = [];
  let at = 0;
  let isLineStart = true;
  for (const token of jsTokens(source, { jsx: hasJsx(source) }) as Iterable<Token | JSXToken>) {
    const { type, value } = token;
    if (type === 'LineTerminatorSequence') isLineStart = true;
    else if (type === 'MultiLineComment' || type === 'SingleLineComment') comments.push({ text: value, index: at });
    else if (!/^(?:WhiteSpace|HashbangComment|JSXText)$/.test(type)) {
      // No code is only an ellipsis.
      ELLIPSIS_LINE.lastIndex = at;
      if (value === '...' && isLineStart && ELLIPSIS_LINE.test(source)) comments.push({ text: '...', index: at });
      isLineStart = false;
      words.push(wordOf(token, at));
      if (TEXT.test(type)) for (const use of dataUrlsIn(value, at, /Head|Middle/.test(type))) data.push(use);
    }
    at += value.length;
  }
  const references: Reference[] = [];
  for (const reference of referencesIn(words)) references.push(reference);
  for (const call of collectionCalls(words)) data.push(call);
  const isDom = ({ value }: Word, i: number) =>
    value === 'document' && words[i + 1]?.value === '.' && words[i - 1]?.value !== '.';
  const isRoute = ({ value }: Word) => value === 'pushState' || value === 'replaceState';
  return { references, comments, data, usesDom: words.some(isDom), routes: words.some(isRoute) };
}

/** Tokens that have text of the source: strings, templates and JSX. */
const TEXT = /^(?:StringLiteral|JSXString|NoSubstitutionTemplate|Template\w+)$/;

/** Returns the calls of the function `collection` of the data's client, also under another name and with types. */
function collectionCalls(words: readonly Word[]): DataUse[] {
  const names = new Set(['collection']);
  for (const [at, { value }] of words.entries()) {
    const [as, name] = [words[at + 1], words[at + 2]];
    if (value === 'collection' && as?.value === 'as' && name) names.add(name.value);
  }
  return words.flatMap(({ value, index }, at): DataUse[] => {
    const before = words[at - 1]?.value;
    const open = names.has(value) && before !== 'function' ? afterTypes(words, at + 1) : -1;
    if (words[open]?.value !== '(') return [];
    // The method of something else, or of all that the module exports.
    if (before === '.') return [{ isOpen: true, index }];
    const [name, after] = [words[open + 1], words[open + 2]?.value];
    const collection = after === ')' || after === ',' ? name?.text : undefined;
    return [{ collection, isOpen: collection === undefined, index }];
  });
}

/** The most words of type arguments: what follows a comparison is read as such, too. */
const MOST_TYPES = 200;

/** Returns the index of the word behind the type arguments that begin with a word; its own if none do. */
function afterTypes(words: readonly Word[], start: number): number {
  let depth = 0;
  for (let at = start; at < start + MOST_TYPES; at++) {
    const value = words[at]?.value ?? '';
    if (value === '<') depth++;
    else if (/^>+$/.test(value)) depth -= value.length;
    if (depth <= 0) return at === start ? start : at + 1;
  }
  return words.length;
}

function wordOf(token: Token | JSXToken, index: number): Word {
  const { type, value } = token;
  if (type === 'StringLiteral' || type === 'NoSubstitutionTemplate') {
    const text = value.slice(1, -1);
    // Escapes are not decoded.
    return token.closed && !text.includes('\\') ? { value, text, index } : { value, index };
  }
  return { value, index };
}

function* referencesIn(words: readonly Word[]): Iterable<Reference> {
  let depth = 0;
  /** The words are arguments of `importScripts`, all of which are strings so far. */
  let isImportingScripts = false;
  for (const [at, { value, text }] of words.entries()) {
    if (/[({]$/.test(value)) depth++;
    else if (/^[)}]/.test(value)) depth--;
    if (value === '(') isImportingScripts = words[at - 1]?.value === 'importScripts';
    else if (text === undefined && value !== ',') isImportingScripts = false;
    if (text === undefined) continue;
    const after = words[at + 1]?.value;
    const isArgument = after === ')' || after === ',';
    if (isImportingScripts && isArgument) {
      yield { specifier: text, use: 'worker' };
      continue;
    }
    const before = (distance: number) => words[at - distance]?.value ?? '';
    let use: Use | undefined;
    if (depth === 0 && isClause(before(1), before(2))) use = 'import';
    else if (isArgument) use = useOfArgument(words, at, before);
    if (use !== undefined) yield { specifier: text, use };
  }
}

/** Reports if a string follows the `from` of an import or export, or the `import` of one without names. */
function isClause(before: string, beforeThat: string): boolean {
  if (before === 'import') return beforeThat !== '.';
  return before === 'from' && /^(?:[\w$*}\u0080-\uffff]+|["'].*)$/.test(beforeThat);
}

const META_URL = [',', 'import', '.', 'meta', '.', 'url'];

/** Returns how the first argument of a call is used; undefined if the call loads nothing. */
function useOfArgument(words: readonly Word[], at: number, before: (distance: number) => string): Use | undefined {
  if (before(1) !== '(' || before(3) === '.' || before(3) === 'function') return undefined;
  const callee = before(2);
  if (callee === 'import' || callee === 'require') return callee;
  if (before(3) !== 'new') return undefined;
  if (/^(?:Shared)?Worker$/.test(callee)) return 'worker';
  return callee === 'URL' && META_URL.every((value, i) => words[at + 1 + i]?.value === value) ? 'url' : undefined;
}

/**
 * Reports if a source has JSX: an element that ends, and nothing that JSX cannot have. Type parameters of TypeScript
 * and its older casts look like tags.
 */
function hasJsx(source: string): boolean {
  if (!/<\/|\/>/.test(source)) return false;
  let last = '';
  for (const { type } of jsTokens(source, { jsx: true })) {
    if (type === 'JSXInvalid') return false;
    last = type;
  }
  return last !== 'JSXText';
}
