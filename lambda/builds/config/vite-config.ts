import { posix } from 'node:path';
import type { Files } from '../files.ts';
import { configObject } from './config-file.ts';
import { warnOfPlugins } from './postcss-config.ts';
import type { Alias } from './settings.ts';
import {
  fromLibrary,
  libraryData,
  ObjectValue,
  type Position,
  RegularExpression,
  Unknown,
  type Value,
  type Warn,
} from './values.ts';
import { type PluginSettings, readPlugins } from './vite-plugins.ts';

const NAMES = ['ts', 'js', 'mts', 'mjs', 'cts', 'cjs'].map((extension) => `vite.config.${extension}`);

/** Settings of the resolver that the build applies, or that change nothing without links. */
const KNOWN_RESOLVE = new Set(['alias', 'dedupe', 'extensions', 'preserveSymlinks', 'tsconfigPaths']);

/** Settings of Vite that change what a page shows, and that this build does not have. */
const UNSUPPORTED = ['publicDir', 'envDir', 'envPrefix', 'worker', 'esbuild', 'oxc', 'assetsInclude'];

/** The defaults of options, which some projects write down, and files that are assets anyway. */
const DEFAULTS = new Map([
  ['publicDir', /^(?:\.{0,2}\/)*public\/?$/],
  ['envPrefix', /^VITE_$/],
  ['envDir', /^[./]*$/],
  ['assetsInclude', /^(?:,?(?:\*\*\/)?\*\.(?:glb|gltf|hdr|exr|bin))+$/i],
]);

/** Settings below `build`, of which others only decide how its files are named, divided and written. */
const UNSUPPORTED_BUILD = ['lib', 'ssr', 'cssTarget', 'commonjsOptions', 'dynamicImportVarsOptions'];

/** Targets for browsers that are older than those the build makes a site for. */
const OLD_TARGET = /^es(3|5|6|201\d)$/i;

/** The same below `build.rollupOptions`. */
const UNSUPPORTED_BUNDLER = ['external', 'plugins', 'treeshake', 'resolve', 'transform', 'shimMissingExports'];

interface ViteSettings extends PluginSettings {
  readonly define: ReadonlyMap<string, string>;
  readonly extensions?: readonly string[];
  readonly base?: string;
  readonly localsConvention?: string;
}

/** Returns the settings of vite.config. @param variables that `loadEnv` returns */
export function readViteConfig(files: Files, variables: ReadonlyMap<string, string>, warn: Warn): ViteSettings {
  const path = NAMES.find((name) => files.has(name));
  if (path === undefined) return { aliases: [], define: new Map() };
  const value = configObject(files, path, warn, undefined, fromLibrary(Object.fromEntries(variables)));
  if (!value) return { aliases: [], define: new Map() };
  const plugins = readPlugins(value.entries.get('plugins'), warn);
  warnOfUnsupported(value, files, warn);
  const resolve = objectIn(value, 'resolve').entries;
  const base = value.entries.get('base');
  const extensions = libraryData(resolve.get('extensions'), { leaveOut: () => {} });
  const localsConvention = objectIn(objectIn(value, 'css'), 'modules').entries.get('localsConvention');
  return {
    ...plugins,
    // As in Vite, an empty base is the folder of the page.
    ...(typeof base === 'string' && { base: base || './' }),
    aliases: [...aliasesOf(resolve.get('alias'), warn), ...plugins.aliases],
    define: definitionsOf(value.entries.get('define'), warn),
    ...(Array.isArray(extensions) && { extensions: extensions.map(String) }),
    ...(typeof localsConvention === 'string' && { localsConvention }),
  };
}

function warnOfUnsupported(config: ObjectValue, files: Files, warn: Warn): void {
  const ignore = (name: string, at: Position | undefined) =>
    at && warn(at, `"${name}" of the configuration of Vite is ignored`);
  for (const [name, at] of objectIn(config, 'resolve').places)
    if (!KNOWN_RESOLVE.has(name)) ignore(`resolve.${name}`, at);
  for (const name of UNSUPPORTED.filter((each) => config.entries.has(each)))
    if (!DEFAULTS.get(name)?.test(String(config.entries.get(name)))) ignore(name, config.places.get(name));
  const css = objectIn(config, 'css');
  for (const [name, value] of css.entries) {
    if (name === 'postcss' && value instanceof ObjectValue) warnOfPlugins(value, files, warn);
    else if (name !== 'devSourcemap' && name !== 'modules') ignore(`css.${name}`, css.places.get(name));
  }
  for (const [name, at] of objectIn(css, 'modules').places)
    if (name !== 'localsConvention') ignore(`css.modules.${name}`, at);
  warnOfBuild(objectIn(config, 'build'), ignore);
}

