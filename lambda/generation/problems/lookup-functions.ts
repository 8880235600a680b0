import type { Argument, Call, Lookup } from './parts.ts';

/** The methods of the DOM that look up elements. */
export const LOOKUP_METHODS: ReadonlyMap<string, Argument> = new Map([
  ['getElementById', 'id'],
  ['getElementsByClassName', 'class'],
  ['querySelector', 'selector'],
  ['querySelectorAll', 'selector'],
  ['closest', 'selector'],
  ['matches', 'selector'],
]);

/** Number of tokens before the call in the longest form: `const $ = ( a , root = document ) = > { return root .`. */
const WINDOW = 16;
const HELPER =
  /(?:(?:const|let|var) (?<variable>\S+) = (?:\( )?|function (?<name>\S+) \( )(?<parameter>\S+?)(?: , (?<root>\S+) = document)?(?: \))?(?: = >)?(?: \{ return)? (?<caller>\S+) \.$/;
const NAME = /^[a-z_][\w-]*$/i;
/** A selector without alternatives and conditions. */
const SELECTOR = /^[#.][\w\s#.>-]*$/;
const LONGEST = 200;
const DECLARATIONS = new Set(['const', 'let', 'var', 'function', 'class']);

/**
 * Returns the functions of a script that pass their argument to a method that looks up elements, such as
 * `const $ = (id) => document.getElementById(id)`, by name. Omits names that the script declares more than once, and
 * functions that use the result if it is null.
 */
export function lookupFunctions(tokens: readonly string[]): ReadonlyMap<string, Argument> {
  const found = new Map<string, Argument>();
  const declared = new Set<string>();
  const repeated = new Set<string>();
  for (const [at, token] of tokens.entries()) {
    const name = tokens[at + 1] ?? '';
    if (DECLARATIONS.has(token)) (declared.has(name) ? repeated : declared).add(name);
    const argument = LOOKUP_METHODS.get(token);
    if (argument === undefined) continue;
    const helper = helperAround(tokens, at);
    if (helper !== undefined) found.set(helper, argument);
  }
  for (const name of repeated) found.delete(name);
  return found;
}

/** Returns the name of the function that passes its parameter to the method at an offset. */
function helperAround(tokens: readonly string[], at: number): string | undefined {
  if (tokens[at + 1] !== '(' || tokens[at + 3] !== ')' || /^[?|&]$/.test(tokens[at + 4] ?? ''))
    return undefined;
  const before = tokens.slice(Math.max(0, at - WINDOW), at).join(' ');
  const { variable, name, parameter, root, caller } = HELPER.exec(before)?.groups ?? {};
  const passes = parameter === tokens[at + 2] && (caller === 'document' || caller === root);
  return passes ? (variable ?? name) : undefined;
}

/** Returns what a call of a function that looks up elements finds; nothing if that is not certain. */
export function lookupsOf({ name, argument: { text }, within }: Call, argument: Argument): Lookup[] {
  if (text.length > LONGEST) return [];
  const call = `${name}("${text}")`;
  if (argument !== 'selector')
    return NAME.test(text) ? [{ attribute: argument, name: text, call, within }] : [];
  if (!SELECTOR.test(text)) return [];
  return Array.from(text.matchAll(/([#.])([a-z_][\w-]*)/gi), ([, mark, value = '']) => ({
    attribute: mark === '#' ? 'id' : 'class',
    name: value,
    call,
    within,
  }));
}
