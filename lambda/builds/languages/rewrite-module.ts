import MagicString from 'magic-string';
import type { PluginContext, SourceMapInput } from 'rolldown';
import { type BuildContext, splitQuery } from '../context.ts';
import { textOf } from '../files.ts';
import { placeOf } from '../place.ts';
import { rewriteDynamicImports } from './dynamic-imports.ts';
import { rewriteEnv } from './env.ts';
import { errorAtOffset } from './errors.ts';
import { rewriteGlobs } from './glob.ts';
import { hasPublicFile, rewritePublicStrings } from './public-strings.ts';
import type { Rewrite } from './rewrite.ts';
import { hasRouter, rewriteRouters } from './routers.ts';
import { type Node, parseModule, type Visitor, walk } from './syntax.ts';
import { rewriteUrls } from './urls.ts';

const LANGUAGES = new Set(['js', 'jsx', 'ts', 'tsx']);
const META = /import\.meta\.|import\s*\(|\bWorker\b|\bSharedWorker\b/;

/**
 * Replaces what only a bundler knows in own code: globs, URLs of modules, variables, paths of `public/`, routers. Returns undefined if
 * there is nothing to replace.
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
  /** Where a node is in the file, which is not where it is in the output of a compiler. */
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
