import { isBuiltin } from 'node:module';
import { basename, parse } from 'node:path/posix';
import type { Plugin } from 'rolldown';
import type { BuildProblem } from '../../contract/builds.ts';
import { type Alias, aliasTargets } from '../config/settings.ts';
import { MODULE_TYPES, splitQuery } from '../files.ts';
import { assetCode, chunkUrl } from '../own-code/assets.ts';
import { withModuleUrls } from '../own-code/module-urls.ts';
import { compilePackageComponent, isPackageComponent } from '../own-code/svelte.ts';
import { packageName } from '../packages/manifest.ts';
import { nearestManifests } from '../packages/nearest-manifest.ts';
import type { PackageTree } from '../packages/resolver.ts';
import type { PlaceOf } from '../problems.ts';
import type { Wanted } from './references.ts';

/** Begins the ids of entries: `\0entry:react-dom/client`. */
export const ENTRY = '\0entry:';
/** The export of an entry that is the namespace object of its module. */
export const NAMESPACE = '$namespace';

const EMPTY = '\0empty';
const MISSING = '\0missing:';
/** Entries import as a file of the project does. */
const PROJECT_FILE = 'index.html';
/**
 * Marks the ids of `.js` files that are ES modules by their package.json, which Rolldown sees by the extension only.
 */
const AS_MODULE = '?.mjs';

interface TreePluginContext {
  readonly tree: PackageTree;
  readonly wanted: ReadonlyMap<string, Wanted>;
  /** Packages that replace others. */
  readonly aliases: readonly Alias[];
  /** Gets the style sheets that are imported. */
  readonly sheets: Set<string>;
  readonly problems: BuildProblem[];
  readonly placeOf: PlaceOf;
}

/** Resolves and loads the modules of packages, so that Rolldown never reads a file. */
export function treePlugin(context: TreePluginContext): Plugin {
  const { tree, wanted, aliases, sheets, problems, placeOf } = context;
  const manifestOf = nearestManifests(tree.files);
  const idOf = (path: string) => ({
    id: path.endsWith('.js') && manifestOf(path).isModule ? path + AS_MODULE : path,
    moduleSideEffects: path.endsWith('.css') || manifestOf(path).hasSideEffects(path),
  });
  const unresolved = (specifier: string, importer: string) => {
    if (importer.startsWith(ENTRY)) {
      const name = packageName(specifier);
      const version = tree.versions.get(name) ?? '';
      problems.push(placeOf(`"${specifier}" is not in ${name} ${version}`.trim(), specifier));
      return { id: EMPTY };
    }
    if (!/^[./#]/.test(specifier)) return { id: isBuiltin(specifier) ? EMPTY : MISSING + specifier };
    const file = splitQuery(importer).path.replace(/^.*node_modules\//, '');
    problems.push({ message: `"${specifier}", which ${file} imports, is not in the package` });
    return { id: EMPTY };
  };
  return {
    name: 'packages',
    resolveId(specifier, importer = '', { kind }) {
      if (specifier.startsWith(ENTRY)) return { id: specifier, moduleSideEffects: true };
      if (/^(?:https?:)?\/\//i.test(specifier)) return { id: specifier, external: true };
      // The script of a worker.
      if (importer === '' && tree.files.has(specifier)) return idOf(specifier);
      const { path, query } = splitQuery(specifier);
      const isEntry = importer.startsWith(ENTRY);
      const from = isEntry ? PROJECT_FILE : splitQuery(importer).path;
      const [aliased = path] = isEntry ? [] : aliasTargets(path, aliases);
      const found = tree.resolve(aliased, from, kind === 'require-call' ? 'require' : 'import');
      if (found === false) return { id: EMPTY };
      if (found === undefined) return unresolved(specifier, importer);
      return query === '' ? idOf(found) : { id: found + query };
    },
    load(id) {
      if (id === EMPTY) return { code: 'module.exports = {};', moduleType: 'js' };
      if (id.startsWith(MISSING)) return { code: throwing(id.slice(MISSING.length)), moduleType: 'js' };
      const entry = id.startsWith(ENTRY) ? wanted.get(id.slice(ENTRY.length)) : undefined;
      if (entry) return { code: entryCode(id.slice(ENTRY.length), entry), moduleType: 'js' };
      const { path, query } = splitQuery(id);
      const content = tree.files.get(path) ?? new Uint8Array();
      if (path.endsWith('.css') && query === '') {
        sheets.add(path);
        return { code: 'export default {};', moduleType: 'js' };
      }
      const asset = assetCode(path, query, content, {
        url: () =>
          `import.meta.ROLLUP_FILE_URL_${this.emitFile({ type: 'asset', name: basename(path), source: content })}`,
        worker: () => chunkUrl(this, path, parse(path).name),
      });
      if (asset !== undefined) return { code: asset, moduleType: 'js' };
      if (isPackageComponent(path) && query === '') {
        return compilePackageComponent(path, Buffer.from(content).toString()).then((code) => ({
          code,
          moduleType: 'js' as const,
        }));
      }
      // Node loads files without an extension as CommonJS.
      const moduleType = MODULE_TYPES.get(/\.(\w+)$/.exec(basename(path))?.[1] ?? 'cjs');
      if (moduleType !== undefined) {
        const code = Buffer.from(content.buffer, content.byteOffset, content.length).toString();
        return { code: withModuleUrls(code, path, moduleType, tree), moduleType };
      }
      const reference = this.emitFile({ type: 'asset', name: basename(path), source: content });
      return { code: `export default import.meta.ROLLUP_FILE_URL_${reference};`, moduleType: 'js' };
    },
  };
}

/** The code of a package that is optional and not there: whoever imports it may catch the error. */
function throwing(specifier: string): string {
  return `exports.__esModule = true;\nthrow new Error(${JSON.stringify(`The package "${specifier}" is not installed`)});`;
}

function entryCode(specifier: string, { names, members, namespace, star }: Wanted): string {
  const from = JSON.stringify(specifier);
  const lines = [`import ${from};`];
  if (star) lines.push(`export * from ${from};`);
  if (names.size > 0) lines.push(`export { ${[...names].toSorted().map(exportName).join(', ')} } from ${from};`);
  const others = [...members].filter((member) => !names.has(member)).toSorted();
  if (others.length > 0 || namespace) lines.push(`import * as all from ${from};`);
  others.forEach((member, index) => {
    lines.push(`const member${index} = all.${member};`, `export { member${index} as ${member} };`);
  });
  if (namespace) lines.push(`export { all as ${NAMESPACE} };`);
  return lines.join('\n');
}

function exportName(name: string): string {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) ? name : JSON.stringify(name);
}
