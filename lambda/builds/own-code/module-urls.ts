import MagicString from 'magic-string';
import type { PackageTree } from '../packages/resolver.ts';
import { isLanguage, isNamed, isUrlOfModule, type Node, parseModule, stringOf, type Visitor, walk } from './syntax.ts';

/** The queries with which a file is imported for its URL, and a script for that of its bundle. */
export const ASSET_QUERY = '?url&no-inline';
const WORKER_QUERY = '?worker&url';

/** The code that is rewritten, and where its references lead. */
interface ModuleUrls {
  readonly code: string;
  readonly edits: MagicString;
  addImport(statement: string): void;
  /** Returns the specifier of the file that a URL means; undefined leaves the URL as it is. */
  specifierOf(url: string | undefined, node: Node, isWorker: boolean): string | undefined;
}

/**
 * Replaces the first argument of `new URL('./x.png', import.meta.url)` by what the file exports with a query: the URL
 * under which it is published, or that of the bundled script in `new Worker(new URL(…))`.
 */
export function rewriteUrls(urls: ModuleUrls): Visitor {
  const replace = (target: Node, node: Node, query: string): boolean => {
    const [argument] = target.arguments as Node[];
    const specifier = urls.specifierOf(stringOf(argument), node, query === WORKER_QUERY);
    if (argument === undefined || specifier === undefined) return false;
    const name = `__url_${argument.start}`;
    urls.addImport(`import ${name} from ${JSON.stringify(specifier + query)}`);
    urls.edits.update(argument.start, argument.end, name);
    return true;
  };
  return (node) => {
    if (node.type !== 'NewExpression') return false;
    const [target, options] = node.arguments as Node[];
    const isWorker = isNamed(node.callee, 'Worker') || isNamed(node.callee, 'SharedWorker');
    if (!isWorker) return isUrlOfModule(node) && replace(node, node, ASSET_QUERY);
    if (!isUrlOfModule(target) || !replace(target, node, WORKER_QUERY)) return false;
    // The bundle is a module, also where the source was none.
    if (options) {
      const given = urls.code.slice(options.start, options.end);
      urls.edits.update(options.start, options.end, `Object.assign({}, ${given}, { type: 'module' })`);
    } else {
      urls.edits.appendLeft(target.end, ", { type: 'module' }");
    }
    return true;
  };
}

/** Returns a script of a package in which the files that it names by URL are imports. */
export function withModuleUrls(code: string, path: string, moduleType: string, tree: PackageTree): string {
  if (!/\bnew\s+URL\s*\([^)]{1,300}\bimport\.meta\.url/.test(code)) return code;
  const program = isLanguage(moduleType) ? parseModule(code, moduleType) : undefined;
  if (!program) return code;
  const edits = new MagicString(code);
  const imports = new Set<string>();
  const visit = rewriteUrls({
    code,
    edits,
    addImport: (statement) => imports.add(statement),
    specifierOf: (url = '') => {
      if (!/^[\w.@-]+(?:\/|\.\w+$)/.test(url)) return undefined;
      const places = url.startsWith('.') ? [url] : [`./${url}`, url];
      return places.find((place) => typeof tree.resolve(place, path, 'import') === 'string');
    },
  });
  walk(program, visit);
  for (const statement of imports) edits.append(`\n${statement};`);
  return edits.toString();
}
