import { LIMITS } from '../contract/limits.ts';

/** What is wrong with a path, as the end of a sentence; undefined when nothing is. */
type Rule = (path: string) => string | undefined;

/**
 * Names that Windows takes for a device in every folder, with every extension and with spaces before it
 * (Microsoft, "Naming Files, Paths, and Namespaces"; the last two from "Console Handles").
 */
const WINDOWS_DEVICE = /(?:^|\/)((?:con|prn|aux|nul|(?:com|lpt)[0-9¹²³]|conin\$|conout\$) *)(?:\.|\/|$)/i;

/**
 * Characters that show nothing, or turn the order of others around: what is read is not what the name is. Joiners
 * and variation selectors spell emoji and words, and stay.
 */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}--\p{Join_Control}--\p{Variation_Selector}]/v;

/** Slashes that NFKC leaves alone; Windows code pages turn them into `/` and `\`. */
const SLASHES = /[\u2044\u2215\u2216]/;

const utf8 = new TextEncoder();

/** In the order of the messages. */
const RULES: readonly Rule[] = [
  without(/^$/, () => 'is empty'),
  without(/\p{Surrogate}/u, () => 'is not well-formed Unicode: it has half of a surrogate pair'),
  (path) =>
    utf8.encode(path).length > LIMITS.pathBytes ? `is longer than ${LIMITS.pathBytes} bytes` : undefined,
  without(/[\p{Control}\u2028\u2029]/u, (found) => `has the control character ${codePoint(found)}`),
  without(INVISIBLE, (found) => `has the invisible character ${codePoint(found)}`),
  // A JavaScript object keyed by path, here and in many a tool, takes it for its prototype.
  without(/^__proto__$/, () => 'is a name that JavaScript reserves'),
  without(/^\//, () => 'starts with "/": paths are relative to the project'),
  without(/[\\%:]/, (found) => `has the character "${found}"`),
  without(/\/(?:\/|$)/, () => 'has an empty segment'),
  without(/(?:^|\/)\.\.?(?:\/|$)/, () => 'has a "." or ".." segment'),
  (path) => (path === path.normalize('NFC') ? undefined : 'is not in Unicode normalization form NFC'),
  (path) => {
    const found = path.match(/\P{ASCII}/gu)?.find(isLookalike);
    return found && `has the character "${found}", which looks like one of / . \\`;
  },
  without(WINDOWS_DEVICE, (_, name) => `has the name "${name}", which Windows reserves`),
  without(/[. ](?:\/|$)/, () => 'has a segment that ends in a dot or a space'),
];

/**
 * Why a file may not have this path, as the end of a sentence; undefined when it may. Paths are refused, never
 * repaired: what is stored is what was sent. What is refused could lead out of a folder, or to another file, on some
 * system that a site is unpacked on. What a system merely cannot hold is not: `?` and `*`, or a name of 300 bytes.
 */
export function pathProblem(path: string): string | undefined {
  for (const rule of RULES) {
    const problem = rule(path);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/**
 * Two paths with the same key are the same file on some file system. The key is the path without case, as full case
 * folding has it (Unicode Standard, 3.13; `ß` and `SS` are one): lower case first and then upper case leaves one
 * spelling of each. Only `ı` is kept, which has the upper case of `i` and is another letter.
 */
export function pathKey(path: string): string {
  return path
    .toLowerCase()
    .replace(/[^ı]+/g, (letters) => letters.toUpperCase())
    .normalize('NFC');
}

function without(wrong: RegExp, problem: (...found: string[]) => string): Rule {
  return (path) => {
    const found = wrong.exec(path);
    return found ? problem(...found) : undefined;
  };
}

/** Whether a later normalization, or a conversion to a code page, turns a character into a separator or a dot. */
function isLookalike(character: string): boolean {
  return SLASHES.test(character) || /[/.\\]/.test(character.normalize('NFKC'));
}

function codePoint(character: string): string {
  return `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;
}
