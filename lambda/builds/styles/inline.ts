import { posix } from 'node:path';
import MagicString from 'magic-string';
import type { BuildProblem } from '../../contract/builds.ts';
import type { StyleContext } from '../context.ts';
import { BuildError, placeOf } from '../problems.ts';
import { type FileRule, type QuotedText, scanStyles } from './scan.ts';
import { shippedSheet } from './shipped.ts';
import { absoluteUrls, isExternal, resolveReference, type StyleFiles, textOf } from './urls.ts';

/** Files that one style sheet imports, each time that it does, and their text. Beyond, the request gets a 413. */
const LIMITS = { imports: 1000, length: 6 * 1_048_576 };
/** At-rules of Tailwind whose text is a path. */
const TAILWIND_RULES = new Set(['config', 'plugin', 'source']);

/** A style sheet with what it imports in it. */
interface Inlined {
  /** Paths in `url(…)` and in rules of Tailwind begin with `/`, the root of the project. */
  readonly css: string;
  /** `@import` rules of other origins. They go before everything else. */
  readonly external: readonly string[];
  /** The files that are in it, for errors. */
  readonly sources: ReadonlyMap<string, string>;
}

interface State {
  readonly files: StyleFiles;
  readonly external: Set<string>;
  readonly sources: Map<string, string>;
  /** The imported files with their conditions: only the first import of each counts. */
  readonly imported: Set<string>;
  readonly warn: (warning: BuildProblem) => void;
  readonly tailwind: 3 | 4;
  length: number;
}

/** A file that is being inlined, and those that import it. */
interface Level {
  readonly path: string;
  readonly above: readonly string[];
  /** The at-rules around it, such as `@media print`. */
  readonly conditions: readonly string[];
}

/**
 * Replaces the `@import` rules of a style sheet by the files of the project, of packages and of the service.
 * @throws BuildError for a missing file, one that is not closed, and 413 for too many
 */
export function inlineImports(path: string, css: string, files: StyleContext): Inlined {
  const state: State = {
    files,
    external: new Set(),
    sources: new Map(),
    imported: new Set(),
    warn: files.warn,
    tailwind: files.config.tailwind?.version ?? 4,
    length: 0,
  };
  const inlined = inline(css, { path, above: [path], conditions: [] }, state);
  return { css: inlined, external: [...state.external], sources: state.sources };
}

function inline(css: string, level: Level, state: State): string {
  const { path } = level;
  state.length += css.length;
  if (state.length > LIMITS.length || state.imported.size > LIMITS.imports) {
    const message = `The style sheet and what it imports exceed ${LIMITS.length} characters or ${LIMITS.imports} files`;
    throw new BuildError([{ message, path: level.above[0] ?? path }], 'payload_too_large');
  }
  state.sources.set(path, css);
  const { rules, urls } = scanStyles(path, css);
  const edits = new MagicString(css);
  absoluteUrls(edits, urls, path, state.files, state.warn);
  for (const rule of rules) edits.update(rule.start, rule.end, replacement(css, rule, level, state));
  return edits.toString();
}

/** Returns the text that replaces an at-rule that refers to a file. */
function replacement(css: string, rule: FileRule, level: Level, state: State): string {
  const { name, text } = rule;
  const whole = css.slice(rule.start, rule.end);
  if (name === 'charset') return '';
  if (!text) return whole;
  if (TAILWIND_RULES.has(name)) {
    const before = css.slice(rule.start, text.start);
    // `@source inline("…")` has class names, not a path.
    return before.includes('inline(')
      ? whole
      : before + tailwindPath(text, name, level.path) + css.slice(text.end, rule.end);
  }
  const own = importConditions(css.slice(text.end, rule.end).replace(/;$/, ''), name, level.path);
  if (isExternal(text.value) && !text.value.startsWith('#')) {
    if (name === 'import') state.external.add(externalRule(text.value, [...level.conditions, ...own]));
    return '';
  }
  return importedText(css, rule.start, text.value, { ...level, conditions: [...level.conditions, ...own] }, own, state);
}

