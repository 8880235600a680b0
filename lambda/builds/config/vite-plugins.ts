import type { Alias, VueSettings } from './settings.ts';
import { Callback, libraryData, ObjectValue, type Position, Unknown, type Value, type Warn } from './values.ts';

/** The options of the plugins that the build replaces. */
export interface PluginSettings {
  readonly jsxImportSource?: string;
  readonly vue?: VueSettings;
  readonly svgr?: 'query' | 'all';
  /** The aliases of Preact's preset, whose components replace those of React. */
  readonly aliases: readonly Alias[];
}

const REACT = ['jsxRuntime', 'jsxImportSource', 'fastRefresh', 'reactRefreshHost'];
const COMPILER = 'template.compilerOptions';

/**
 * The plugins whose work the build does itself, or that only matter to the development server, with the options that it
 * applies, or that change nothing in a built page.
 */
const KNOWN: ReadonlyMap<string, readonly string[]> = new Map([
  ['@vitejs/plugin-react', REACT],
  ['@vitejs/plugin-react-swc', [...REACT, 'tsDecorators', 'devTarget']],
  ['@vitejs/plugin-react-oxc', REACT],
  [
    '@vitejs/plugin-vue',
    [
      'template.transformAssetUrls',
      ...['isCustomElement', 'whitespace', 'delimiters', 'comments'].map((name) => `${COMPILER}.${name}`),
    ],
  ],
  ['@preact/preset-vite', ['jsxImportSource', 'devtools', 'devToolsEnabled', 'prefreshEnabled', 'reactAliasesEnabled']],
  ['@sveltejs/vite-plugin-svelte', ['hot', 'inspector']],
  ['@tailwindcss/vite', ['optimize']],
  ['lovable-tagger', []],
  ['vite-plugin-solid', ['dev', 'hot']],
  ['vite-plugin-svgr', []],
  ['vite-tsconfig-paths', ['root', 'projects', 'loose']],
]);
/** Which files a plugin works on: the build decides by their extension. */
const FILTERS = ['include', 'exclude'];

/** The aliases of Preact's preset. */
const COMPAT: readonly Alias[] = [
  { pattern: 'react-dom/test-utils', targets: ['preact/test-utils'] },
  ...['react', 'react-dom'].flatMap((name) => [
    { pattern: name, targets: ['preact/compat'] },
    { pattern: `${name}/*`, targets: ['preact/compat/*'] },
  ]),
];

/** Reads the options of the plugins that the build replaces, and warns of other plugins and other options. */
export function readPlugins(plugins: Value, warn: Warn): PluginSettings {
  let settings: PluginSettings = { aliases: [] };
  for (const plugin of flattened(plugins)) {
    const name = packageOf(plugin.origin);
    const known = KNOWN.get(name);
    if (known === undefined) {
      warn(plugin.at, `The plugin ${name || 'here'} is ignored: configuration is read, not run`);
      continue;
    }
    const [given] = plugin.args;
    const options = given instanceof ObjectValue ? given : new ObjectValue();
    warnOfOthers(options, '', [...FILTERS, ...known], (option, at) =>
      warn(at ?? plugin.at, `"${option}" of ${name} is ignored`),
    );
    const jsxImportSource = options.entries.get('jsxImportSource');
    if (typeof jsxImportSource === 'string') settings = { ...settings, jsxImportSource };
    if (name === '@vitejs/plugin-vue') settings = { ...settings, vue: vueSettings(options, warn) };
    if (name === 'vite-plugin-svgr') settings = { ...settings, svgr: svgImports(options) };
    if (name === '@preact/preset-vite' && options.entries.get('reactAliasesEnabled') !== false)
      settings = { ...settings, aliases: COMPAT };
  }
  return settings;
}

