import { LIMITS } from './limits.ts';

/** Device names that Windows reserves in every folder and with every extension (Microsoft, "Naming Files"). */
const WINDOWS_DEVICE = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

const utf8 = new TextEncoder();

/** A key that a JavaScript object keyed by path, here and in many a tool, takes for its prototype. */
const PROTOTYPE = '__proto__';

/** Each rule: what is wrong with a path, or undefined. The order is the order of the messages. */
const RULES: readonly ((path: string) => string | undefined)[] = [
  (path) => (path === '' ? 'is empty' : undefined),
  (path) => (path.isWellFormed() ? undefined : 'is not well-formed Unicode'),
  (path) =>
    utf8.encode(path).length > LIMITS.pathBytes ? `is longer than ${LIMITS.pathBytes} bytes` : undefined,
  (path) => (CONTROL.test(path) ? 'has a control character' : undefined),
  (path) => (path === PROTOTYPE ? 'is a name that JavaScript reserves' : undefined),
  (path) => (path.startsWith('/') ? 'starts with "/": paths are relative to the project' : undefined),
  (path) => forbidden(path, /[\\%:]/),
  (path) => (path.split('/').some((name) => name === '') ? 'has an empty segment' : undefined),
  (path) =>
    path.split('/').some((name) => name === '.' || name === '..') ? 'has a "." or ".." segment' : undefined,
  (path) => (path === path.normalize('NFC') ? undefined : 'is not in Unicode normalization form NFC'),
  (path) => lookalike(path),
  (path) =>
    path.split('/').some((name) => WINDOWS_DEVICE.test(name))
      ? 'has a name that Windows reserves'
      : undefined,
  (path) =>
    path.split('/').some((name) => /[. ]$/.test(name))
      ? 'has a segment that ends in a dot or a space'
      : undefined,
];

/**
 * Why a file may not have this path, as the end of a sentence; undefined when it may. Paths are refused, never
 * repaired: what is stored is what was sent. Names are checked for every system that a zip of the site may
 * be unpacked on.
 */
export function pathProblem(path: string): string | undefined {
  for (const rule of RULES) {
    const problem = rule(path);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Two paths with the same key are the same file on some file system. */
export function pathKey(path: string): string {
  return path.toLowerCase().normalize('NFC');
}

function forbidden(path: string, characters: RegExp): string | undefined {
  const found = characters.exec(path);
  return found ? `has the character "${found[0]}"` : undefined;
}

/** Characters such as U+FF0F that a later normalization would turn into a separator or a dot. */
function lookalike(path: string): string | undefined {
  for (const character of path) {
    if (!/[/.\\]/.test(character) && /[/.\\]/.test(character.normalize('NFKC'))) {
      return `has the character "${character}", which looks like one of / . \\`;
    }
  }
  return undefined;
}
