import { type Files, textOf } from '../files.ts';
import { readableConfig } from './config-file.ts';
import { Callback, fromLibrary, ObjectValue, type Position, Unknown, type Value, type Warn } from './values.ts';

const NAMES = [
  ...['js', 'cjs', 'mjs', 'ts', 'cts', 'mts', 'json'].map((extension) => `postcss.config.${extension}`),
  '.postcssrc',
  '.postcssrc.json',
  '.postcssrc.js',
  '.postcssrc.cjs',
];

/** The argument of a configuration that is a function. */
const BUILD = fromLibrary({ mode: 'production', env: 'production', options: {} });

/** Plugins whose work the build does itself: Tailwind, and what browsers need of newer CSS. */
const KNOWN =
  /^(?:@tailwindcss\/(?:postcss|nesting)|tailwindcss(?:\/nesting)?|autoprefixer|postcss-(?:import|nested|nesting|preset-env)|cssnano)$/;

/** Warns of the plugins of PostCSS that the style sheets of a project may need: none of them is run. */
export function warnOfPostcss(files: Files, warn: Warn): void {
  const path = NAMES.find((name) => files.has(name)) ?? 'package.json';
  if (!files.has(path)) return;
  const value = readableConfig(files, path);
  const config = value instanceof Callback ? value.call([BUILD]) : value;
  const own = path === 'package.json' && config instanceof ObjectValue ? config.entries.get('postcss') : config;
  if (own instanceof ObjectValue) warnOfPlugins(own, files, warn);
}

/** Warns of the plugins in a configuration of PostCSS: the names of an object, or the names and calls of a list. */
export function warnOfPlugins(config: ObjectValue, files: Files, warn: Warn): void {
  const plugins = config.entries.get('plugins');
  const around = config.places.get('plugins') ?? { path: '', offset: 0 };
  const names = plugins instanceof ObjectValue ? [...plugins.entries] : [];
  const used = names.filter(([, options]) => options !== false).map(([name]) => name);
  const items = Array.isArray(plugins) ? (plugins as readonly Value[]) : used;
  for (const { name, at } of items.flatMap(foundIn)) {
    if (KNOWN.test(name) || name.startsWith('…')) continue;
    // A name is searched: offsets in JSON are not those of the file.
    const named = Math.max(0, (textOf(files, around.path) ?? '').indexOf(name));
    warn(
      at ?? { path: around.path, offset: named },
      `The plugin ${name || 'here'} of PostCSS is ignored: configuration is read, not run`,
    );
  }
}

interface Found {
  readonly name: string;
  readonly at: Position | undefined;
}

/** Returns the plugin that an item of a list is: a name, a name with options, or a call. */
function foundIn(plugin: Value): Found | [] {
  if (Array.isArray(plugin)) return foundIn((plugin as readonly Value[])[0]);
  if (typeof plugin === 'string') return { name: plugin, at: undefined };
  if (!(plugin instanceof Unknown)) return [];
  return { name: plugin.origin.replace(/\.default$/, ''), at: plugin.at };
}
