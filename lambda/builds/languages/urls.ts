import { posix } from 'node:path';
import { globMatcher } from './glob-pattern.ts';
import type { Rewrite } from './rewrite.ts';
import { cookedOf, isNamed, isUrlOfModule, type Node, stringOf, type Visitor } from './syntax.ts';

/** Replaces `new URL('./x.png', import.meta.url)` by the URL of the published file, and bundles the scripts of workers. */
export function rewriteUrls(rewrite: Rewrite): Visitor {
  return (node) => {
    if (node.type !== 'NewExpression') return false;
    if (isNamed(node.callee, 'Worker') || isNamed(node.callee, 'SharedWorker'))
      return rewriteWorker(node, rewrite);
    return isUrlOfModule(node) && rewriteUrl(node, rewrite);
  };
}

/** The path of a project's file that a URL of a module means; undefined for URLs of other hosts and missing files. */
function fileOf(url: string, { path, context }: Rewrite): string | undefined {
  const end = url.search(/[?#]/);
  const plain = end === -1 ? url : url.slice(0, end);
  if (plain === '' || /^[\w+.-]+:|^\/\//.test(plain)) return undefined;
  const file = plain.startsWith('/') ? plain.slice(1) : posix.join(posix.dirname(path), plain);
  return context.project.has(file) ? file : undefined;
}

function rewriteWorker(node: Node, rewrite: Rewrite): boolean {
  const [target, options] = node.arguments as Node[];
  if (!isUrlOfModule(target)) return false;
  const [specifier] = target.arguments as Node[];
  const url = stringOf(specifier);
  const file = url === undefined ? undefined : fileOf(url, rewrite);
  if (file === undefined)
    rewrite.fail(
      node,
      `The script of a worker must be a file of the project, but there is no "${url ?? 'such file'}"`,
    );
  const chunk = rewrite.bundler.emitFile({ type: 'chunk', id: `/${file}`, name: posix.parse(file).name });
  rewrite.edits.update(target.start, target.end, `import.meta.ROLLUP_FILE_URL_${chunk}`);
  // The bundle is a module, also where the source was none.
  if (options) {
    const given = rewrite.code.slice(options.start, options.end);
    rewrite.edits.update(options.start, options.end, `Object.assign({}, ${given}, { type: 'module' })`);
  } else {
    rewrite.edits.appendLeft(target.end, ", { type: 'module' }");
  }
  return true;
}

function rewriteUrl(node: Node, rewrite: Rewrite): boolean {
  const [specifier] = node.arguments as Node[];
  const url = stringOf(specifier);
  if (specifier === undefined) return false;
  if (url === undefined) return rewriteVariableUrl(specifier, rewrite);
  const file = fileOf(url, rewrite);
  if (file !== undefined) {
    const name = JSON.stringify(rewrite.context.asset(file));
    rewrite.edits.update(specifier.start, specifier.end, name);
    return true;
  }
  if (/^\.{1,2}\/.*[^/]$/.test(url)) rewrite.warn(node, `There is no "${url}" beside this file`);
  return false;
}

/** `./images/${name}.png`: a choice among the files that match. */
function rewriteVariableUrl(specifier: Node, rewrite: Rewrite): boolean {
  if (specifier.type !== 'TemplateLiteral') return false;
  const pattern = (specifier.quasis as Node[]).map(cookedOf).join('*');
  if (!/^\.{1,2}\//.test(pattern)) return false;
  const folder = posix.dirname(rewrite.path);
  const matches = globMatcher(posix.join(folder, pattern));
  const files = [...rewrite.context.project.keys()].filter(matches).sort();
  const entries = files.map((file) => {
    const relative = posix.relative(folder, file);
    const key = relative.startsWith('../') ? relative : `./${relative}`;
    return `${JSON.stringify(key)}: ${JSON.stringify(rewrite.context.asset(file))}`;
  });
  rewrite.edits.prependLeft(specifier.start, `({${entries.join(', ')}})[`);
  rewrite.edits.appendRight(specifier.end, ']');
  return true;
}