/** Returns the object that another one has under a name, or an empty object. */
function objectIn(around: ObjectValue, name: string): ObjectValue {
  const value = around.entries.get(name);
  return value instanceof ObjectValue ? value : new ObjectValue();
}

function warnOfBuild(build: ObjectValue, ignore: (name: string, at: Position | undefined) => void): void {
  for (const name of UNSUPPORTED_BUILD) ignore(`build.${name}`, build.places.get(name));
  const target = build.entries.get('target');
  if (typeof target === 'string' && OLD_TARGET.test(target)) ignore('build.target', build.places.get('target'));
  for (const bundler of ['rollupOptions', 'rolldownOptions']) {
    const { places } = objectIn(build, bundler);
    for (const name of UNSUPPORTED_BUNDLER) ignore(`build.${bundler}.${name}`, places.get(name));
  }
}

function aliasesOf(value: Value, warn: Warn): Alias[] {
  if (Array.isArray(value)) {
    return (value as readonly Value[]).flatMap((item) =>
      item instanceof ObjectValue ? alias(item.entries.get('find'), item.entries.get('replacement'), warn) : [],
    );
  }
  const entries = value instanceof ObjectValue ? [...value.entries] : [];
  return entries.flatMap(([find, replacement]) => alias(find, replacement, warn));
}

/** Vite replaces a name, and a name with a slash after it. */
function alias(find: Value, replacement: Value, warn: Warn): Alias[] {
  const path =
    typeof replacement === 'string' && replacement.startsWith('.') ? posix.join('/', replacement) : replacement;
  if (typeof find === 'string' && typeof path === 'string') {
    const folder = find.endsWith('/') ? find : `${find}/`;
    const target = path.endsWith('/') ? path : `${path}/`;
    return [
      { pattern: find, targets: [path] },
      { pattern: `${folder}*`, targets: [`${target}*`] },
    ];
  }
  const byExpression = find instanceof RegularExpression && typeof path === 'string';
  const simple = byExpression ? aliasOfExpression(find.source, path) : undefined;
  if (simple) return [simple];
  if (find instanceof RegularExpression) {
    warn(find.at, 'This alias is ignored: of regular expressions, only the beginning of a name is read');
    return [];
  }
  for (const part of [find, replacement]) {
    if (part instanceof Unknown) {
      warn(part.at, 'This alias is ignored, because it is neither a text nor a path: configuration is read, not run');
    }
  }
  return [];
}

/** A text at the beginning, such as `^@\/`, all of the name, or a text and what follows it: `^~(.*)$`. */
const BEGINNING = /^\^((?:[\w@~#/:-]|\\[/.$@~#-])+)(\(\.[*+]\)\$?|\$|\.\*)?$/;

/** Returns the alias that is equivalent to a regular expression; undefined if it matches more than the beginning of a name. */
function aliasOfExpression(source: string, replacement: string): Alias | undefined {
  const [, escaped, rest = ''] = BEGINNING.exec(source) ?? [];
  if (escaped === undefined) return undefined;
  const text = escaped.replaceAll('\\', '');
  if (rest === '') return { pattern: `${text}*`, targets: [`${replacement}*`] };
  const target = rest.startsWith('(') ? replacement.replace('$1', '*') : replacement;
  return { pattern: rest === '$' ? text : `${text}*`, targets: [target] };
}

/** Texts are expressions; other values are written as JSON. */
function definitionsOf(value: Value, warn: Warn): Map<string, string> {
  const entries = value instanceof ObjectValue ? [...value.entries] : [];
  const definitions = new Map<string, string>();
  for (const [name, definition] of entries) {
    const data = libraryData(definition, {
      leaveOut: (at) =>
        warn(
          at,
          `The definition of ${name} is ignored: configuration is read, not run, and has no variables but those that begin with VITE_`,
        ),
    });
    if (data !== undefined) definitions.set(name, typeof data === 'string' ? data : JSON.stringify(data));
  }
  return definitions;
}
