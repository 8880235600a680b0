import postcss from 'postcss';
import colorsOf4 from 'tailwindcss/colors';
import colors from 'tailwindcss3/colors.js';
import defaultTheme from 'tailwindcss3/defaultTheme.js';
import contextUtilities from 'tailwindcss3/lib/lib/setupContextUtils.js';
import tailwind from 'tailwindcss3/lib/processTailwindFeatures.js';
import resolveConfig from 'tailwindcss3/resolveConfig.js';
import { readTailwindConfig } from '../config/tailwind-config.ts';
import type { StyleContext } from '../context.ts';
import { pathMatcher } from '../glob-pattern.ts';
import { isContent } from './candidates.ts';
import { configuredPlugin, pluginNames, shippedSheet } from './shipped.ts';

type Config = Record<string, unknown>;
interface Source {
  readonly content: string;
  readonly extension: string;
}
/** The argument of plugins of Tailwind 3, as far as it is used here. */
interface PluginApi {
  addBase(nodes: readonly postcss.ChildNode[]): void;
}

/** Projects of which Tailwind 3 has read the configuration and the sources. */
const prepared = new WeakMap<StyleContext, Promise<{ config: Config; sources: Source[] }>>();

/**
 * Returns a style sheet with the classes that the project uses. Tailwind's PostCSS plugin would look for files of the
 * machine (`@config`, `content`), so only what comes after that is used: configuration and sources are given.
 * @throws CssSyntaxError of PostCSS
 */
export async function compileTailwind3(css: string, path: string, context: StyleContext): Promise<string> {
  const preparation = prepared.get(context) ?? prepare(context);
  prepared.set(context, preparation);
  const { config, sources } = await preparation;
  const plugin: postcss.Plugin = {
    postcssPlugin: 'tailwindcss',
    async Once(root, { result }) {
      root.walkAtRules('config', (rule) => {
        rule.remove();
      });
      const create = () => () => contextUtilities.createContext(config, sources, root);
      await tailwind.default(create)(root, result);
    },
  };
  const { css: compiled } = await postcss([plugin]).process(css, { from: `/${path}`, map: false });
  return compiled;
}

async function prepare(context: StyleContext): Promise<{ config: Config; sources: Source[] }> {
  const path = context.config.tailwind?.config;
  const library = { defaultTheme, colors, plugins: pluginNames(3), loadPlugin: pluginOf3 };
  const own = path === undefined ? {} : await readTailwindConfig(path, context.project, library, context.warn);
  const resolved = resolveConfig({
    ...own,
    content: [],
    corePlugins: withoutPreflight(own.corePlugins),
    plugins: [
      ...(hasPreflight(own.corePlugins) ? [addPreflight] : []),
      ...(Array.isArray(own.plugins) ? own.plugins : []),
    ],
  } as never);
  return { config: resolved, sources: sourcesOf(own.content, context) };
}

function hasPreflight(corePlugins: unknown): boolean {
  if (Array.isArray(corePlugins)) return corePlugins.includes('preflight');
  return (corePlugins as Config | undefined)?.preflight !== false;
}

/** Tailwind's own plugin for it reads a file beside its module, which a bundle has not. */
function withoutPreflight(corePlugins: unknown): unknown {
  return Array.isArray(corePlugins)
    ? corePlugins.filter((name) => name !== 'preflight')
    : { ...(corePlugins as Config | undefined), preflight: false };
}

function addPreflight({ addBase }: PluginApi): void {
  addBase(postcss.parse(shippedSheet('tailwindcss3/preflight', 3) ?? '').nodes);
}

/** The sources that `content` of the configuration names: patterns, or texts as `raw`. */
function sourcesOf(content: unknown, { project, packages }: StyleContext): Source[] {
  const files = Array.isArray(content) ? content : (content as Config | undefined)?.files;
  const items: unknown[] = Array.isArray(files) ? files : [];
  const raw = items.flatMap((item) => {
    const { raw: text, extension } = (typeof item === 'object' && item !== null ? item : {}) as Config;
    return typeof text === 'string' ? [{ content: text, extension: String(extension ?? 'html') }] : [];
  });
  const patterns = items.filter((item) => typeof item === 'string');
  const excluded = patterns.filter((each) => each.startsWith('!')).map((each) => pathMatcher(each.slice(1), ''));
  const included = patterns.filter((each) => !each.startsWith('!')).map((each) => pathMatcher(each, ''));
  const isNamed = (path: string) =>
    included.some((matches) => matches(path)) && !excluded.some((matches) => matches(path));
  const own = [...project].filter(([path]) => (patterns.length > 0 ? isNamed(path) : isContent(path)));
  const others = patterns.some((each) => each.includes('node_modules'))
    ? [...packages.files].filter(([path]) => isNamed(path))
    : [];
  const named = [...own, ...others].map(([path, bytes]) => ({
    content: withoutLongLines(new TextDecoder().decode(bytes)),
    extension: path.slice(path.lastIndexOf('.') + 1),
  }));
  return [...raw, ...named];
}

/**
 * Breaks long lines, and words that are longer than any class name, such as Base64: the extractor takes quadratic time
 * for a line.
 */
function withoutLongLines(text: string): string {
  return text.replace(/\S{400}/g, '$&\n').replace(/[^\n]{1500}\S{0,400}(?=\s)/g, '$&\n');
}

/** Plugins take the colors of the Tailwind that is installed as `tailwindcss`: those of 4 become those of 3. */
async function pluginOf3(name: string, options: unknown): Promise<unknown> {
  const plugin = await configuredPlugin(name, options ?? (name === '@tailwindcss/typography' ? {} : undefined));
  const { handler, config } = plugin as { handler?: unknown; config?: unknown };
  return config === undefined ? plugin : { handler, config: withColorsOf3(config) };
}

function withColorsOf3(data: unknown): unknown {
  if (typeof data === 'string') return data.replace(/oklch\([^)]*\)/g, (color) => COLORS.get(color) ?? color);
  if (Array.isArray(data)) return data.map(withColorsOf3);
  if (typeof data === 'object' && data !== null) {
    return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, withColorsOf3(value)]));
  }
  return data;
}

/** The colors of Tailwind 3 by those of Tailwind 4 of the same name. */
const COLORS = new Map(
  Object.entries(colorsOf4).flatMap(([name, shades]) => {
    const { value } = Object.getOwnPropertyDescriptor(colors, name) ?? {};
    return typeof shades === 'object' && value
      ? Object.entries(shades).map(([shade, color]) => [String(color), String(value[shade])] as const)
      : [];
  }),
);
