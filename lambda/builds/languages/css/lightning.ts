import { Features, transform } from 'lightningcss';
import { offsetOf, placeOf } from '../../place.ts';
import { BuildError } from '../../problem.ts';

const version = (major: number, minor = 0) => (major << 16) | (minor << 8);
/** What Vite 8 calls `baseline-widely-available`. */
const TARGETS = {
  chrome: version(111),
  edge: version(111),
  firefox: version(114),
  safari: version(16, 4),
  ios_saf: version(16, 4),
};
/** Those of @tailwindcss/vite, which optimizes its output before Vite does. */
const TAILWIND_TARGETS = {
  chrome: version(111),
  firefox: version(128),
  safari: version(16, 4),
  ios_saf: version(16, 4),
};

/**
 * Returns a style sheet for the browsers that Vite builds for.
 * @param lenient skips what is invalid, as browsers do
 * @throws SyntaxError of Lightning CSS, with `loc`
 */
export function finishStyles(css: string, minify: boolean, lenient: boolean): string {
  const { code } = transform({
    filename: 'style.css',
    code: new TextEncoder().encode(css),
    targets: TARGETS,
    minify,
    errorRecovery: lenient,
  });
  return new TextDecoder().decode(code);
}

/** Returns the output of Tailwind 4 as @tailwindcss/vite does: the second time merges rules that nesting made adjacent. */
export function optimizeTailwind(css: string, minify: boolean): string {
  const once = optimized(new TextEncoder().encode(css), minify);
  const twice = new TextDecoder().decode(optimized(once, minify));
  // Browsers that support only the older syntax of media queries.
  return twice.replaceAll('@media not (', '@media not all and (');
}

function optimized(code: Uint8Array, minify: boolean): Uint8Array {
  return transform({
    filename: 'style.css',
    code,
    minify,
    drafts: { customMedia: true },
    nonStandard: { deepSelectorCombinator: true },
    include: Features.Nesting | Features.MediaQueries,
    exclude: Features.LogicalProperties | Features.DirSelector | Features.LightDark,
    targets: TAILWIND_TARGETS,
    errorRecovery: true,
  }).code;
}

/** Returns the problem of a file that is not valid CSS; undefined if it is. */
export function syntaxProblem(path: string, css: string): BuildError | undefined {
  try {
    transform({ filename: path, code: new TextEncoder().encode(css) });
    return undefined;
  } catch (error) {
    return styleError(error, path, css);
  }
}

/** Returns the error of Lightning CSS as one of the project. */
export function styleError(error: unknown, path: string, css: string): BuildError {
  const { message, loc } = error as Error & { loc?: { line: number; column: number } };
  const place = loc ? placeOf(path, css, offsetOf(css, loc.line, loc.column)) : { path };
  return new BuildError([{ message: `Invalid CSS: ${message}`, ...place }]);
}
