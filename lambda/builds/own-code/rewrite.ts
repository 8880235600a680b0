import { posix } from 'node:path';
import MagicString from 'magic-string';
import type { PluginContext, SourceMapInput } from 'rolldown';
import type { BuildContext } from '../context.ts';
import { splitQuery, textOf } from '../files.ts';
import { globMatcher } from '../glob-pattern.ts';
import { errorAtOffset, placeOf } from '../problems.ts';
import { rewriteEnv } from './env.ts';
import { rewriteDynamicImports, rewriteGlobs } from './globs.ts';
import { hasPublicFile, rewritePublicStrings } from './public-urls.ts';
import { hasRouter, rewriteRouters } from './routers.ts';
import {
  cookedOf,
  isNamed,
  isUrlOfModule,
  type Node,
  parseModule,
  type Rewrite,
  stringOf,
  type Visitor,
  walk,
} from './syntax.ts';

const LANGUAGES = new Set(['js', 'jsx', 'ts', 'tsx']);
const META = /import\.meta\.|import\s*\(|\bWorker\b|\bSharedWorker\b/;

/**
 * Replaces what only a bundler knows in own code: globs, URLs of modules, variables, paths of `public/`, routers.
 * Returns undefined if there is nothing to replace.
 */
export function rewriteModule(
  code: string,
  id: string,
  moduleType: string,
  context: BuildContext,
  bundler: PluginContext,
): { code: string; map: SourceMapInput } | undefined {
  const isNeeded = META.test(code) || hasRouter(code) || hasPublicFile(code, context.project);
  if (id.startsWith('\0') || !isNeeded || !isLanguage(moduleType)) return undefined;
  const program = parseModule(code, moduleType);
  if (!program) return undefined;
  const imports = new Set<string>();
  const rewrite = rewriteOf(code, id, imports, context, bundler);
  const visitors: Visitor[] = [
    rewriteGlobs(rewrite),
    rewriteUrls(rewrite),
    rewriteEnv(rewrite),
    rewriteDynamicImports(rewrite),
    rewritePublicStrings(rewrite),
    rewriteRouters(rewrite),
  ];
  walk(program, (node, parent, key) => visitors.some((visit) => visit(node, parent, key)));
  const { edits } = rewrite;
  if (!edits.hasChanged()) return undefined;
  // At the end, so that lines stay the same; imports are executed first all the same.
  for (const statement of imports) edits.append(`\n${statement};`);
  const map = edits.generateMap({ source: id, hires: 'boundary' }) as SourceMapInput;
  return { code: edits.toString(), map };
}

const isLanguage = (moduleType: string): moduleType is 'js' | 'jsx' | 'ts' | 'tsx' =>
  LANGUAGES.has(moduleType);

function rewriteOf(
  code: string,
  id: string,
  imports: Set<string>,
  context: BuildContext,
  bundler: PluginContext,
): Rewrite {
  const { path } = splitQuery(id);
  const original = textOf(context.project, path) ?? code;
  /** Returns the offset of a node in the file, which differs from the one in the output of a compiler. */
  const offsetOf = (node: Node) =>
    original === code ? node.start : Math.max(0, original.indexOf(code.slice(node.start, node.end)));
  return {
    context,
    bundler,
    id,
    path,
    code,
    edits: new MagicString(code),
    addImport: (statement) => imports.add(statement),
    fail(node, message) {
      throw errorAtOffset(path, original, offsetOf(node), message);
    },
    warn: (node, message) => context.warn({ message, ...placeOf(path, original, offsetOf(node)) }),
  };
}

/**
 * Replaces `new URL('./x.png', import.meta.url)` by the URL of the published file, and bundles the scripts of workers.
 */
function rewriteUrls(rewrite: Rewrite): Visitor {
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
