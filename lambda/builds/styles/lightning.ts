import { createRequire } from 'node:module';
import { cssTokens } from '../../sites/references/css-tokens.ts';
import type { BuildContext } from '../context.ts';
import { BuildError, offsetOf, placeOf } from '../problems.ts';
import { scanStyles } from './scan.ts';

type Lightning = typeof import('lightningcss');

/** Loads Lightning CSS when it is first used. */
export const lightning = (): Lightning => require('lightningcss');
const require = createRequire(import.meta.url);

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
  const { code } = lightning().transform({ ...parsed, targets: TARGETS, minify });
  return new TextDecoder().decode(code);
}

/**
 * Requires that nesting can be flattened. Checks the style sheet as Lightning CSS itself has read and printed it, so
 * that no escape or error in the source can hide a rule.
 */
function requireFlattenable(parsed: Parameters<Lightning['transform']>[0]): void {
  const { code } = lightning().transform(parsed);
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
  const { Features, transform } = lightning();
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
    lightning().transform({ filename: path, code: new TextEncoder().encode(css) });
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
  if (message.startsWith('The @value rule'))
    return '@value is not supported: use custom properties, such as var(--color)';
  return message.replace(/^Unexpected token ([A-Z]\w+)(?:\((?:"(.*)"|'(.*)')\))?$/, (text, name, quoted, single) => {
    const token = TOKENS.get(name) ?? quoted ?? single;
    return token === undefined ? text : `Unexpected "${token}"`;
  });
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
 * @param convention `localsConvention` of the configuration
 * @throws BuildError for a syntax error
 */
export function cssModule(path: string, css: string, convention = ''): CssModule {
  scanStyles(path, css);
  try {
    const { code, exports } = transformModule(path, css);
    return {
      css: new TextDecoder().decode(code),
      code: moduleCode(new Map(Object.entries({ ...exportsOfEmpty(path, css), ...exports })), convention),
    };
  } catch (error) {
    throw styleError(error, path, css);
  }
}

function transformModule(path: string, css: string, errorRecovery = false) {
  const cssModules = { pattern: '_[local]_[hash]', grid: false, container: false };
  return lightning().transform({ filename: path, code: new TextEncoder().encode(css), cssModules, errorRecovery });
}

const EMPTY_BLOCK = /\{(?:\s|\/\*[^*]*\*\/)*\}/g;

/** Returns the classes of a CSS module if it has rules without declarations, of which Lightning CSS exports no class. */
function exportsOfEmpty(path: string, css: string): Exports | undefined {
  const filled = css.replace(EMPTY_BLOCK, '{--empty:0}');
  return filled === css ? undefined : transformModule(path, filled, true).exports || undefined;
}

type Exports = NonNullable<Exclude<ReturnType<Lightning['transform']>['exports'], void>>;

function moduleCode(exported: ReadonlyMap<string, Exports[string]>, convention: string): string {
  const imports = new Map<string, string>();
  const declarations: string[] = [];
  const variables = new Map<string, string>();
  const names = [...exported].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [name, { name: unique, composes }] of names) {
    const classes = [JSON.stringify(unique)];
    for (const composed of composes) {
      if (composed.type === 'dependency') {
        const imported = imports.get(composed.specifier) ?? `m${imports.size}`;
        imports.set(composed.specifier, imported);
        classes.push(`${imported}[${JSON.stringify(namesOf(composed.name, convention)[0])}]`);
      } else {
        classes.push(JSON.stringify(composed.name));
      }
    }
    const variable = `c${declarations.length}`;
    declarations.push(`const ${variable} = ${classes.join(' + " " + ')};`);
    for (const local of namesOf(name, convention)) variables.set(local, variable);
  }
  const locals = Array.from(variables, ([local, variable]) => ({ name: JSON.stringify(local), variable }));
  // Any text can be the name of an export; `default` is the object of all of them.
  const named = locals.filter(({ name }) => name !== '"default"').map(({ name, variable }) => `${variable} as ${name}`);
  const entries = locals.map(({ name, variable }) => `[${name}]: ${variable}`);
  const lines = [...imports].map(([specifier, variable]) => `import ${variable} from ${JSON.stringify(specifier)};`);
  return [
    ...lines,
    ...declarations,
    `export { ${named.join(', ')} };`,
    `export default { ${entries.join(', ')} };`,
  ].join('\n');
}

/** Returns the names under which scripts get a class, as postcss-modules has them. */
function namesOf(name: string, convention: string): string[] {
  const separators = convention.startsWith('dashes') ? /-+(\w)/g : /[\W_]+(\w?)/g;
  const joined = name.replace(separators, (_, next: string) => next.toUpperCase());
  const camel = convention.startsWith('dashes') ? joined : joined.charAt(0).toLowerCase() + joined.slice(1);
  if (convention.endsWith('Only')) return [camel];
  return /^(?:camelCase|dashes)$/.test(convention) && camel !== name ? [name, camel] : [name];
}

/** Adds a style sheet to the build, and returns the code of its module. */
export function addSheet(id: string, path: string, css: string, { sheets, config }: BuildContext): string {
  if (!/\.module\.css$/i.test(id)) {
    sheets.set(id, { path, css });
    return '';
  }
  const module = cssModule(path, css, config.localsConvention);
  sheets.set(id, { path, css: module.css });
  return module.code;
}

/**
 * Without nesting, each selector has that of the rule around it in place of every `&`: in a list, and in `& + &`, its
 * length doubles with every level. Style sheets of people have a few times their length in such selectors.
 */
const MOST = { timesLength: 8, more: 500_000 };

/**
 * Requires that a style sheet does not become far longer when its nested rules are flattened, before that takes the
 * memory.
 * @throws BuildError with the place of the rule that is too much
 */
export function requireShallowNesting(path: string, css: string): void {
  const most = MOST.timesLength * css.length + MOST.more;
  /** The length of the flattened selectors of each open block; 0 outside of style rules. */
  const open: number[] = [];
  let total = 0;
  let start = 0;
  for (const { word, start: at, end } of cssTokens(css)) {
    if (word !== '{' && word !== '}' && word !== ';') continue;
    if (word === '}') open.pop();
    if (word === '{') {
      const around = open.at(-1) ?? 0;
      const length = flatLength(css.slice(start, at), around);
      // What follows the block in the rule around it needs the selectors of that once more.
      if (around > 0) total += length + around;
      if (total > most) throw tooLong(path, css, at);
      open.push(length);
    }
    start = end;
  }
}

/** Returns the length of a block's selectors without nesting. @param around that of the block around it */
function flatLength(prelude: string, around: number): number {
  const text = prelude.replace(/\/\*[\s\S]*?\*\//g, '').trim();
  // A rule such as @media has the selectors of the one around it.
  if (text.startsWith('@')) return around;
  return text.length + around * parentsIn(text);
}

/** Returns how often the selectors of a list name the rule around it: at least once each. */
function parentsIn(selectors: string): number {
  let [total, own, depth] = [0, 0, 0];
  for (const character of selectors) {
    if (character === '&') own += 1;
    else if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    else if (character === ',' && depth === 0) {
      total += Math.max(1, own);
      own = 0;
    }
  }
  return total + Math.max(1, own);
}

function tooLong(path: string, css: string, offset: number): BuildError {
  const message =
    'The nested selectors are too long without nesting, which multiplies those of each level: use fewer levels, or shorter lists';
  return new BuildError([{ message, ...placeOf(path, css, offset) }]);
}
