import MagicString from 'magic-string';
import type { Plugin, PluginContext, SourceMapInput } from 'rolldown';
import { type BuildContext, splitQuery } from '../context.ts';
import { textOf } from '../files.ts';
import { rewriteEnv } from './env.ts';
import { rewriteDynamicImports, rewriteGlobs } from './glob.ts';
import { placeOf } from '../place.ts';
import { errorAtOffset } from './errors.ts';
import { hasPublicFile, rewritePublicStrings } from './public-strings.ts';
import { hasRouter, rewriteRouters } from './routers.ts';
import { type Node, parseModule, type Visitor, walk } from './syntax.ts';
import { rewriteUrls } from './urls.ts';

/** A module of own code that is being rewritten. */
export interface Rewrite {
  readonly context: BuildContext;
  readonly bundler: PluginContext;
  readonly id: string;
  readonly path: string;
  readonly code: string;
  readonly edits: MagicString;
  /** Adds an import; the same one once. */
  addImport(statement: string): void;
  /** Throws the error for a node. */
  fail(node: Node, message: string): never;
  warn(node: Node, message: string): void;
}

const LANGUAGES = new Set(['js', 'jsx', 'ts', 'tsx']);
const META = /import\.meta\.|import\s*\(|\bWorker\b|\bSharedWorker\b/;

/** Replaces what only a bundler knows in own code: globs, URLs of modules, variables, paths of `public/`, routers. */
export function rewritePlugin(context: BuildContext): Plugin {
  return {
    name: 'rewrite',
    transform(code, id, { moduleType }) {
      const needed = META.test(code) || hasRouter(code) || hasPublicFile(code, context.project);
      if (id.startsWith('\0') || !LANGUAGES.has(moduleType) || !needed) return;
      // Plain scripts may have JSX, as those of templates of React do.
      const program = parseModule(code, moduleType === 'js' ? 'jsx' : (moduleType as 'jsx' | 'ts' | 'tsx'));
      if (!program) return;
      const { edits, imports } = rewriteModule(program, code, id, context, this);
      if (!edits.hasChanged()) return;
      for (const statement of imports) edits.append(`\n${statement};`);
      return {
        code: edits.toString(),
        map: context.preview
          ? (edits.generateMap({ source: id, hires: 'boundary' }) as SourceMapInput)
          : null,
      };
    },
  };
}

function rewriteModule(
  program: Node,
  code: string,
  id: string,
  context: BuildContext,
  bundler: PluginContext,
): { edits: MagicString; imports: Set<string> } {
  const { path } = splitQuery(id);
  const edits = new MagicString(code);
  const imports = new Set<string>();
  const original = textOf(context.project, path) ?? code;
  /** Where a node is in the file, which is not where it is in the output of a compiler. */
  const offsetOf = (node: Node) =>
    original === code ? node.start : Math.max(0, original.indexOf(code.slice(node.start, node.end)));
  const rewrite: Rewrite = {
    context,
    bundler,
    id,
    path,
    code,
    edits,
    addImport: (statement) => imports.add(statement),
    fail(node, message) {
      throw errorAtOffset(path, original, offsetOf(node), message);
    },
    warn: (node, message) => context.warn({ message, ...placeOf(path, original, offsetOf(node)) }),
  };
  const visitors: Visitor[] = [
    rewriteGlobs(rewrite),
    rewriteUrls(rewrite),
    rewriteEnv(rewrite),
    rewriteDynamicImports(rewrite),
    rewritePublicStrings(rewrite),
    rewriteRouters(rewrite),
  ];
  walk(program, (node, parent, key) => visitors.some((visit) => visit(node, parent, key)));
  return { edits, imports };
}
