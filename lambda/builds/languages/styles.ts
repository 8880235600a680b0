import type { ProjectConfig } from '../config/settings.ts';
import type { Files } from '../files.ts';
import { placeOf } from '../place.ts';
import { BuildError } from '../problem.ts';
import { inlineImports } from './css/inline.ts';
import { finishStyles, styleError, syntaxProblem } from './css/lightning.ts';
import { importedPackages } from './css/packages.ts';
import { publishedUrls } from './css/urls.ts';
import type { Sheet, StyleContext } from './style-context.ts';

export { type CssModule, cssModule } from './css/module.ts';
export type { Sheet, StyleContext } from './style-context.ts';

/**
 * Characters of the style sheets of one page, with what they import. Beyond, the request gets a 413. Measured: Tailwind 3 takes 2.5 s of
 * processor time for half a megabyte, and four times as much for twice of it.
 */
const MAX_LENGTH = { none: 6 * 1_048_576, 3: 524_288, 4: 3 * 1_048_576 };

/**
 * Returns one style sheet of the given ones, in their order: with their `@import`s, Tailwind, prefixes, and URLs of published files.
 * @throws BuildError for a syntax error or a missing file, with its place
 */
export async function bundleStyles(sheets: readonly Sheet[], context: StyleContext): Promise<string> {
  const { config } = context;
  const external = new Set<string>();
  const sources = new Map<string, string>();
  const parts: string[] = [];
  let length = 0;
  for (const sheet of sheets) {
    const inlined = inlineImports(sheet.path, sheet.css, context, context.warn);
    for (const rule of inlined.external) {
      external.add(rule);
    }
    for (const [path, css] of inlined.sources) {
      sources.set(path, css);
    }
    // A lone component imports Tailwind 4 without any configuration.
    const version = config.tailwind?.version ?? (sources.has('tailwindcss') ? 4 : undefined);
    length += inlined.css.length;
    limitLength(length, MAX_LENGTH[version ?? 'none'], sheet.path);
    const compiled = version
      ? await withTailwind(version, inlined.css, sheet.path, sources, context)
      : inlined.css;
    parts.push(publishedUrls(compiled, sheet.path, context));
  }
  // Browsers ignore an `@import` behind other rules.
  const css = [...external, ...parts].join('\n');
  return css.trim() === '' ? '' : finished(css, sources, context);
}

/** Returns the names of the packages that style sheets import, such as `@fontsource/inter`. Those that are shipped are left out. */
export function packagesOfStyles(
  sheets: readonly Sheet[],
  project: Files,
  config: ProjectConfig,
): Set<string> {
  return importedPackages(sheets, project, config);
}

function limitLength(length: number, maximum: number, path: string): void {
  if (length > maximum) {
    const message = `The style sheets have more than ${maximum} characters with what they import`;
    throw new BuildError([{ message, path }], 'payload_too_large');
  }
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
      const { compileTailwind4 } = await import('./tailwind/tailwind4.ts');
      return await compileTailwind4(css, path, context);
    }
    // Loading it takes over a second.
    const { compileTailwind3 } = await import('./tailwind/tailwind3.ts');
    return await compileTailwind3(css, path, context);
  } catch (error) {
    throw (
      problemIn(sources) ?? (error instanceof BuildError ? error : tailwindProblem(error, css, path, sources))
    );
  }
}

function finished(css: string, sources: ReadonlyMap<string, string>, context: StyleContext): string {
  try {
    return finishStyles(css, context.minify, false);
  } catch (error) {
    const problem = problemIn(sources);
    if (problem) {
      throw problem;
    }
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
    if (problem) {
      return problem;
    }
  }
  return undefined;
}

/** An error of Tailwind without a place: looks for the class or text that it quotes, such as ``unknown utility class `foo` ``. */
function tailwindProblem(
  error: unknown,
  css: string,
  path: string,
  sources: ReadonlyMap<string, string>,
): BuildError {
  const text =
    error instanceof Error ? ((error as { reason?: string }).reason ?? error.message) : String(error);
  const message = `Tailwind: ${text.split('\n')[0] ?? ''}`;
  const { line } = error as { line?: number };
  // PostCSS gives the line in what is compiled.
  const compiled = line === undefined ? undefined : css.split('\n')[line - 1]?.trim();
  const quoted = /[`"']([^`"']{1,200})[`"']/.exec(text)?.[1] ?? compiled;
  for (const [file, css] of sources) {
    const offset = quoted === undefined ? -1 : css.indexOf(quoted);
    if (offset >= 0) {
      return new BuildError([{ message, ...placeOf(file, css, offset) }]);
    }
  }
  return new BuildError([{ message, path }]);
}
