import type { Files } from '../files.ts';

/** Tailwind 4's own scanner does not read these either. */
const IGNORED_FILES =
  /(^|\/)(package-lock\.json|pnpm-lock\.yaml|bun\.lockb?|\.gitignore|\.env(\.[^/]*)?)$|\.(less|lock|sass|scss|styl)$/;
const IGNORED_FOLDERS = /(^|\/)(\.git|\.hg|\.next|\.svelte-kit|\.turbo|\.vercel|\.yarn|node_modules)\//;
/** Characters of one candidate: arbitrary values may have a data URL. */
const MAX_LENGTH = 1000;
/**
 * Steps for each character of a text, after which candidates may have 60 characters only, so that no text takes long.
 */
const MAX_STEPS = 30;

const setOf = (characters: string) => new Set([...characters]);
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const BEFORE = setOf(' \t\n\f\r"\'`.}>]\0');
const AFTER = setOf(' \t\n\f\r"\'`\0][{=\\<');
const FIRST = setOf(`${LETTERS}0123456789!@*-_[`);
const INSIDE = setOf(`${LETTERS}${LETTERS.toUpperCase()}0123456789_-:/%@*!`);
const SPACE = setOf(' \t\n\f\r');

/** Returns if Tailwind looks for class names in a file, unless the project says otherwise. */
export function isContent(path: string): boolean {
  return !IGNORED_FILES.test(path) && !IGNORED_FOLDERS.test(path);
}

/** Returns what may be class names, or variables of the theme, in the given files. Tailwind ignores what is neither. */
export function candidatesOf(paths: Iterable<string>, files: Files): Set<string> {
  const candidates = new Set<string>();
  for (const path of paths) {
    const bytes = files.get(path);
    const isBinary = !bytes || bytes.subarray(0, 8000).includes(0);
    if (!isBinary) {
      const text = new TextDecoder().decode(bytes);
      if (path.endsWith('.css')) {
        addMatches(text, /(?<=var\()--[a-z0-9][\w-]*/gi, candidates);
      } else {
        addMatches(text, /(?<![\w-])--[a-z0-9][\w-]*/gi, candidates);
        addCandidates(path.endsWith('.svelte') ? text.replaceAll('class:', ' ') : text, candidates);
      }
    }
  }
  return candidates;
}

function addMatches(text: string, pattern: RegExp, candidates: Set<string>): void {
  for (const [match] of text.matchAll(pattern)) candidates.add(match);
}

/** Adds what is between characters that may surround class names, as Tailwind's extractor does (`boundary.rs`). */
function addCandidates(text: string, candidates: Set<string>): void {
  let steps = 0;
  for (let start = 0; start < text.length; start += 1) {
    const isStart = FIRST.has(text.charAt(start)) && (start === 0 || BEFORE.has(text.charAt(start - 1)));
    if (isStart) {
      const maximum = steps > MAX_STEPS * text.length ? 60 : MAX_LENGTH;
      const end = endOfCandidate(text, start, Math.min(text.length, start + maximum));
      steps += Math.abs(end) - start;
      const candidate = text.slice(start, end);
      if (end > start && isSurrounded(text, end, candidate)) {
        // A key of an object: `{ hidden: isClosed }`.
        candidates.add(candidate.endsWith(':') ? candidate.slice(0, -1) : candidate);
      }
    }
  }
}

function isSurrounded(text: string, end: number, candidate: string): boolean {
  const after = text.charAt(end);
  return after === '' || (AFTER.has(after) && !(after === '[' && candidate.includes('[')));
}

/** Returns where a candidate ends; negative if a bracket in it is not closed, or has a space in it. */
function endOfCandidate(text: string, start: number, limit: number): number {
  let at = start;
  while (at < limit) {
    const character = text.charAt(at);
    if (character === '[' || character === '(') {
      const end = endOfBrackets(text, at, limit);
      if (end < 0) return end;
      at = end;
    } else if (INSIDE.has(character) || (character === '.' && isDecimal(text, at))) {
      at += 1;
    } else {
      break;
    }
  }
  return at;
}

function isDecimal(text: string, at: number): boolean {
  return /^\d\.\d$/.test(text.slice(at - 1, at + 2));
}

/** Returns the offset behind the bracket that closes the one at `start`. */
function endOfBrackets(text: string, start: number, limit: number): number {
  const open: string[] = [];
  let quote = '';
  for (let at = start; at < limit; at += 1) {
    const character = text.charAt(at);
    if (character === '\\') {
      at += 1;
    } else if (SPACE.has(character)) {
      return -at;
    } else if (quote !== '') {
      quote = character === quote ? '' : quote;
    } else if (character === '"' || character === "'" || character === '`') {
      quote = character;
    } else if (character === '[' || character === '(' || character === '{') {
      open.push(character);
    } else if (character === ']' || character === ')' || character === '}') {
      open.pop();
      if (open.length === 0) return at + 1;
    }
  }
  return -limit;
}
