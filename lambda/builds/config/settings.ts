import type { BuildProblem } from '../../contract/builds.ts';

/** The settings of tsconfig.json that change how scripts are compiled. */
export interface JsxSettings {
  readonly jsx?: string;
  readonly jsxImportSource?: string;
  readonly jsxFactory?: string;
  readonly jsxFragmentFactory?: string;
  /** If false, fields of classes are assigned, which calls setters: decorators of Lit need that. */
  readonly useDefineForClassFields?: boolean;
}

/** The settings of the plugin for Vue. */
export interface VueSettings {
  /** The attributes with URLs of files by tag, instead of those that the compiler knows; false for none. */
  readonly assetUrls: Readonly<Record<string, string[]>> | false | undefined;
  /** The options for templates: the tags that are custom elements, and how texts are read. */
  readonly compilerOptions: Readonly<Record<string, unknown>>;
}

/** Which Tailwind a project uses. */
export interface TailwindSetting {
  readonly version: 3 | 4;
  /** Path of its tailwind.config. */
  readonly config?: string;
}

/** The settings of a project. Its configuration files are read, never run. */
export interface ProjectConfig {
  /** The folder of the project that is the root of its page, such as `client/`; empty for the whole project. */
  readonly root: string;
  /** Where another host has the site, such as `/my-repository/`: here it is elsewhere. */
  readonly base?: string | undefined;
  /** The names of the packages that package.json declares. */
  readonly dependencies: ReadonlySet<string>;
  /** The `VITE_*` variables of the files and the request. */
  readonly variables: ReadonlyMap<string, string>;
  /** In the order in which they are tried. */
  readonly aliases: readonly Alias[];
  /** The extensions that imports may leave out, of `resolve.extensions`; undefined for those of Vite. */
  readonly extensions?: readonly string[] | undefined;
  /** Expressions in JavaScript by the name that they replace. */
  readonly define: ReadonlyMap<string, string>;
  /** How classes of CSS modules are exported: `camelCase`, `dashes`, and the same with `Only` at the end. */
  readonly localsConvention?: string | undefined;
  readonly jsx: JsxSettings;
  readonly vue?: VueSettings | undefined;
  /** Which imports of SVG are components of React: those with `?react`, or all. */
  readonly svgr?: 'query' | 'all' | undefined;
  readonly tailwind: TailwindSetting | undefined;
  /** The parts of the configuration that are ignored, each with its file and line. */
  readonly warnings: readonly BuildProblem[];
}

/** A specifier that stands for another: `paths` of tsconfig.json or `resolve.alias` of vite.config. */
export interface Alias {
  /** A specifier, or one with a `*` that stands for any text, such as `@/*`. */
  readonly pattern: string;
  /**
   * The specifiers that replace it; the first one that exists is used. Those that begin with `/` are paths in the
   * project, such as `/src/*`; others are specifiers of packages, such as `preact/compat`.
   */
  readonly targets: readonly string[];
}

/**
 * Returns what a specifier may stand for, in the order to try: `/src/lib/utils` in the project, or the specifier of a
 * package. Empty if no alias matches. Results are not aliased again.
 */
export function aliasTargets(specifier: string, aliases: readonly Alias[]): string[] {
  return aliases.flatMap(({ pattern, targets }) => {
    const matched = starOf(specifier, pattern);
    return matched === undefined ? [] : targets.map((target) => target.replace('*', () => matched));
  });
}

/** Returns the aliases of packages by packages, which also hold for what packages import. */
export function packageAliases(aliases: readonly Alias[]): Alias[] {
  return aliases.filter(({ targets: [target = '/'] }) => !target.startsWith('/'));
}

/** The text that the `*` of a pattern stands for; empty for a pattern without one; undefined if it does not match. */
export function starOf(specifier: string, pattern: string): string | undefined {
  const star = pattern.indexOf('*');
  if (star < 0) return specifier === pattern ? '' : undefined;
  const before = pattern.slice(0, star);
  const after = pattern.slice(star + 1);
  const fits = specifier.length >= before.length + after.length;
  return fits && specifier.startsWith(before) && specifier.endsWith(after)
    ? specifier.slice(star, specifier.length - after.length)
    : undefined;
}
