import { posix } from 'node:path';
import { relativeMatcher } from '../glob-pattern.ts';
import { bare, cookedOf, isImportMeta, type Node, propertyOf, type Rewrite, stringOf, type Visitor } from './syntax.ts';

const MOST_PATTERNS = 50;
const MOST_GLOBS = 200;
const MOST_FILES = 1_000;

interface GlobOptions {
  readonly eager?: boolean;
  /** Name of the export; undefined for the whole module. */
  readonly import?: string | undefined;
  /** Empty, or begins with `?`. */
  readonly query: string;
  readonly base?: string | undefined;
  readonly exhaustive?: boolean;
}

/** Replaces `import.meta.glob(…)`, and `globEager` of Vite 2, by an object of the files that match, with their imports. */
export function rewriteGlobs(rewrite: Rewrite): Visitor {
  let count = 0;
  return (node) => {
    const callee = node.type === 'CallExpression' ? bare(node.callee) : undefined;
    if (callee?.type !== 'MemberExpression') return false;
    const isEager = propertyOf(callee) === 'globEager';
    if (!isImportMeta(callee.object) || !(isEager || propertyOf(callee) === 'glob')) return false;
    const [first, second] = node.arguments as Node[];
    const patterns = patternsOf(first);
    if (!patterns) rewrite.fail(node, 'import.meta.glob takes strings only, which are known when the project is built');
    const given = optionsOf(bare(second), rewrite);
    const options = isEager ? { ...given, eager: true } : given;
    if (count++ === MOST_GLOBS) rewrite.fail(node, `A module may have at most ${MOST_GLOBS} calls of import.meta.glob`);
    const name = `__glob_${count}`;
    rewrite.edits.update(node.start, node.end, globObject(patterns, options, name, node, rewrite));
    return true;
  };
}

function patternsOf(given: Node | undefined): string[] | undefined {
  const node = bare(given);
  const elements = node?.type === 'ArrayExpression' ? (node.elements as (Node | null)[]) : [node];
  const patterns = elements.map((element) => stringOf(element));
  return patterns.every((pattern) => pattern !== undefined) ? patterns : undefined;
}

function optionsOf(node: Node | undefined, rewrite: Rewrite): GlobOptions {
  const options = new Map<string, unknown>();
  if (node && node.type !== 'ObjectExpression')
    rewrite.fail(node, 'The options of import.meta.glob must be an object literal');
  for (const property of (node?.properties as Node[] | undefined) ?? []) {
    const name = property.type === 'Property' ? ((property.key as Node).name ?? stringOf(property.key)) : undefined;
    const value = property.value as Node;
    if (typeof name !== 'string') rewrite.fail(property, 'The options of import.meta.glob must be literals');
    options.set(name, value.type === 'ObjectExpression' ? queryOfObject(value) : (stringOf(value) ?? value.value));
  }
  const as = options.get('as');
  const query = String(options.get('query') ?? as ?? '');
  const imported = options.get('import') ?? (as === 'raw' || as === 'url' ? 'default' : undefined);
  return {
    eager: options.get('eager') === true,
    import: typeof imported === 'string' && imported !== '*' ? imported : undefined,
    query: query === '' || query.startsWith('?') ? query : `?${query}`,
    base: typeof options.get('base') === 'string' ? String(options.get('base')) : undefined,
    exhaustive: options.get('exhaustive') === true,
  };
}

function queryOfObject(node: Node): string {
  const query = new URLSearchParams();
  for (const property of node.properties as Node[]) {
    const name = (property.key as Node | undefined)?.name ?? stringOf(property.key);
    query.set(String(name), String((property.value as Node | undefined)?.value ?? ''));
  }
  return query.toString();
}

/** The code of an object whose values import the files that match, or are their exports. */
function globObject(patterns: string[], options: GlobOptions, name: string, node: Node, rewrite: Rewrite): string {
  const folder = posix.dirname(rewrite.path);
  const baseFolder = posix.resolve('/', folder, options.base ?? '').slice(1);
  const isRelative = patterns.every((pattern) => pattern.startsWith('.') || pattern.startsWith('!'));
  const entries = filesOf(patterns, baseFolder, options, rewrite, node).map((path, index) => {
    const key = keyOf(path, baseFolder, isRelative || options.base !== undefined);
    const specifier = JSON.stringify(`/${path}${options.query}`);
    if (options.eager) {
      const variable = `${name}_${index}`;
      const binding =
        options.import === undefined ? `* as ${variable}` : `{ ${asName(options.import)} as ${variable} }`;
      rewrite.addImport(`import ${binding} from ${specifier}`);
      return `${JSON.stringify(key)}: ${variable}`;
    }
    const pick = options.import === undefined ? '' : `.then((m) => m[${JSON.stringify(options.import)}])`;
    return `${JSON.stringify(key)}: () => import(${specifier})${pick}`;
  });
  return `/* #__PURE__ */ Object.assign({${entries.join(', ')}})`;
}

/** Export names need not be identifiers. */
const asName = (name: string) => (/^[\w$]+$/.test(name) ? name : JSON.stringify(name));

function keyOf(path: string, folder: string, relative: boolean): string {
  if (!relative) return `/${path}`;
  const key = posix.relative(folder, path);
  return key.startsWith('../') ? key : `./${key}`;
}

