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
