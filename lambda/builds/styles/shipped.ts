import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/**
 * The style sheets that are part of the service, by specifier. They are read from `node_modules`: `SHIPPED_FILES` are
 * copied beside the bundle of the function.
 */
const FILES: ReadonlyMap<string, string> = new Map([
  ['tailwindcss', 'tailwindcss/index.css'],
  ...['index', 'preflight', 'theme', 'utilities'].flatMap((name) =>
    ['', '.css'].map((end) => [`tailwindcss/${name}${end}`, `tailwindcss/${name}.css`] as const),
  ),
  ['tw-animate-css', 'tw-animate-css/dist/tw-animate.css'],
  ['tw-animate-css/prefix', 'tw-animate-css/dist/tw-animate-prefix.css'],
  ['tw-animate-css/dist/tw-animate.css', 'tw-animate-css/dist/tw-animate.css'],
  // For tailwind3.ts; no project imports it.
  ['tailwindcss3/preflight', 'tailwindcss3/lib/css/preflight.css'],
]);
/** Paths in `node_modules`. */
export const SHIPPED_FILES: readonly string[] = [...new Set(FILES.values())];
/** The content of the files of Tailwind 3. */
const TAILWIND_3 = new Map(
  ['base', 'components', 'utilities', 'variants', 'screens'].flatMap((name) => [
    [`tailwindcss/${name}`, `@tailwind ${name};`],
    [`tailwindcss/${name}.css`, `@tailwind ${name};`],
  ]),
);
const PACKAGES = new Set(['tailwindcss', 'tw-animate-css']);

const read = new Map<string, string>();

/** Returns a style sheet that is part of the service; undefined if a specifier is for none. */
export function shippedSheet(specifier: string, tailwind: 3 | 4): string | undefined {
  const directive = tailwind === 3 ? TAILWIND_3.get(specifier) : undefined;
  const file = FILES.get(specifier);
  if (directive !== undefined || file === undefined) return directive;
  const css = read.get(file) ?? readFileSync(pathOf(file), 'utf8');
  read.set(file, css);
  return css;
}

/** Reports if a package's style sheets are part of the service, so that it is not fetched for them. */
export function isShipped(packageName: string): boolean {
  return PACKAGES.has(packageName);
}

/** Returns the path of a file of `node_modules`. Its package may not export it, so it is not resolved as a module. */
function pathOf(file: string): string {
  const folders = createRequire(import.meta.url).resolve.paths(file) ?? [];
  const path = folders.map((folder) => join(folder, file)).find((each) => existsSync(each));
  if (path === undefined) {
    throw new Error(`node_modules/${file} is missing: it is part of the function of builds`);
  }
  return path;
}

/** The plugins of Tailwind that the service has; projects name them. */
const PLUGINS: ReadonlyMap<string, () => Promise<{ default: unknown }>> = new Map([
  ['tailwindcss-animate', () => import('tailwindcss-animate')],
  ['@tailwindcss/typography', () => import('@tailwindcss/typography')],
  ['@tailwindcss/forms', () => import('@tailwindcss/forms')],
  ['@tailwindcss/container-queries', () => import('@tailwindcss/container-queries')],
  ['daisyui', () => import('daisyui')],
  ['daisyui/theme', () => import('daisyui/theme')],
]);

/** The names of the plugins. daisyUI 5 needs Tailwind 4. */
export function pluginNames(tailwind: 3 | 4): string[] {
  return [...PLUGINS.keys()].filter((name) => tailwind === 4 || !name.startsWith('daisyui'));
}

/** Returns a plugin; undefined if the service has none of the name. */
export async function shippedPlugin(name: string): Promise<unknown> {
  const load = PLUGINS.get(name);
  const exported = load && (await load()).default;
  // CommonJS modules that were ES modules have their default export there.
  return (exported as { default?: unknown } | undefined)?.default ?? exported;
}

/** Returns a plugin for `plugins` of a configuration: with options, it is a function of them. */
export async function configuredPlugin(name: string, options: unknown): Promise<unknown> {
  const plugin = await shippedPlugin(name);
  return typeof plugin === 'function' && options !== undefined ? plugin(options) : plugin;
}
