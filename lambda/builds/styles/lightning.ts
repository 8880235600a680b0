import { Features, transform } from 'lightningcss';
import type { BuildContext } from '../context.ts';
import { BuildError, offsetOf, placeOf } from '../problems.ts';
import { requireShallowNesting } from './nesting.ts';
import { scanStyles } from './scan.ts';

const version = (major: number, minor = 0) => (major << 16) | (minor << 8);
/** Vite 8's `baseline-widely-available`. */
const TARGETS = {
  chrome: version(111),
  edge: version(111),
  firefox: version(114),
  safari: version(16, 4),
  ios_saf: version(16, 4),
};
/** The targets of @tailwindcss/vite, which optimizes its output before Vite does. */
const TAILWIND_TARGETS = {
  chrome: version(111),
  firefox: version(128),
  safari: version(16, 4),
  ios_saf: version(16, 4),
};

/**
 * Returns a style sheet for the browsers that Vite builds for.
 * @param lenient skips what is invalid, as browsers do
 * @throws SyntaxError of Lightning CSS, with `loc`; BuildError for nesting that cannot be flattened
 */
export function finishStyles(css: string, minify: boolean, lenient: boolean): string {
  const parsed = { filename: 'style.css', code: new TextEncoder().encode(css), errorRecovery: lenient };
  requireFlattenable(parsed);
  const { code } = transform({ ...parsed, targets: TARGETS, minify });
  return new TextDecoder().decode(code);
}

/**
 * Requires that nesting can be flattened. Checks the style sheet as Lightning CSS itself has read and printed it, so
 * that no escape or error in the source can hide a rule.
 */
function requireFlattenable(parsed: Parameters<typeof transform>[0]): void {
  const { code } = transform(parsed);
  requireShallowNesting('style.css', new TextDecoder().decode(code));
}

/**
 * Returns the output of Tailwind 4 as @tailwindcss/vite does: the second time merges rules that nesting made adjacent.
 */
export function optimizeTailwind(css: string, minify: boolean): string {
  const once = optimized(new TextEncoder().encode(css), minify);
  const twice = new TextDecoder().decode(optimized(once, minify));
  // Browsers that support only the older syntax of media queries.
  return twice.replaceAll('@media not (', '@media not all and (');
}

function optimized(code: Uint8Array, minify: boolean): Uint8Array {
  const parsed = {
    filename: 'style.css',
    code,
    drafts: { customMedia: true },
    nonStandard: { deepSelectorCombinator: true },
    errorRecovery: true,
  };
  requireFlattenable(parsed);
  return transform({
    ...parsed,
    minify,
    include: Features.Nesting | Features.MediaQueries,
    exclude: Features.LogicalProperties | Features.DirSelector | Features.LightDark,
    targets: TAILWIND_TARGETS,
  }).code;
}

/** Returns the problem of a file that is not valid CSS, or too deeply nested; undefined if it is fine. */
export function syntaxProblem(path: string, css: string): BuildError | undefined {
  try {
    requireShallowNesting(path, css);
    transform({ filename: path, code: new TextEncoder().encode(css) });
    return undefined;
  } catch (error) {
    return error instanceof BuildError ? error : styleError(error, path, css);
  }
}

/** Returns the error of Lightning CSS as one of the project. */
export function styleError(error: unknown, path: string, css: string): BuildError {
  const { message, loc } = error as Error & { loc?: { line: number; column: number } };
  const place = loc ? placeOf(path, css, offsetOf(css, loc.line, loc.column)) : { path };
  return new BuildError([{ message: `Invalid CSS: ${withTokens(message)}`, ...place }]);
}

/** Tokens by the names that Lightning CSS gives them. */
const TOKENS: ReadonlyMap<string, string> = new Map([
  ['Colon', ':'],
  ['Semicolon', ';'],
  ['Comma', ','],
  ['CurlyBracketBlock', '{'],
  ['ParenthesisBlock', '('],
  ['SquareBracketBlock', '['],
  ['CloseCurlyBracket', '}'],
  ['CloseParenthesis', ')'],
  ['CloseSquareBracket', ']'],
]);

/** Returns a message with tokens as they are written: `Unexpected token ";"`. */
function withTokens(message: string): string {
  return message.replace(
    /^Unexpected token ([A-Z]\w+)(?:\((?:"(.*)"|'(.*)')\))?$/,
    (text, name, quoted, single) => {
      const token = TOKENS.get(name) ?? quoted ?? single;
      return token === undefined ? text : `Unexpected "${token}"`;
    },
  );
}

/** A CSS module. */
interface CssModule {
  /** With its class names made unique; for `Sheet.css`. */
  readonly css: string;
  /**
   * An ES module that exports the class names, as the default export and by name. It imports the modules that it
   * composes.
   */
  readonly code: string;
}

/**
 * Makes the class names of a CSS module unique: `title` becomes `_title_<hash of the path>`.
 * @throws BuildError for a syntax error
 */
export function cssModule(path: string, css: string): CssModule {
  scanStyles(path, css);
  try {
    const { code, exports } = transform({
      filename: path,
      code: new TextEncoder().encode(css),
      cssModules: { pattern: '_[local]_[hash]', grid: false, container: false },
    });
    return { css: new TextDecoder().decode(code), code: moduleCode(new Map(Object.entries(exports || {}))) };
  } catch (error) {
    throw styleError(error, path, css);
  }
}

type Exports = NonNullable<Exclude<ReturnType<typeof transform>['exports'], void>>;

function moduleCode(exported: ReadonlyMap<string, Exports[string]>): string {
  const imports = new Map<string, string>();
  const declarations: string[] = [];
  const named: string[] = [];
  const entries: string[] = [];
  const names = [...exported].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [name, { name: unique, composes }] of names) {
    const classes = [JSON.stringify(unique)];
    for (const composed of composes) {
      if (composed.type === 'dependency') {
        const imported = imports.get(composed.specifier) ?? `m${imports.size}`;
        imports.set(composed.specifier, imported);
        classes.push(`${imported}[${JSON.stringify(composed.name)}]`);
      } else {
        classes.push(JSON.stringify(composed.name));
      }
    }
    const variable = `c${declarations.length}`;
    declarations.push(`const ${variable} = ${classes.join(' + " " + ')};`);
    // Any text can be the name of an export; `default` is the object of all of them.
    if (name !== 'default') named.push(`${variable} as ${JSON.stringify(name)}`);
    entries.push(`[${JSON.stringify(name)}]: ${variable}`);
  }
  const lines = [...imports].map(
    ([specifier, variable]) => `import ${variable} from ${JSON.stringify(specifier)};`,
  );
  return [
    ...lines,
    ...declarations,
    `export { ${named.join(', ')} };`,
    `export default { ${entries.join(', ')} };`,
  ].join('\n');
}

/** Adds a style sheet to the build, and returns the code of its module. */
export function addSheet(id: string, path: string, css: string, { sheets }: BuildContext): string {
  if (!/\.module\.css$/i.test(id)) {
    sheets.set(id, { path, css });
    return '';
  }
  const module = cssModule(path, css);
  sheets.set(id, { path, css: module.css });
  return module.code;
}
