import { posix } from 'node:path';
import { type Files, textOf } from '../files.ts';
import { record } from '../packages/manifest.ts';
import { configObject } from './config-file.ts';
import type { Alias, JsxSettings } from './settings.ts';
import { libraryData, type Warn } from './values.ts';

/** Configurations that are read, through `extends` and `references`. */
const MAX_CONFIGS = 50;
/** Targets for which TypeScript assigns fields of classes, unless `useDefineForClassFields` is set. */
const ASSIGNS_FIELDS = /^es(?:[356]|20(?:1\d|2[01]))$/i;
/** TypeScript replaces this by the folder of the project's configuration. */
const CONFIG_DIR = /\$\{configDir\}/;

interface TsSettings {
  readonly aliases: readonly Alias[];
  readonly jsx: JsxSettings & { readonly target?: string };
}

/**
 * Returns the aliases and settings of JSX in tsconfig.json, or else jsconfig.json, and in the configurations that they
 * refer to.
 */
export function readTsconfig(files: Files, warn: Warn): TsSettings {
  const root = ['tsconfig.json', 'jsconfig.json'].find((path) => files.has(path));
  if (root === undefined) return { aliases: [], jsx: {} };
  const seen = new Set<string>();
  const settings = settingsOf(root, files, seen, warn);
  // Vite's templates have their settings in tsconfig.app.json; tsconfig.node.json is for vite.config.ts alone.
  const references = referencesOf(jsonOf(root, files, () => {})).map((path) => configPath(root, path, files));
  const others = references
    .filter((path) => path !== undefined)
    .filter((path) => !path.includes('node'))
    .map((path) => settingsOf(path, files, seen, warn));
  const all = [...others, settings];
  const { target = 'es5', ...jsx }: TsSettings['jsx'] = Object.assign(
    {},
    settings.jsx,
    ...others.map(({ jsx }) => jsx),
  );
  const isTypeScript = root === 'tsconfig.json';
  return {
    aliases: distinct(all.flatMap(({ aliases }) => aliases)),
    jsx: { ...(isTypeScript && ASSIGNS_FIELDS.test(target) && { useDefineForClassFields: false }), ...jsx },
  };
}

/** A pattern that several configurations have is the one of the first. */
function distinct(aliases: readonly Alias[]): Alias[] {
  const patterns = new Set<string>();
  return aliases.filter(({ pattern }) => {
    const isFirst = !patterns.has(pattern);
    patterns.add(pattern);
    return isFirst;
  });
}

function settingsOf(path: string, files: Files, seen: Set<string>, warn: Warn): TsSettings {
  if (seen.has(path) || seen.size >= MAX_CONFIGS) return { aliases: [], jsx: {} };
  seen.add(path);
  const json = jsonOf(path, files, warn);
  // A configuration that is in no file is ignored: those of packages have no paths, and new targets.
  const bases = texts(json?.extends)
    .map((base) => configPath(path, base, files))
    .map((base) => (base ? settingsOf(base, files, seen, warn) : { aliases: [], jsx: { target: 'esnext' } }));
  const options = record(json?.compilerOptions);
  if (options.emitDecoratorMetadata === true) warnOfMetadata(path, files, warn);
  const own = aliasesOf(options, posix.dirname(path));
  const inherited = bases.toReversed().find(({ aliases }) => aliases.length > 0);
  return {
    aliases: own.length > 0 ? own : (inherited?.aliases ?? []),
    jsx: Object.assign({}, ...bases.map(({ jsx }) => jsx), jsxOf(options)),
  };
}

/** Types are not read, so that decorators get no `design:type`. */
function warnOfMetadata(path: string, files: Files, warn: Warn): void {
  const name = 'emitDecoratorMetadata';
  const offset = Math.max(0, (textOf(files, path) ?? '').indexOf(name));
  warn({ path, offset }, `"${name}" is ignored: decorators get no types at run time`);
}

function aliasesOf(options: Readonly<Record<string, unknown>>, folder: string): Alias[] {
  const { baseUrl } = options;
  const root = (path: string) => posix.join('/', folder, path.replace(CONFIG_DIR, '.'));
  const base = typeof baseUrl === 'string' ? root(baseUrl) : posix.join('/', folder);
  const paths = Object.entries(record(options.paths)).map(([pattern, targets]) => ({
    pattern,
    targets: texts(targets).map((target) => posix.join(base, target.replace(CONFIG_DIR, '.'))),
  }));
  const whole = typeof baseUrl === 'string' ? [{ pattern: '*', targets: [posix.join(base, '*')] }] : [];
  // TypeScript prefers the pattern with the longest text before its star.
  paths.sort((a, b) => b.pattern.replace('*', '').length - a.pattern.replace('*', '').length);
  return [...paths, ...whole];
}

function jsxOf(options: Readonly<Record<string, unknown>>): TsSettings['jsx'] {
  const names = ['target', 'jsx', 'jsxImportSource', 'jsxFactory', 'jsxFragmentFactory'] as const;
  const settings = Object.fromEntries(
    names.flatMap((name) => (typeof options[name] === 'string' ? [[name, options[name]]] : [])),
  );
  const { useDefineForClassFields } = options;
  return typeof useDefineForClassFields === 'boolean' ? { ...settings, useDefineForClassFields } : settings;
}

/** Returns the JSON of a file, which may have comments and trailing commas. */
function jsonOf(path: string, files: Files, warn: Warn): Readonly<Record<string, unknown>> | undefined {
  const value = configObject(files, path, warn);
  return value && record(libraryData(value, { leaveOut: () => {} }));
}

function referencesOf(json: Readonly<Record<string, unknown>> | undefined): string[] {
  const references = Array.isArray(json?.references) ? json.references : [];
  return references.flatMap((reference) => texts(record(reference).path));
}

/** Returns the path of the file that `extends` or a reference names, as far as it is a file of the project. */
function configPath(from: string, name: string, files: Files): string | undefined {
  if (!name.startsWith('.')) return undefined;
  const path = posix.join(posix.dirname(from), name);
  return [path, `${path}.json`, posix.join(path, 'tsconfig.json')].find((each) => files.has(each));
}

function texts(value: unknown): string[] {
  const items = Array.isArray(value) ? value : [value];
  return items.filter((item) => typeof item === 'string');
}
