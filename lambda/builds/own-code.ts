import { type InputOptions, type OutputChunk, type Plugin, rolldown } from 'rolldown';
import type { BuildProblem } from '../contract/builds.ts';
import { dependencyNames } from '../sites/source/frameworks.ts';
import { type BuildContext, splitQuery } from './context.ts';
import { diagnosticsOf, problemsOf } from './diagnostics.ts';
import { textOf } from './files.ts';
import { addSheet } from './languages/css.ts';
import { languagePlugins } from './languages/plugins.ts';
import { OwnFiles } from './own-files.ts';
import { placeOf } from './place.ts';
import { inOrder, problemAtImport } from './places.ts';
import { BuildError } from './problem.ts';
import { PACKAGE_PREFIX, TARGETS } from './rolldown-options.ts';

/** Own code of one page, or of all of them: entry modules that are in no file. */
export interface Entry {
  /** Of its chunk. */
  readonly name: string;
  readonly id: string;
}

export interface OwnCode {
  readonly chunks: readonly OutputChunk[];
  /** Modules and packages that a module imports, first those that are executed first. */
  readonly imports: ReadonlyMap<string, readonly string[]>;
}

const MODULE_TYPES: ReadonlyMap<string, 'js' | 'jsx' | 'ts' | 'tsx' | 'json'> = new Map([
  ['js', 'jsx'],
  ['mjs', 'jsx'],
  ['cjs', 'js'],
  ['jsx', 'jsx'],
  ['ts', 'ts'],
  ['mts', 'ts'],
  ['tsx', 'tsx'],
  ['json', 'json'],
]);

/** What `useDefineForClassFields: false` means. */
const ASSIGNED_FIELDS = {
  assumptions: { setPublicClassFields: true },
  typescript: { removeClassFieldsWithoutInitializer: true },
};

/**
 * Bundles the modules of the project. Packages stay imports, as `pkg:react`.
 * @param scripts code of the modules that are in no file, by id
 * @throws BuildError
 */
export async function bundleOwnCode(
  context: BuildContext,
  entries: readonly Entry[],
  scripts: ReadonlyMap<string, string>,
): Promise<OwnCode> {
  const problems: BuildProblem[] = [];
  const imports = new Map<string, readonly string[]>();
  try {
    const bundle = await rolldown({
      input: Object.fromEntries(entries.map(({ name, id }) => [name, id])),
      cwd: '/',
      tsconfig: false,
      platform: 'browser',
      preserveEntrySignatures: false,
      treeshake: { moduleSideEffects: true },
      experimental: { attachDebugInfo: 'none' },
      transform: transformOptions(context),
      onLog: () => {},
      plugins: [
        ...languagePlugins(context),
        ownFilesPlugin(context, scripts, problems),
        importsPlugin(imports),
      ],
    });
    try {
      const { output } = await bundle.generate({
        format: 'esm',
        dir: '/',
        entryFileNames: 'assets/[name]-[hash].js',
        chunkFileNames: 'assets/[name]-[hash].js',
        sourcemap: context.preview,
        sourcemapIgnoreList: false,
        minify: false,
      });
      if (problems.length > 0) throw new BuildError(inOrder(problems));
      return { chunks: output.filter((file) => file.type === 'chunk'), imports };
    } finally {
      await bundle.close();
    }
  } catch (error) {
    if (error instanceof BuildError) throw error;
    const found = diagnosticsOf(error).flatMap((diagnostic) => problemsOf(diagnostic, context.project));
    throw new BuildError(inOrder([...problems, ...found]));
  }
}

function transformOptions({ config, project }: BuildContext): NonNullable<InputOptions['transform']> {
  const { jsx, jsxImportSource, jsxFactory, jsxFragmentFactory, useDefineForClassFields } = config.jsx;
  const isClassic = jsx === 'react';
  return {
    target: [...TARGETS],
    // TypeScript's decorators; browsers have no others yet.
    decorator: { legacy: true },
    ...(useDefineForClassFields === false ? ASSIGNED_FIELDS : {}),
    jsx: isClassic
      ? {
          runtime: 'classic',
          ...(jsxFactory === undefined ? {} : { pragma: jsxFactory }),
          ...(jsxFragmentFactory === undefined ? {} : { pragmaFrag: jsxFragmentFactory }),
        }
      : { runtime: 'automatic', importSource: jsxImportSource ?? jsxPackage(project) },
    define: {
      'process.env.NODE_ENV': '"production"',
      'process.env': '{}',
      'import.meta.hot': 'undefined',
      ...Object.fromEntries(config.define),
    },
  };
}