function importedText(
  css: string,
  at: number,
  specifier: string,
  level: Level,
  own: readonly string[],
  state: State,
): string {
  const { files } = state;
  const version = state.tailwind;
  const shipped = shippedSheet(specifier, version);
  const found = shipped === undefined ? resolveReference(cleanPath(specifier), level.path, files, 'style') : specifier;
  if (found === undefined) {
    throw new BuildError([{ message: `${specifier} is in no file`, ...placeOf(level.path, css, at) }]);
  }
  if (/\.(scss|sass|less|styl)$/.test(found)) {
    const message = `${specifier} is not CSS: write CSS, which nests`;
    throw new BuildError([{ message, ...placeOf(level.path, css, at) }]);
  }
  const key = [found, ...level.conditions].join('\n');
  if (level.above.includes(found) || state.imported.has(key)) return '';
  state.imported.add(key);
  const inner = { path: found, above: [...level.above, found], conditions: level.conditions };
  const text = inline(shipped ?? textOf(found, files), inner, state);
  const opened = own.map((condition) => `${condition} {\n`).join('');
  return `${opened}${text}\n${'}'.repeat(own.length)}\n`;
}

function cleanPath(specifier: string): string {
  return specifier.replace(/[?#].*$/s, '');
}

/**
 * The at-rules that stand for what follows the URL of an `@import`: its layer, `supports()`, media, and Tailwind's own
 * words.
 */
function importConditions(text: string, name: string, path: string): string[] {
  const conditions: string[] = [];
  let rest = text.replace(/\/\*[^*]{0,1000}\*\//g, ' ').trim();
  for (let count = 0; count < 3; count += 1) {
    const [head = ''] = /^(layer\b|supports\b)/i.exec(rest) ?? [];
    if (head === '') break;
    const { inside, behind } = parenthesized(rest.slice(head.length));
    if (head.toLowerCase() === 'layer') {
      conditions.push(inside === undefined ? '@layer' : `@layer ${inside}`);
    } else {
      const isDeclaration = !/^\s*(not\b|\(|selector\(|font-)/i.test(inside ?? '');
      conditions.push(isDeclaration ? `@supports (${inside})` : `@supports ${inside}`);
    }
    rest = behind;
  }
  const media = name === 'reference' ? `${rest} reference` : rest;
  const rooted = media.replace(
    /\bsource\((["'])([^"']*)\1\)/,
    (_all, _quote, source: string) => `source("${rootPath(source, path)}")`,
  );
  return rooted.trim() === '' ? conditions : [`@media ${rooted.trim()}`, ...conditions];
}

/** Splits `(a (b)) c` in `a (b)` and `c`. */
function parenthesized(text: string): { inside: string | undefined; behind: string } {
  if (!text.startsWith('(')) return { inside: undefined, behind: text.trim() };
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    depth += Number(text.charAt(index) === '(') - Number(text.charAt(index) === ')');
    if (depth === 0) return { inside: text.slice(1, index).trim(), behind: text.slice(index + 1).trim() };
  }
  return { inside: text.slice(1), behind: '' };
}

/**
 * An `@import` of another origin with the conditions around it. Those that cannot be written in one rule are dropped.
 */
function externalRule(url: string, conditions: readonly string[]): string {
  const condition = (prefix: string) =>
    conditions.filter((each) => each.startsWith(prefix)).map((each) => each.slice(prefix.length).trim());
  const layers = condition('@layer');
  const layer =
    layers.length === 0 ? '' : ` layer${layers.some(Boolean) ? `(${layers.filter(Boolean).join('.')})` : ''}`;
  const supports = condition('@supports').map((each) => `(${each})`);
  const media = condition('@media');
  const escaped = url.replace(/["\\\n]/g, (character) => `\\${character.charCodeAt(0).toString(16)} `);
  return `@import url("${escaped}")${layer}${supports.length > 0 ? ` supports(${supports.join(' and ')})` : ''} ${media.join(' and ')}`
    .trim()
    .concat(';');
}

/** The path of a rule of Tailwind from the root of the project. Names of packages stay. */
function tailwindPath(text: QuotedText, name: string, path: string): string {
  const isPath = name === 'source' || text.value.startsWith('.');
  return JSON.stringify(isPath ? rootPath(text.value, path) : text.value);
}

function rootPath(value: string, path: string): string {
  return value.startsWith('/') || value === 'none' ? value : posix.join('/', posix.dirname(path), value);
}