/** The paths of the project's files that match, sorted. */
function filesOf(patterns: string[], folder: string, options: GlobOptions, rewrite: Rewrite, node: Node): string[] {
  if (patterns.length > MOST_PATTERNS) rewrite.fail(node, `import.meta.glob has more than ${MOST_PATTERNS} patterns`);
  const matcherOf = (pattern: string) => patternMatcher(pattern, folder, options.exhaustive, rewrite, node);
  const positive = patterns.filter((pattern) => !pattern.startsWith('!')).map(matcherOf);
  const negative = patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => matcherOf(pattern.slice(1)));
  const files = [...rewrite.context.project.keys()].filter(
    (path) =>
      path !== rewrite.path && positive.some((matches) => matches(path)) && !negative.some((matches) => matches(path)),
  );
  if (files.length > MOST_FILES) rewrite.fail(node, `import.meta.glob matches more than ${MOST_FILES} files`);
  return files.sort();
}

/** Returns a test of paths. Folders that hold the module are no part of the pattern, whatever their names have. */
function patternMatcher(
  pattern: string,
  folder: string,
  exhaustive = false,
  rewrite: Rewrite,
  node: Node,
): (path: string) => boolean {
  if (/^\.{1,2}\//.test(pattern)) return relativeMatcher(pattern, folder, exhaustive);
  if (/^(?:\/|\*\*)/.test(pattern)) return relativeMatcher(pattern.replace(/^\//, ''), '', exhaustive);
  const targets = rewrite.context.resolver.aliased(pattern).filter((target) => target.startsWith('/'));
  if (targets.length === 0) {
    rewrite.fail(node, `The pattern "${pattern}" of import.meta.glob must begin with "./", "../", "/" or an alias`);
  }
  const matchers = targets.map((target) => relativeMatcher(target.slice(1), '', exhaustive));
  return (path) => matchers.some((matches) => matches(path));
}

/** Reports if a pattern means files of the project. */
export function isOwnPattern(pattern: string, { context }: Rewrite): boolean {
  return /^\.{0,2}\//.test(pattern) || context.resolver.aliased(pattern).length > 0;
}

/** Replaces `import('./pages/' + name + '.tsx')` and its template by a choice among the files that it can mean. */
export function rewriteDynamicImports(rewrite: Rewrite): Visitor {
  return (node) => {
    if (node.type !== 'ImportExpression') return false;
    const source = node.source as Node;
    const pattern = variablePattern(source);
    if (pattern === undefined) return false;
    const [path = '', query = ''] = pattern.split('?', 2);
    if (!isOwnPattern(path, rewrite) || !/\.\w+$/.test(path)) {
      const advice =
        'A path that is put together must begin with a folder such as "./pages/" and end with an extension';
      rewrite.warn(node, `This import is not built: ${advice}`);
      return true;
    }
    const { files, key } = chosenFile(path, source, { query: query && `?${query}` }, rewrite);
    rewrite.edits.update(
      node.start,
      node.end,
      `((files, path) => files[path] ? files[path]() : ${REJECT})(${files}, ${withoutQuery(key, query)})`,
    );
    return true;
  };
}

const REJECT = 'Promise.reject(new Error("Unknown variable dynamic import: " + path))';

const withoutQuery = (key: string, query: string) => (query ? `(${key}).split("?")[0]` : key);

/** Returns the code of an object of the files that match a pattern, and of the key that an expression means in it. */
export function chosenFile(pattern: string, expression: Node, options: GlobOptions, rewrite: Rewrite) {
  const value = rewrite.code.slice(expression.start, expression.end);
  const files = globObject([pattern], options, `__chosen_${expression.start}`, expression, rewrite);
  return { files, key: /^\.{0,2}\//.test(pattern) ? value : aliasedKey(pattern, value, rewrite) };
}

/** `@/pages/${name}.tsx` as a key of the object, which has paths from the root. */
function aliasedKey(path: string, value: string, { context }: Rewrite): string {
  const target = context.resolver.aliased(path)[0] ?? path;
  let same = 0;
  while (same < path.length && path.at(-1 - same) === target.at(-1 - same)) same++;
  const before = JSON.stringify(target.slice(0, target.length - same));
  return `(${before} + (${value}).slice(${path.length - same}))`;
}

/** `./pages/*.tsx` for a path that is put together; undefined if it is known, or altogether unknown. */
export function variablePattern(node: Node): string | undefined {
  if (node.type === 'TemplateLiteral') {
    const quasis = (node.quasis as Node[]).map(cookedOf);
    return quasis.length > 1 && quasis[0] !== '' ? quasis.join('*') : undefined;
  }
  if (node.type !== 'BinaryExpression' || node.operator !== '+') return undefined;
  const pattern = patternOf(node, 0).replaceAll(/\*{2,}/g, '*');
  return pattern.startsWith('*') ? undefined : pattern;
}

function patternOf(node: Node, depth: number): string {
  const text = stringOf(node);
  if (text !== undefined) return text;
  if (node.type === 'TemplateLiteral') return (node.quasis as Node[]).map(cookedOf).join('*');
  if (node.type !== 'BinaryExpression' || node.operator !== '+' || depth > 20) return '*';
  return patternOf(node.left as Node, depth + 1) + patternOf(node.right as Node, depth + 1);
}