/** Returns the package whose JSX a project uses without saying so in tsconfig.json. */
function jsxPackage(project: BuildContext['project']): string {
  const names = dependencyNames(textOf(project, 'package.json') ?? '');
  return names.includes('preact') && !names.includes('react') ? 'preact' : 'react';
}

/** Resolves every specifier and loads every module, so that Rolldown never reads a file. */
function ownFilesPlugin(
  context: BuildContext,
  scripts: ReadonlyMap<string, string>,
  problems: BuildProblem[],
): Plugin {
  const { project } = context;
  const files = new OwnFiles(project, context.config);
  /** The first import of each file, for problems with loading it. */
  const imported = new Map<string, { readonly from: string; readonly specifier: string }>();
  const reject = (message: string, importer: string, specifier: string) => {
    problems.push(problemAtImport(project, message, splitQuery(importer).path, specifier));
    // As an external module, it does not end the build, so that the next problem is found as well.
    return { id: 'missing:', external: true } as const;
  };
  return {
    name: 'own-files',
    resolveId(specifier, importer, { kind }) {
      if (scripts.has(specifier)) return { id: specifier, moduleSideEffects: true };
      const from = importer ?? '';
      const found = files.find(specifier, splitQuery(from).path);
      if (found.is === 'nothing') return reject(found.message, from, specifier);
      if (found.is === 'url') return { id: found.url, external: true };
      if (found.is === 'file') {
        if (!imported.has(found.id)) imported.set(found.id, { from: splitQuery(from).path, specifier });
        return { id: found.id };
      }
      if (kind === 'require-call')
        return reject(
          `"${specifier}" is loaded with require(), which browsers do not have: use import`,
          from,
          specifier,
        );
      return { id: PACKAGE_PREFIX + found.specifier, external: true, moduleSideEffects: true };
    },
    load(id) {
      const script = scripts.get(id);
      if (script !== undefined) return { code: script, moduleType: 'js' };
      const { path, query } = splitQuery(id);
      const extension = query === '' ? extensionOf(path) : '';
      const text = textOf(project, path) ?? '';
      if (extension === 'css') return { code: addSheet(id, path, text, context), moduleType: 'js' };
      if (extension === 'json') {
        const invalid = jsonProblem(path, text);
        if (invalid) problems.push(invalid);
        return { code: invalid ? '{}' : text, moduleType: 'json' };
      }
      const moduleType = MODULE_TYPES.get(extension);
      if (moduleType !== undefined) return { code: text, moduleType };
      const { from = '', specifier = '' } = imported.get(id) ?? {};
      problems.push(problemAtImport(project, unsupported(id), from, specifier));
      return { code: 'module.exports = {};', moduleType: 'js' };
    },
  };
}

function jsonProblem(path: string, text: string): BuildProblem | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const message = String(Object(error).message);
    // Empty and cut off files have no position.
    const position = Number(/at position (\d+)/.exec(message)?.[1] ?? text.length);
    const reason = message.replace(/ in JSON at position.*/s, '');
    return { message: `This is not valid JSON: ${reason}`, ...placeOf(path, text, position) };
  }
}

function unsupported(id: string): string {
  const extension = extensionOf(splitQuery(id).path);
  return /^(?:scss|sass|less|styl)$/.test(extension)
    ? `.${extension} files are not supported: write CSS, which nests`
    : `"${id}" cannot be imported`;
}

/** Remembers the imports of each module. */
function importsPlugin(imports: Map<string, readonly string[]>): Plugin {
  return {
    name: 'imports',
    buildEnd() {
      for (const id of this.getModuleIds()) {
        const module = this.getModuleInfo(id);
        if (module) imports.set(id, [...module.importedIds, ...module.dynamicallyImportedIds]);
      }
    },
  };
}

/** Returns what an entry imports, directly and through other modules, in the order in which it is executed. */
export function executionOrder(entry: string, imports: OwnCode['imports']): string[] {
  const entered = new Set<string>([entry]);
  const ordered: string[] = [];
  const open = [{ id: entry, next: 0 }];
  for (let top = open.at(-1); top; top = open.at(-1)) {
    const child = imports.get(top.id)?.[top.next++];
    if (child === undefined) {
      ordered.push(top.id);
      open.pop();
    } else if (!entered.has(child)) {
      entered.add(child);
      open.push({ id: child, next: 0 });
    }
  }
  return ordered;
}

function extensionOf(path: string): string {
  return /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
}