/** Returns the plugins of a list, which may have lists in it, and plugins of the project itself. */
function flattened(plugins: Value): Unknown[] {
  if (plugins instanceof Unknown) return [plugins];
  if (plugins instanceof ObjectValue) {
    const name = plugins.entries.get('name');
    const [at] = plugins.places.values();
    return at ? [new Unknown(at, typeof name === 'string' ? name : '')] : [];
  }
  return Array.isArray(plugins) ? (plugins as readonly Value[]).flatMap(flattened) : [];
}

/** The package of an origin such as `@vitejs/plugin-react.default` or `lovable-tagger.componentTagger`. */
function packageOf(origin: string): string {
  const [known] = [...KNOWN.keys()].filter((name) => origin === name || origin.startsWith(`${name}.`));
  // An import by name is a member of its module.
  return known ?? origin.replace(/(?:\.[a-z_$][\w$]*)+$/i, '');
}

/** Calls back for each option that is not known, by its path. Known ones may be in an object: `template.compilerOptions`. */
function warnOfOthers(
  options: ObjectValue,
  path: string,
  known: readonly string[],
  warn: (option: string, at: Position | undefined) => void,
): void {
  for (const [name, value] of options.entries) {
    const option = path + name;
    if (known.includes(option) || name.startsWith('…')) continue;
    const isAround = value instanceof ObjectValue && known.some((each) => each.startsWith(`${option}.`));
    if (isAround) warnOfOthers(value, `${option}.`, known, warn);
    else warn(option, options.places.get(name));
  }
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** The settings of templates that are data, and whether a value is one. */
const TEMPLATE_DATA: Readonly<Record<string, (value: unknown) => boolean>> = {
  whitespace: (value) => value === 'preserve' || value === 'condense',
  delimiters: (value) =>
    Array.isArray(value) && value.length === 2 && value.every((each) => isText(each) && each !== ''),
  comments: (value) => typeof value === 'boolean',
};

function vueSettings(options: ObjectValue, warn: Warn): VueSettings {
  const leaveOut = (at: Position) => warn(at, 'This setting of Vue is ignored: configuration is read, not run');
  const template = options.entries.get('template');
  const { entries } = template instanceof ObjectValue ? template : new ObjectValue();
  const compiler = entries.get('compilerOptions');
  const given = compiler instanceof ObjectValue ? compiler.entries : new Map<string, Value>();
  const compilerOptions: Record<string, unknown> = {};
  for (const [name, isValid] of Object.entries(TEMPLATE_DATA)) {
    const value = libraryData(given.get(name), { leaveOut });
    if (isValid(value)) compilerOptions[name] = value;
  }
  const isCustomElement = given.get('isCustomElement');
  if (isCustomElement instanceof Callback) compilerOptions.isCustomElement = elementTest(isCustomElement, warn);
  return {
    assetUrls: assetUrlsOf(libraryData(entries.get('transformAssetUrls'), { leaveOut })),
    compilerOptions,
  };
}

/** Without a pattern of its own, the plugin works on `?react`. */
function svgImports({ entries }: ObjectValue): 'query' | 'all' {
  const include = entries.get('include');
  const isOfQuery = include === undefined || String(include).includes('?react');
  return isOfQuery ? 'query' : 'all';
}

/** Attributes by tag, also as the member `tags`; false for none, and undefined for those of the compiler. */
function assetUrlsOf(given: unknown): VueSettings['assetUrls'] {
  if (given === false) return false;
  const tags = Object.entries(Object(Object(given).tags ?? given));
  const valid = tags.filter((tag): tag is [string, string[]] => Array.isArray(tag[1]) && tag[1].every(isText));
  return valid.length === 0 ? undefined : Object.fromEntries(valid);
}

/** Returns a test of tags by a function of the project, as far as that can be evaluated. */
function elementTest(callback: Callback, warn: Warn): (tag: string) => boolean {
  const known = new Map<string, boolean>();
  const isKnown = typeof callback.call(['x-tag']) === 'boolean';
  if (!isKnown) warn(callback.at, 'This setting of Vue is ignored: configuration is read, not run');
  return (tag) => {
    const is = known.get(tag) ?? callback.call([tag]) === true;
    known.set(tag, is);
    return is;
  };
}
