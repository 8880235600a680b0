import { type InputOptions, type OutputChunk, type Plugin, rolldown } from 'rolldown';
import type { BuildProblem } from '../../contract/builds.ts';
import { dependencyNames } from '../../sites/source/kind.ts';
import { type BuildContext, TARGETS } from '../context.ts';
import { textOf } from '../files.ts';
import { BuildError, diagnosticsOf, inOrder, MAX_PLACED, problemsOf } from '../problems.ts';
import { languagePlugins, ownFilesPlugin } from './plugins.ts';

/** Own code of one page, or of all of them: entry modules that are in no file. */
interface Entry {
  /** Of its chunk. */
  readonly name: string;
  readonly id: string;
}

export interface OwnCode {
  readonly chunks: readonly OutputChunk[];
  /** Modules and packages that a module imports, first those that are executed first. */
  readonly imports: ReadonlyMap<string, readonly string[]>;
}

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
        sourcemap: 'hidden',
        sourcemapExcludeSources: !context.preview,
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
    const found = diagnosticsOf(error)
      .slice(0, MAX_PLACED)
      .flatMap((diagnostic) => problemsOf(diagnostic, context.project));
    throw new BuildError(inOrder([...problems, ...found]));
  }
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

/** What `useDefineForClassFields: false` means. */
const ASSIGNED_FIELDS = {
  assumptions: { setPublicClassFields: true },
  typescript: { removeClassFieldsWithoutInitializer: true },
};

/** Returns how scripts of the project are compiled. */
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
