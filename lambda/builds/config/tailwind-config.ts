import type { BuildProblem } from '../../contract/builds.ts';
import type { Files } from '../files.ts';
import { problemAtOffset } from '../problems.ts';
import { configObject } from './config-file.ts';
import { fromLibrary, libraryData, type Position, type Unknown, type Value } from './values.ts';

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
  const value = configObject(files, path, warnAt, (specifier) => knownModule(specifier, library));
  if (!value) return {};
  const plugins = await loadedPlugins(value, library);
  return libraryData(value, {
    callbacks: true,
    known: (part) => plugins.get(part),
    leaveOut: (at) =>
      warnAt(at, 'This part of the configuration of Tailwind is ignored: configuration is read, not run'),
  }) as Record<string, unknown>;
}

function knownModule(specifier: string, library: TailwindLibrary): Value | undefined {
  const name = specifier.replace(/\.js$/, '');
  if (name === 'tailwindcss/defaultTheme') return fromLibrary(library.defaultTheme);
  return name === 'tailwindcss/colors' ? fromLibrary(library.colors) : undefined;
}

/** Loads the plugins of a configuration: imports of their packages, and calls of these with options. */
async function loadedPlugins(config: Value, library: TailwindLibrary): Promise<Map<Unknown, unknown>> {
  const found = new Set<Unknown>();
  libraryData(config, { leaveOut: () => {}, known: (part) => found.add(part) });
  const plugins = new Map<Unknown, unknown>();
  for (const plugin of found) {
    const name = plugin.origin.replace(/\.default$/, '');
    if (!library.plugins.includes(name)) continue;
    const options = libraryData(plugin.args[0], { leaveOut: () => {} });
    plugins.set(plugin, await library.loadPlugin(name, options));
  }
  return plugins;
}
