import { posix } from 'node:path';
import type { BuildProblem } from '../../contract/builds.ts';
import type { Files } from '../files.ts';
import { placeOf } from '../problems.ts';
import { ConfigSyntaxError, evaluateConfig } from './evaluator.ts';
import type { Alias } from './settings.ts';
import { libraryData, ObjectValue, type Position, Unknown, type Value } from './values.ts';

const NAMES = ['ts', 'js', 'mts', 'mjs', 'cts', 'cjs'].map((extension) => `vite.config.${extension}`);

/** Plugins whose work the build does itself, or that only matter to the development server. */
const KNOWN_PLUGINS = new Set([
  '@vitejs/plugin-react',
  '@vitejs/plugin-react-swc',
  '@vitejs/plugin-react-oxc',
  '@vitejs/plugin-vue',
  '@preact/preset-vite',
  '@sveltejs/vite-plugin-svelte',
  '@tailwindcss/vite',
  'lovable-tagger',
  'vite-plugin-solid',
  'vite-tsconfig-paths',
]);
/** Options of these plugins that change nothing in a built page, or that the build applies. */
const KNOWN_OPTIONS = new Set([
  'include',
  'exclude',
  'jsxRuntime',
  'jsxImportSource',
  'fastRefresh',
  'tsDecorators',
  'reactRefreshHost',
  'hot',
  'dev',
  'devtools',
  'devToolsEnabled',
  'prefreshEnabled',
  'loose',
  'root',
  'projects',
]);

/** Settings of the resolver that the build applies, or that change nothing without links. */
const KNOWN_RESOLVE = new Set(['alias', 'dedupe', 'preserveSymlinks', 'tsconfigPaths']);

/** Settings of Vite that change what a page shows, and that this build does not have. */
const UNSUPPORTED = ['publicDir', 'envDir', 'envPrefix', 'css', 'worker', 'esbuild', 'oxc'];

interface ViteSettings {
  readonly aliases: readonly Alias[];
  readonly define: ReadonlyMap<string, string>;
  /** Of the plugin for React. */
  readonly jsxImportSource?: string;
}

/** Returns the aliases and definitions of vite.config. */
export function readViteConfig(files: Files, warnings: BuildProblem[]): ViteSettings {
  const path = NAMES.find((name) => files.has(name));
  if (path === undefined) return { aliases: [], define: new Map() };
  const warn = (at: Position, message: string) => {
    warnings.push({ message, ...placeOf(at.path, new TextDecoder().decode(files.get(at.path)), at.offset) });
  };
  try {
    const value = evaluateConfig(files, path);
    if (!(value instanceof ObjectValue)) {
      warn(
        { path, offset: 0 },
        'This file is ignored, because its default export is not an object that can be read',
      );
      return { aliases: [], define: new Map() };
    }
    warnOfUnsupported(value, path, warn);
    const resolve = value.entries.get('resolve');
    const jsxImportSource = optionsOf(value)
      .map(({ options }) => options.entries.get('jsxImportSource'))
      .find((source) => typeof source === 'string');
    return {
      aliases: resolve instanceof ObjectValue ? aliasesOf(resolve.entries.get('alias'), warn) : [],
      define: definitionsOf(value.entries.get('define'), warn),
      ...(jsxImportSource !== undefined && { jsxImportSource }),
    };
  } catch (error) {
    if (!(error instanceof ConfigSyntaxError)) throw error;
    warn(error, `This file is ignored, because it cannot be parsed: ${error.message}`);
    return { aliases: [], define: new Map() };
  }
}

type Warn = (at: Position, message: string) => void;

function pluginsOf(config: ObjectValue): Unknown[] {
  const plugins = config.entries.get('plugins');
  const items = Array.isArray(plugins) ? (plugins as readonly Value[]) : [];
  return items.filter((plugin) => plugin instanceof Unknown);
}

/** Returns the options of the plugins that the build stands in for. */
function optionsOf(config: ObjectValue) {
  return pluginsOf(config)
    .filter(({ origin }) => KNOWN_PLUGINS.has(packageOf(origin)))
    .flatMap(({ at, origin, args: [options] }) =>
      options instanceof ObjectValue ? [{ at, name: packageOf(origin), options }] : [],
    );
}

function warnOfUnsupported(config: ObjectValue, path: string, warn: Warn): void {
  for (const { at, origin } of pluginsOf(config)) {
    const name = packageOf(origin);
    if (!KNOWN_PLUGINS.has(name))
      warn(at, `The plugin ${name || 'here'} is ignored: configuration is read, not run`);
  }
  for (const { at, name, options } of optionsOf(config)) {
    for (const option of options.entries.keys())
      if (!KNOWN_OPTIONS.has(option) && !option.startsWith('…'))
        warn(at, `"${option}" of ${name} is ignored`);
  }
  const resolve = config.entries.get('resolve');
  for (const name of resolve instanceof ObjectValue ? resolve.entries.keys() : [])
    if (!KNOWN_RESOLVE.has(name))
      warn({ path, offset: 0 }, `"resolve.${name}" of the configuration of Vite is ignored`);
  for (const name of UNSUPPORTED.filter((each) => config.entries.has(each))) {
    warn({ path, offset: 0 }, `"${name}" of the configuration of Vite is ignored`);
  }
}

/** The package of an origin such as `@vitejs/plugin-react.default` or `lovable-tagger.componentTagger`. */
function packageOf(origin: string): string {
  const [known] = [...KNOWN_PLUGINS].filter((name) => origin === name || origin.startsWith(`${name}.`));
  return known ?? origin;
}

function aliasesOf(value: Value, warn: Warn): Alias[] {
  if (Array.isArray(value)) {
    return (value as readonly Value[]).flatMap((item) =>
      item instanceof ObjectValue
        ? alias(item.entries.get('find'), item.entries.get('replacement'), warn)
        : [],
    );
  }
  const entries = value instanceof ObjectValue ? [...value.entries] : [];
  return entries.flatMap(([find, replacement]) => alias(find, replacement, warn));
}

/** Vite replaces a name, and a name with a slash after it. */
function alias(find: Value, replacement: Value, warn: Warn): Alias[] {
  if (typeof find === 'string' && typeof replacement === 'string') {
    const folder = find.endsWith('/') ? find : `${find}/`;
    const path = replacement.startsWith('.') ? posix.join('/', replacement) : replacement;
    const target = path.endsWith('/') ? path : `${path}/`;
    return [
      { pattern: find, targets: [path] },
      { pattern: `${folder}*`, targets: [`${target}*`] },
    ];
  }
  for (const part of [find, replacement]) {
    if (part instanceof Unknown) {
      warn(
        part.at,
        'This alias is ignored, because it is neither a text nor a path: configuration is read, not run',
      );
    }
  }
  return [];
}

/** Texts are expressions; other values are written as JSON. */
function definitionsOf(value: Value, warn: Warn): Map<string, string> {
  const entries = value instanceof ObjectValue ? [...value.entries] : [];
  const definitions = new Map<string, string>();
  for (const [name, definition] of entries) {
    const data = libraryData(definition, {
      leaveOut: (at) => warn(at, `The definition of ${name} is ignored: configuration is read, not run`),
    });
    if (data !== undefined) definitions.set(name, typeof data === 'string' ? data : JSON.stringify(data));
  }
  return definitions;
}
