import type { Plugin } from 'rolldown';
import type { BuildProblem } from '../../contract/builds.ts';
import type { BuildContext, Language } from '../context.ts';
import { MODULE_TYPES, PACKAGE_PREFIX, splitQuery, textOf } from '../files.ts';
import { parseJson } from '../json.ts';
import { nearestManifests } from '../packages/nearest-manifest.ts';
import { MAX_PLACED, problemAtImport } from '../problems.ts';
import { addSheet } from '../styles/lightning.ts';
import { assets, isWorkerQuery, virtualModules } from './assets.ts';
import { json } from './public-urls.ts';
import { rewriteModule } from './rewrite.ts';
import { solid } from './solid.ts';
import { svelte } from './svelte.ts';
import { svgComponents } from './svg-components.ts';
import { vue } from './vue.ts';

/**
 * Returns the plugin that compiles what the engine does not: Vue, Svelte, Solid, assets, globs, URLs, variables,
 * routers.
 *
 * It comes before the engine's plugin, which resolves every specifier, also with a query, to the path of a file of the
 * project, so that most languages only load. It is one plugin, and has no filters: calls between the bundler and
 * JavaScript take longer than they do.
 */
export function languagePlugins(context: BuildContext): Plugin[] {
  const languages: Language[] = [
    virtualModules(context),
    svgComponents(context),
    assets(context),
    json(context),
    vue(context),
    svelte(context),
    solid(context),
  ];
  const plugin: Plugin = {
    name: 'languages',
    resolveId(specifier) {
      for (const { resolve } of languages) {
        const id = resolve?.(specifier);
        if (id !== undefined) return id;
      }
      return null;
    },
    async load(id) {
      for (const { load } of languages) {
        const loaded = await load(id, this);
        if (loaded !== undefined) return loaded;
      }
      return null;
    },
    transform(code, id, { moduleType }) {
      return rewriteModule(code, id, moduleType, context, this);
    },
  };
  return [plugin];
}

/** Resolves every specifier and loads every module, so that Rolldown never reads a file. */
export function ownFilesPlugin(
  context: BuildContext,
  scripts: ReadonlyMap<string, string>,
  problems: BuildProblem[],
): Plugin {
  const { project, resolver } = context;
  const manifestOf = nearestManifests(project);
  /** The first import of each file, for problems with loading it. */
  const imported = new Map<string, { readonly from: string; readonly specifier: string }>();
  const reject = (message: string, importer: string, specifier: string) => {
    if (problems.length < MAX_PLACED)
      problems.push(problemAtImport(project, message, splitQuery(importer).path, specifier));
    // As an external module, it does not end the build, so that the next problem is found as well.
    return { id: 'missing:', external: true } as const;
  };
  return {
    name: 'own-files',
    resolveId(specifier, importer, { kind }) {
      if (scripts.has(specifier)) return { id: specifier, moduleSideEffects: true };
      const from = importer ?? '';
      const found = resolver.find(specifier, splitQuery(from).path);
      if (found.is === 'nothing') return reject(found.message, from, specifier);
      if (found.is === 'url') return { id: found.url, external: true };
      if (found.is === 'file') {
        if (!imported.has(found.id)) imported.set(found.id, { from: splitQuery(from).path, specifier });
        const { path } = splitQuery(found.id);
        // The scripts of pages and workers are what modules import that are in no file.
        const isEntry = scripts.has(from) || !project.has(splitQuery(from).path);
        return { id: found.id, moduleSideEffects: isEntry || manifestOf(path).hasSideEffects(path) };
      }
      if (kind === 'require-call')
        return reject(
          `"${specifier}" is loaded with require(), which browsers do not have: use import`,
          from,
          specifier,
        );
      // The script of a worker is one of own code, which imports the package.
      const external = !isWorkerQuery(splitQuery(found.specifier).query);
      return { id: PACKAGE_PREFIX + found.specifier, external, moduleSideEffects: true };
    },
    load(id) {
      const script = scripts.get(id);
      if (script !== undefined) return { code: script, moduleType: 'js' };
      const { path, query } = splitQuery(id);
      const extension = query === '' ? extensionOf(path) : '';
      const text = textOf(project, path) ?? '';
      if (extension === 'css') return { code: addSheet(id, path, text, context), moduleType: 'js' };
      if (extension === 'json') parseJson({ path, text });
      // Plain scripts may have JSX, as those of Create React App do.
      const moduleType = /^m?js$/.test(extension) ? 'jsx' : MODULE_TYPES.get(extension);
      if (moduleType !== undefined) return { code: text, moduleType };
      const { from = '', specifier = '' } = imported.get(id) ?? {};
      problems.push(problemAtImport(project, unsupported(id), from, specifier));
      return { code: 'module.exports = {};', moduleType: 'js' };
    },
  };
}

/** The advice on files that cannot be imported as modules, by extension. */
const ADVICE: ReadonlyMap<string, string> = new Map([
  ...['scss', 'sass', 'less', 'styl'].map((name) => [name, 'supported: write CSS, which nests'] as const),
  ...['yaml', 'yml', 'json5', 'toml', 'csv'].map(
    (name) => [name, 'modules: save the data as .json, or import the text with ?raw and parse it'] as const,
  ),
  ['wasm', 'modules: import a function with ?init, which returns a promise of the instance'],
  ['mdx', 'modules, because no plugin is run: write the page as a component'],
]);

function unsupported(id: string): string {
  const extension = extensionOf(splitQuery(id).path);
  return `.${extension} files are not ${ADVICE.get(extension) ?? 'modules: import the text with ?raw, or the URL with ?url'}`;
}

function extensionOf(path: string): string {
  return /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
}
