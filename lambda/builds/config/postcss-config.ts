import type { BuildProblem } from '../../contract/builds.ts';
import { type Files, textOf } from '../files.ts';
import { placeOf } from '../problems.ts';
import { ConfigSyntaxError, evaluateConfig } from './evaluator.ts';
import { ObjectValue, Plugin, Unknown, type Value } from './values.ts';

const NAMES = [
  ...['js', 'cjs', 'mjs', 'ts', 'cts', 'mts', 'json'].map((extension) => `postcss.config.${extension}`),
  '.postcssrc',
  '.postcssrc.json',
  '.postcssrc.js',
  '.postcssrc.cjs',
];

/** Plugins whose work the build does itself: Tailwind, and what browsers need of newer CSS. */
const KNOWN =
  /^(?:@tailwindcss\/(?:postcss|nesting)|tailwindcss(?:\/nesting)?|autoprefixer|postcss-(?:import|nested|nesting|preset-env)|cssnano)$/;

/** Warns of the plugins of PostCSS that the style sheets of a project may need: none of them is run. */
export function warnOfPostcss(files: Files, warnings: BuildProblem[]): void {
  const path = NAMES.find((name) => files.has(name));
  if (path === undefined) return;
  for (const { name, offset } of pluginsOf(files, path)) {
    if (KNOWN.test(name) || name.startsWith('…')) continue;
    const message = `The plugin ${name || 'here'} of PostCSS is ignored: configuration is read, not run`;
    warnings.push({ message, ...placeOf(path, textOf(files, path) ?? '', offset) });
  }
}

interface Found {
  readonly name: string;
  readonly offset: number;
}

/** Returns the plugins of a configuration: the names of an object, or the calls of a list. */
function pluginsOf(files: Files, path: string): Found[] {
  const config = configOf(files, path);
  const plugins = config instanceof ObjectValue ? config.entries.get('plugins') : undefined;
  if (plugins instanceof ObjectValue) {
    const text = textOf(files, path) ?? '';
    const used = [...plugins.entries].filter(([, options]) => options !== false);
    return used.map(([name]) => ({ name, offset: Math.max(0, text.indexOf(name)) }));
  }
  return Array.isArray(plugins) ? (plugins as readonly Value[]).flatMap(foundIn) : [];
}

function foundIn(plugin: Value): Found | [] {
  if (typeof plugin === 'string') return { name: plugin, offset: 0 };
  if (plugin instanceof Plugin) return { name: plugin.name, offset: plugin.at.offset };
  if (!(plugin instanceof Unknown)) return [];
  return { name: plugin.origin.replace(/\.default$/, ''), offset: plugin.at.offset };
}

function configOf(files: Files, path: string): Value {
  try {
    return evaluateConfig(files, path);
  } catch (error) {
    if (error instanceof ConfigSyntaxError) return undefined;
    throw error;
  }
}
