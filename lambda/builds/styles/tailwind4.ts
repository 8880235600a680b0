import { posix } from 'node:path';
import { compile } from 'tailwindcss';
import colors from 'tailwindcss/colors';
import defaultTheme from 'tailwindcss/defaultTheme';
import { BUILD_LIMITS } from '../../contract/limits.ts';
import { readTailwindConfig } from '../config/tailwind-config.ts';
import type { StyleContext } from '../context.ts';
import { expandBraces, relativeMatcher } from '../glob-pattern.ts';
import { BuildError } from '../problems.ts';
import { candidatesOf, isContent } from './candidates.ts';
import { optimizeTailwind } from './lightning.ts';
import { configuredPlugin, pluginNames, shippedPlugin } from './shipped.ts';

type Compiler = Awaited<ReturnType<typeof compile>>;

/** `Features` of Tailwind, a constant enumeration that only its own compiler can import. */
const APPLY = 1;
const PLUGINS = 4;
const THEME_FUNCTION = 8;
const UTILITIES = 16;
const VARIANTS = 32;
const CANDIDATES_AT_A_TIME = 10_000;
/** A plugin that does nothing, with and without options. */
const NO_PLUGIN = Object.assign(() => ({ handler: () => {} }), { __isOptionsFunction: true });
/** The features for which @tailwindcss/vite compiles a style sheet. Others stay as they are. */
const COMPILED = APPLY | PLUGINS | THEME_FUNCTION | UTILITIES | VARIANTS;

/**
 * Returns a style sheet with the classes that the project uses. Tailwind gets no file of the machine: imports are
 * inlined already, and paths begin with `/`, the root of the project.
 * @throws Error of Tailwind, such as for an unknown class in `@apply`
 */
export async function compileTailwind4(css: string, path: string, context: StyleContext): Promise<string> {
  requireFewClasses(css, path);
  const compiler = await compile(css, {
    base: '/',
    loadModule: async (id, base, kind) => ({
      path: id,
      base,
      module: await moduleOf(id, kind, path, context),
    }),
    loadStylesheet: async (id) => {
      throw new Error(`@import "${id}" must be at the top level of a style sheet`);
    },
  });
  if ((compiler.features & COMPILED) === 0) return css;
  const usesClasses = (compiler.features & UTILITIES) !== 0;
  const candidates = usesClasses ? [...candidatesOfSources(compiler, context)] : [];
  return optimizeTailwind(builtStyles(compiler, candidates, path), context.minify);
}

/** More than the classes of any design. Tailwind would write all of them down, whatever memory and time that takes. */
const MOST_INLINE = 100_000;

/** Requires that the braces of all `@source inline("p-{1..9}")` stand for few classes. @throws BuildError */
function requireFewClasses(css: string, path: string): void {
  let total = 0;
  for (const [rule] of css.matchAll(/@source\b(?:"[^"]*"|'[^']*'|[^"';])*/g)) {
    let classes = 1;
    for (const [group] of rule.matchAll(/\{[^{}]*|,/g)) {
      const [, first, last, step = 1] = /(-?\d+)\.\.(-?\d+)(?:\.\.(-?\d+))?/.exec(group) ?? [];
      // A group has one choice more than commas; what is too much here is so in any order.
      classes *=
        first === undefined
          ? group.split(',').length
          : Math.floor(Math.abs((Number(last) - Number(first)) / (Number(step) || 1))) + 1;
    }
    total += classes;
    if (total > MOST_INLINE)
      throw new BuildError([{ message: `@source stands for more than ${MOST_INLINE} classes: name fewer`, path }]);
  }
}

/** Adds candidates in parts, so that no project gets more styles than a site may have. */
function builtStyles(compiler: Compiler, candidates: readonly string[], path: string): string {
  let css = '';
  let start = 0;
  do {
    css = compiler.build(candidates.slice(start, start + CANDIDATES_AT_A_TIME));
    start += CANDIDATES_AT_A_TIME;
    if (css.length > BUILD_LIMITS.outputFileBytes) {
      throw new BuildError([{ message: 'The project uses too many classes of Tailwind', path }], 'payload_too_large');
    }
  } while (start < candidates.length);
  return css;
}

/**
 * Returns a test of paths for the pattern of a `@source`, as Tailwind reads it: brackets in folders before the first `*` are part of a
 * name, such as `app/[id]/*.tsx`; braces may have one choice; a folder includes everything in it.
 */
function sourceMatcher(pattern: string, base: string): (path: string) => boolean {
  const matchers = expandBraces(pattern.replace(/\{([^{},.]*)\}/g, '$1')).map((each) => {
    const [, folders = '', rest = ''] = /^((?:[^*/]*\/)*)(.*)$/s.exec(each) ?? [];
    const folder = posix.join(base, folders);
    const named = posix.join(folder, rest, '/').slice(1);
    const matches = relativeMatcher(rest === '' ? '**' : rest, folder, true);
    return (path: string) => matches(path) || path.startsWith(named);
  });
  return (path) => matchers.some((matches) => matches(path));
}

function candidatesOfSources({ root, sources }: Compiler, { project, packages }: StyleContext): Set<string> {
  const whole = root !== null && root !== 'none' ? sourceMatcher(root.pattern, root.base) : undefined;
  const isIncluded = (path: string) => root !== 'none' && isContent(path) && (whole?.(path) ?? true);
  const matchers = sources.map(({ pattern, base, negated }) => ({
    matches: sourceMatcher(pattern, base),
    negated,
  }));
  const paths = new Set<string>();
  for (const path of [...project.keys(), ...(sources.length > 0 ? packages.files.keys() : [])]) {
    const isOfPackage = path.startsWith('node_modules/');
    const isNegated = matchers.some(({ matches, negated }) => negated && matches(path));
    const isNamed = matchers.some(({ matches, negated }) => !negated && matches(path));
    if (!isNegated && (isNamed || (!isOfPackage && isIncluded(path)))) paths.add(path);
  }
  return new Set([...candidatesOf(paths, project), ...candidatesOf(paths, packages.files)]);
}

/** A plugin of the service, or a configuration that is read; otherwise a plugin or configuration that does nothing. */
async function moduleOf(id: string, kind: 'plugin' | 'config', path: string, context: StyleContext): Promise<never> {
  if (kind === 'config') return (await configOf(id, context)) as never;
  const plugin = await shippedPlugin(id);
  if (plugin === undefined) {
    context.warn({
      message: `@plugin "${id}" is ignored: plugins of a project are code, which is not run`,
      path,
    });
  }
  return (plugin ?? NO_PLUGIN) as never;
}

async function configOf(id: string, context: StyleContext): Promise<unknown> {
  const file = posix.normalize(id).replace(/^\//, '');
  if (!context.project.has(file)) {
    context.warn({ message: `@config "${id}" is in no file`, path: file });
    return {};
  }
  const library = { defaultTheme, colors, plugins: pluginNames(4), loadPlugin: configuredPlugin };
  return await readTailwindConfig(file, context.project, library, context.warn);
}
