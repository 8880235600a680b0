import MagicString from 'magic-string';
import type { PluginContext, SourceMapInput } from 'rolldown';
import type { BuildContext } from '../context.ts';
import { splitQuery, textOf } from '../files.ts';
import { packageName } from '../packages/manifest.ts';
import { errorAtOffset, placeOf } from '../problems.ts';
import { isAsset } from './assets.ts';
import { rewriteEnv } from './env.ts';
import { chosenFile, isOwnPattern, rewriteDynamicImports, rewriteGlobs, variablePattern } from './globs.ts';
import { ASSET_QUERY, rewriteUrls } from './module-urls.ts';
import { hasPublicFile, rewritePublicStrings } from './public-urls.ts';
import { hasRouter, rewriteRouters } from './routers.ts';
import { isLanguage, isUrlOfModule, type Node, parseModule, type Rewrite, type Visitor, walk } from './syntax.ts';

const META = /import\.meta\b|\bprocess\.env\b|import\s*\(|\bWorker\b|\bSharedWorker\b/;

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
  const { path, query } = splitQuery(id);
  const isMade = id.startsWith('\0') || isAsset(path, query);
  if (isMade || !isNeeded || !isLanguage(moduleType)) return undefined;
  const program = parseModule(code, moduleType);
  if (!program) return undefined;
  const imports = new Set<string>();
  const rewrite = rewriteOf(code, id, imports, context, bundler);
  const visitors: Visitor[] = [
    rewriteGlobs(rewrite),
    rewriteVariableUrls(rewrite),
    rewriteUrls({ ...rewrite, specifierOf: (...url) => specifierOf(...url, rewrite) }),
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

/** Returns the specifier of the file that a URL in own code means; undefined for a URL of a request. */
function specifierOf(url: string | undefined, node: Node, isWorker: boolean, rewrite: Rewrite) {
  if (url === undefined && isWorker)
    rewrite.fail(node, 'The script of a worker must be a text, which is known when the project is built');
  const path = (url ?? '').replace(/[?#].*$/s, '');
  if (path === '' || /^[\w+.-]+:/.test(path)) return undefined;
  const { resolver, config } = rewrite.context;
  const found = resolver.find(path, rewrite.path, 'url');
  const script = isWorker && found.is !== 'file' ? resolver.find(path, rewrite.path) : found;
  if (script.is === 'file') return isWorker || !script.id.startsWith('public/') ? `/${script.id}` : undefined;
  if (script.is === 'nothing' && isWorker) rewrite.fail(node, script.message);
  if (script.is === 'nothing' && /^\.{1,2}\/.*[^/]$/.test(path))
    rewrite.warn(node, `There is no "${url}" beside this file`);
  if (script.is !== 'package') return undefined;
  // A name that no file and no package has is a URL of a request.
  return isWorker || config.dependencies.has(packageName(script.specifier)) ? script.specifier : undefined;
}

/** Replaces `new URL(`./images/${name}.png`, import.meta.url)` by a choice among the files that match. */
function rewriteVariableUrls(rewrite: Rewrite): Visitor {
  return (node) => {
    const [specifier] = isUrlOfModule(node) ? (node.arguments as Node[]) : [];
    const pattern = specifier && variablePattern(specifier);
    if (pattern === undefined || !isOwnPattern(pattern, rewrite)) return false;
    const options = { eager: true, import: 'default', query: ASSET_QUERY };
    const { files, key } = chosenFile(pattern, specifier as Node, options, rewrite);
    rewrite.edits.update((specifier as Node).start, (specifier as Node).end, `(${files})[${key}]`);
    return true;
  };
}
