import type { ProjectConfig } from '../config/settings.ts';
import type { Files } from '../files.ts';
import { placeOf } from '../place.ts';
import { BuildError } from '../problem.ts';
import { inlineImports } from './css/inline.ts';
import { finishStyles, styleError, syntaxProblem } from './css/lightning.ts';
import { importedPackages } from './css/packages.ts';
import { publishedUrls } from './css/urls.ts';
import type { Sheet, StyleContext } from './style-context.ts';
import { compileTailwind4 } from './tailwind/tailwind4.ts';

export { type CssModule, cssModule } from './css/module.ts';
export type { Sheet, StyleContext } from './style-context.ts';

/** The text of all style sheets of one page. Beyond, the request gets a 413. */
const MAX_LENGTH = 10 * 1_048_576;

/**
 * Returns one style sheet of the given ones, in their order: with their `@import`s, Tailwind, prefixes, and URLs of published files.
 * @throws BuildError for a syntax error or a missing file, with its place
 */
export async function bundleStyles(sheets: readonly Sheet[], context: StyleContext): Promise<string> {
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
    const compiled = await withTailwind(inlined.css, sheet.path, sources, context);
    parts.push(publishedUrls(compiled, sheet.path, context));
    length += compiled.length;
    if (length > MAX_LENGTH) {
      throw new BuildError(
        [{ message: `The style sheets exceed ${MAX_LENGTH} characters`, path: sheet.path }],
        'payload_too_large',
      );
    }
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

async function withTailwind(
  css: string,
  path: string,
  sources: ReadonlyMap<string, string>,
  context: StyleContext,
): Promise<string> {
  const version = context.config.tailwind?.version ?? (usesTailwind(sources) ? 4 : undefined);
  if (version === undefined) {
    return css;
  }
  try {
    if (version === 4) {
      return await compileTailwind4(css, path, context);
    }
    // Loading it takes over a second.
    const { compileTailwind3 } = await import('./tailwind/tailwind3.ts');
    return await compileTailwind3(css, path, context);
  } catch (error) {
    throw problemIn(sources) ?? (error instanceof BuildError ? error : tailwindProblem(error, path, sources));
  }
}

/** A lone component has Tailwind 4 without a configuration. */
function usesTailwind(sources: ReadonlyMap<string, string>): boolean {
  return sources.has('tailwindcss');
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
function tailwindProblem(error: unknown, path: string, sources: ReadonlyMap<string, string>): BuildError {
  const text =
    error instanceof Error ? ((error as { reason?: string }).reason ?? error.message) : String(error);
  const message = `Tailwind: ${text.split('\n')[0] ?? ''}`;
  const quoted = /[`"']([^`"']{1,200})[`"']/.exec(text)?.[1];
  for (const [file, css] of sources) {
    const offset = quoted === undefined ? -1 : css.indexOf(quoted);
    if (offset >= 0) {
      return new BuildError([{ message, ...placeOf(file, css, offset) }]);
    }
  }
  return new BuildError([{ message, path }]);
}
