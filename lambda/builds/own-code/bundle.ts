import type { InputOptions, OutputChunk, Plugin } from 'rolldown';
import type { BuildProblem } from '../../contract/builds.ts';
import { type BundleOptions, bundleWith } from '../bundler.ts';
import type { BuildContext } from '../context.ts';
import { type Diagnostic, problemsOf } from '../problems.ts';
import { languagePlugins, ownFilesPlugin } from './plugins.ts';

/** The inline module scripts of a page, and what it loads; each page becomes an entry of the bundle. */
interface Entry {
  /** The name of its chunk. */
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
  const options: BundleOptions = {
    input: Object.fromEntries(entries.map(({ name, id }) => [name, id])),
    preserveEntrySignatures: false,
    treeshake: { moduleSideEffects: true },
    transform: transformOptions(context),
    plugins: [...languagePlugins(context), ownFilesPlugin(context, scripts, problems), importsPlugin(imports)],
  };
  const problemsIn = (diagnostic: Diagnostic) => problemsOf(diagnostic, context.project);
  return await bundleWith(options, problems, problemsIn, async (bundle) => {
    const { output } = await bundle.generate({
      format: 'esm',
      dir: '/',
      // As long as the final names, and of characters that `linkChunks` finds.
      hashCharacters: 'hex',
      entryFileNames: 'assets/[name]-[hash:16].js',
      chunkFileNames: 'assets/[name]-[hash:16].js',
      sanitizeFileName: (name) => name.replace(/[^\w.-]/g, '_'),
      sourcemap: 'hidden',
      sourcemapExcludeSources: !context.preview,
      sourcemapIgnoreList: false,
      minify: false,
    });
    return { chunks: output.filter((file) => file.type === 'chunk'), imports };
  });
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

/** The options that `useDefineForClassFields: false` stands for. */
const ASSIGNED_FIELDS = {
  assumptions: { setPublicClassFields: true },
  typescript: { removeClassFieldsWithoutInitializer: true },
};

/** Returns how scripts of the project are compiled. */
function transformOptions({ config }: BuildContext): NonNullable<InputOptions['transform']> {
  const { jsx, jsxImportSource, jsxFactory, jsxFragmentFactory, useDefineForClassFields } = config.jsx;
  const isClassic = jsx === 'react';
  return {
    // TypeScript's decorators; browsers have no others yet.
    decorator: { legacy: true },
    ...(useDefineForClassFields === false ? ASSIGNED_FIELDS : {}),
    jsx: isClassic
      ? {
          runtime: 'classic',
          ...(jsxFactory === undefined ? {} : { pragma: jsxFactory }),
          ...(jsxFragmentFactory === undefined ? {} : { pragmaFrag: jsxFragmentFactory }),
        }
      : { runtime: 'automatic', importSource: jsxImportSource ?? jsxPackage(config) },
    define: Object.fromEntries(config.define),
  };
}

/** Returns the package whose JSX a project uses without saying so in tsconfig.json. */
function jsxPackage({ dependencies }: BuildContext['config']): string {
  return ['react', 'preact', 'vue'].find((name) => dependencies.has(name)) ?? 'react';
}
