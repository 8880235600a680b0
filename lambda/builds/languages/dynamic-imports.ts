import { aliasTargets } from '../config/project-config.ts';
import { globObject } from './glob.ts';
import type { Rewrite } from './rewrite.ts';
import { cookedOf, type Node, stringOf, type Visitor } from './syntax.ts';

/** Replaces `import('./pages/' + name + '.tsx')` and its template by a choice among the files that it can mean. */
export function rewriteDynamicImports(rewrite: Rewrite): Visitor {
  return (node) => {
    if (node.type !== 'ImportExpression') return false;
    const source = node.source as Node;
    const pattern = variablePattern(source);
    if (pattern === undefined) return false;
    const [path = '', query = ''] = pattern.split('?', 2);
    const isOwn = /^\.{0,2}\//.test(path) || aliasTargets(path, rewrite.context.config.aliases).length > 0;
    if (!isOwn || !/\.\w+$/.test(path) || /^\.\/\*+\.\w+$/.test(path)) {
      const advice =
        'A path that is put together must begin with a folder such as "./pages/" and end with an extension';
      rewrite.warn(node, `This import is not built: ${advice}`);
      return true;
    }
    const options = {
      eager: false,
      import: undefined,
      query: query && `?${query}`,
      base: undefined,
      exhaustive: false,
    };
    const files = globObject([path], options, '', node, rewrite);
    const isAlias = !/^\.{0,2}\//.test(path);
    const value = rewrite.code.slice(source.start, source.end);
    const key = isAlias ? aliasedKey(path, value, rewrite) : value;
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

/** `@/pages/${name}.tsx` as a key of the object, which has paths from the root. */
function aliasedKey(path: string, value: string, rewrite: Rewrite): string {
  const target = aliasTargets(path, rewrite.context.config.aliases)[0] ?? path;
  let same = 0;
  while (same < path.length && path.at(-1 - same) === target.at(-1 - same)) same++;
  const before = JSON.stringify(target.slice(0, target.length - same));
  return `(${before} + (${value}).slice(${path.length - same}))`;
}

/** `./pages/*.tsx` for a path that is put together; undefined if it is known, or altogether unknown. */
function variablePattern(node: Node): string | undefined {
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
