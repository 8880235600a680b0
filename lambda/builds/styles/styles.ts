import { setImmediate } from 'node:timers/promises';
import type { ProjectConfig } from '../config/settings.ts';
import type { BuildContext, Sheet, StyleContext } from '../context.ts';
import { PACKAGE_PREFIX } from '../files.ts';
import type { PackagesBundle } from '../linking/packages-bundle.ts';
import type { Wanted } from '../linking/references.ts';
import { executionOrder, type OwnCode } from '../own-code/bundle.ts';
import type { PackageTree } from '../packages/resolver.ts';
import { BuildError, placeOf } from '../problems.ts';
import { inlineImports } from './inline.ts';
import { finishStyles, lightning, styleError, syntaxProblem } from './lightning.ts';
import { publishedUrls } from './urls.ts';

/**
 * Characters of the style sheets of one page, with what they import. Beyond, the request gets a 413. Measured: Tailwind
 * 3 takes 2.5 s of processor time for half a megabyte, and four times as much for twice of it.
 */
const MAX_LENGTH = { none: 6 * 1_048_576, 3: 524_288, 4: 3 * 1_048_576 };

/**
 * Returns one style sheet of the given ones, in their order: with their `@import`s, Tailwind, prefixes, and URLs of
 * published files.
 * @throws BuildError for a syntax error or a missing file, with its place
 */
export async function bundleStyles(sheets: readonly Sheet[], context: StyleContext): Promise<string> {
  const { config } = context;
  const external = new Set<string>();
  const sources = new Map<string, string>();
  const parts: string[] = [];
  let length = 0;
  for (const sheet of sheets) {
    const inlined = inlineImports(sheet.path, sheet.css, context);
    for (const rule of inlined.external) external.add(rule);
    for (const [path, css] of inlined.sources) sources.set(path, css);
    // A lone component imports Tailwind 4 without any configuration.
    const version = config.tailwind?.version ?? (sources.has('tailwindcss') ? 4 : undefined);
    length += inlined.css.length;
    limitLength(length, MAX_LENGTH[version ?? 'none'], sheet.path);
    const compiled = version ? await withTailwind(version, inlined.css, sheet.path, sources, context) : inlined.css;
    parts.push(publishedUrls(compiled, sheet.path, context));
  }
  // Browsers ignore an `@import` behind other rules.
  const css = [...external, ...parts].join('\n');
  return css.trim() === '' ? '' : finished(css, sources, context);
}

function limitLength(length: number, maximum: number, path: string): void {
  if (length > maximum) {
    const message = `The style sheets have more than ${maximum} characters with what they import`;
    throw new BuildError([{ message, path }], 'payload_too_large');
  }
}

const loadTailwind3 = () => import('./tailwind3.ts');
const loadTailwind4 = () => import('./tailwind4.ts');

/** Loads what style sheets will need, which takes up to a second, while the bundler runs in other threads. */
export async function loadStyleTools({ tailwind }: ProjectConfig): Promise<void> {
  await setImmediate();
  lightning();
  if (tailwind) await (tailwind.version === 4 ? loadTailwind4() : loadTailwind3());
}

async function withTailwind(
  version: 3 | 4,
  css: string,
  path: string,
  sources: ReadonlyMap<string, string>,
  context: StyleContext,
): Promise<string> {
  try {
    if (version === 4) {
      const { compileTailwind4 } = await loadTailwind4();
      return await compileTailwind4(css, path, context);
    }
    const { compileTailwind3 } = await loadTailwind3();
    return await compileTailwind3(css, path, context);
  } catch (error) {
    throw problemIn(sources) ?? (error instanceof BuildError ? error : tailwindProblem(error, css, path, sources));
  }
}

function finished(css: string, sources: ReadonlyMap<string, string>, context: StyleContext): string {
  try {
    return finishStyles(css, context.minify, false);
  } catch (error) {
    const problem = problemIn(sources);
    if (problem) throw problem;
    if (error instanceof BuildError) throw error;
    context.warn({
      message: `Invalid CSS of a package is left out: ${styleError(error, 'style.css', css).message}`,
    });
    return finishStyles(css, context.minify, true);
  }
}

/** Returns the first problem of the project's own files, which have the right lines. */
function problemIn(sources: ReadonlyMap<string, string>): BuildError | undefined {
  const own = [...sources].filter(([path]) => !path.startsWith('node_modules/'));
  for (const [path, css] of own) {
    const problem = syntaxProblem(path, css);
    if (problem) return problem;
  }
  return undefined;
}

/**
 * An error of Tailwind without a place: looks for the class or text that it quotes, such as ``unknown utility class
 * `foo` ``.
 */
function tailwindProblem(error: unknown, css: string, path: string, sources: ReadonlyMap<string, string>): BuildError {
  const text = error instanceof Error ? ((error as { reason?: string }).reason ?? error.message) : String(error);
  const message = `Tailwind: ${text.split('\n')[0] ?? ''}`;
  const { line } = error as { line?: number };
  // PostCSS gives the line in what is compiled.
  const compiled = line === undefined ? undefined : css.split('\n')[line - 1]?.trim();
  const quoted = /[`"']([^`"']{1,200})[`"']/.exec(text)?.[1] ?? compiled;
  for (const [file, css] of sources) {
    const offset = quoted === undefined ? -1 : css.indexOf(quoted);
    if (offset >= 0) return new BuildError([{ message, ...placeOf(file, css, offset) }]);
  }
  return new BuildError([{ message, path }]);
}

/**
 * Removes the style sheets from what own code imports of packages, and returns their paths in the tree by specifier.
 */
export function takeSheets(wanted: Map<string, Wanted>, tree: PackageTree): ReadonlyMap<string, string> {
  const sheets = new Map<string, string>();
  for (const specifier of [...wanted.keys()]) {
    const path = (['import', 'style'] as const)
      .map((kind) => tree.resolve(specifier, 'index.html', kind))
      .find((found) => found !== undefined && found !== false);
    if (typeof path === 'string' && path.endsWith('.css')) {
      sheets.set(specifier, path);
      wanted.delete(specifier);
    }
  }
  return sheets;
}

interface OfPackages {
  readonly tree: PackageTree;
  /** The style sheets that own code imports, by specifier. */
  readonly sheets: ReadonlyMap<string, string>;
  readonly bundle: PackagesBundle;
}

/** Returns the style sheets of a page in the order in which they apply: first those that packages import. */
export function pageSheets(
  entry: string,
  { imports }: OwnCode,
  context: BuildContext,
  { tree, sheets, bundle }: OfPackages,
): readonly Sheet[] {
  const ofPackage = (path: string): Sheet => ({
    path,
    css: Buffer.from(tree.files.get(path) ?? '').toString(),
  });
  const own = executionOrder(entry, imports).flatMap((id) => {
    const path = sheets.get(id.slice(PACKAGE_PREFIX.length));
    if (id.startsWith(PACKAGE_PREFIX)) return path === undefined ? [] : ofPackage(path);
    return context.sheets.get(id) ?? [];
  });
  return [...bundle.sheets.map(ofPackage), ...own];
}
