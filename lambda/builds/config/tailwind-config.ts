import type { BuildProblem } from '../../contract/builds.ts';
import type { Files } from '../files.ts';
import { problemAtOffset } from '../problems.ts';
import { configObject } from './config-file.ts';
import { fromLibrary, libraryData, Plugin, type Position, type Value } from './values.ts';

/** The modules that configurations of Tailwind may import. */
interface TailwindLibrary {
  readonly defaultTheme: unknown;
  readonly colors: unknown;
  /** Names of the plugins that the service has. */
  readonly plugins: readonly string[];
  /** Returns a plugin of the service with its options. */
  readonly loadPlugin: (name: string, options: unknown) => Promise<unknown>;
}

/**
 * Returns the configuration of Tailwind in a file, without what cannot be read: each part is a warning with its line.
 * Callbacks of themes become functions that evaluate an expression.
 */
export async function readTailwindConfig(
  path: string,
  files: Files,
  library: TailwindLibrary,
  warn: (warning: BuildProblem) => void,
): Promise<Record<string, unknown>> {
  // Tailwind calls a callback more than once.
  const warned = new Set<string>();
  const warnAt = (at: Position, message: string) => {
    const key = `${at.path}:${at.offset}`;
    if (warned.has(key)) return;
    warned.add(key);
    warn(problemAtOffset(files, message, at));
  };
  const value = configObject(files, path, warnAt, (specifier) => knownModule(specifier, path, library));
  if (!value) return {};
  const plugins = await loadedPlugins(value, library);
  return libraryData(value, {
    callbacks: true,
    plugin: (plugin) => plugins.get(plugin),
    leaveOut: (at) =>
      warnAt(at, 'This part of the configuration of Tailwind is ignored: configuration is read, not run'),
  }) as Record<string, unknown>;
}

function knownModule(specifier: string, path: string, library: TailwindLibrary): Value | undefined {
  const name = specifier.replace(/\.js$/, '');
  if (name === 'tailwindcss/defaultTheme') return fromLibrary(library.defaultTheme);
  if (name === 'tailwindcss/colors') return fromLibrary(library.colors);
  return library.plugins.includes(specifier) ? new Plugin(specifier, { path, offset: 0 }) : undefined;
}

/** Loads the plugins of a configuration, which is asynchronous. */
async function loadedPlugins(config: Value, library: TailwindLibrary): Promise<Map<Plugin, unknown>> {
  const found = new Set<Plugin>();
  libraryData(config, { leaveOut: () => {}, plugin: (plugin) => found.add(plugin) });
  const plugins = new Map<Plugin, unknown>();
  for (const plugin of found) {
    const options = libraryData(plugin.options, { leaveOut: () => {} });
    plugins.set(plugin, await library.loadPlugin(plugin.name, options));
  }
  return plugins;
}
