import { type OutputAsset, type OutputChunk, rolldown } from 'rolldown';
import type { BuildProblem } from '../../contract/builds.ts';
import type { Alias } from '../config/settings.ts';
import { TARGETS } from '../context.ts';
import { packageName } from '../packages/manifest.ts';
import type { PackageTree } from '../packages/resolver.ts';
import {
  BuildError,
  type Diagnostic,
  diagnosticsOf,
  inOrder,
  MAX_PLACED,
  type PlaceOf,
  sentenceOf,
} from '../problems.ts';
import type { Wanted } from './references.ts';
import { ENTRY, treePlugin } from './tree-plugin.ts';

/** The packages, bundled for what own code uses of them. */
export interface PackagesBundle {
  /** Names of the entry files by specifier, such as `react-Dk3f9s_2.js`. */
  readonly entries: ReadonlyMap<string, string>;
  /** The scripts, and files that they refer to, by name. They are in one folder. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Names of the scripts that a script imports statically. */
  readonly imports: ReadonlyMap<string, readonly string[]>;
  /** Style sheets that the packages import, as paths in the tree. */
  readonly sheets: readonly string[];
}

/**
 * Bundles packages: one entry per specifier, with exactly the exports that are wanted of it.
 * @throws BuildError for a module or an export that does not exist, at the place that `placeOf` finds
 */
export async function bundlePackages(
  tree: PackageTree,
  wanted: ReadonlyMap<string, Wanted>,
  aliases: readonly Alias[],
  placeOf: PlaceOf,
): Promise<PackagesBundle> {
  const sheets = new Set<string>();
  const problems: BuildProblem[] = [];
  const specifiers = [...wanted.keys()].toSorted();
  try {
    const bundle = await rolldown({
      input: Object.fromEntries(specifiers.map((specifier) => [entryName(specifier), ENTRY + specifier])),
      cwd: '/',
      tsconfig: false,
      platform: 'browser',
      preserveEntrySignatures: 'allow-extension',
      experimental: { lazyBarrel: true, attachDebugInfo: 'none' },
      transform: {
        target: [...TARGETS],
        define: {
          'process.env.NODE_ENV': '"production"',
          'process.env': '{}',
          'import.meta.hot': 'undefined',
          // As the Vite plugin of Vue; without them, its checks of them remain.
          __VUE_OPTIONS_API__: 'true',
          __VUE_PROD_DEVTOOLS__: 'false',
          __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
        },
      },
      onLog: () => {},
      plugins: [treePlugin({ tree, wanted, aliases, sheets, problems, placeOf })],
    });
    try {
      const { output } = await bundle.generate({
        format: 'esm',
        dir: '/',
        // As `nameHash`.
        hashCharacters: 'hex',
        entryFileNames: '[name]-[hash:16].js',
        chunkFileNames: ({ name }) => `${chunkName(name)}-[hash:16].js`,
        assetFileNames: '[name]-[hash:16][extname]',
        sourcemapIgnoreList: false,
        minify: true,
      });
      if (problems.length > 0) throw new BuildError(inOrder(problems));
      return bundleOf(output, sheets);
    } finally {
      await bundle.close();
    }
  } catch (error) {
    if (error instanceof BuildError) throw error;
    const found = diagnosticsOf(error)
      .slice(0, MAX_PLACED)
      .flatMap((diagnostic) => problemsIn(diagnostic, tree, placeOf));
    // What cannot be resolved is the cause of exports that are missing.
    throw new BuildError(inOrder(problems.length > 0 ? problems : found));
  }
}

function bundleOf(
  output: readonly (OutputChunk | OutputAsset)[],
  sheets: ReadonlySet<string>,
): PackagesBundle {
  const chunks = output.filter((file) => file.type === 'chunk');
  const entries = chunks.flatMap(({ facadeModuleId, fileName }): [string, string][] =>
    facadeModuleId?.startsWith(ENTRY) ? [[facadeModuleId.slice(ENTRY.length), fileName]] : [],
  );
  return {
    entries: new Map(entries),
    files: new Map(
      output.map((file) => [file.fileName, Buffer.from(file.type === 'chunk' ? file.code : file.source)]),
    ),
    imports: new Map(chunks.map(({ fileName, imports }) => [fileName, imports])),
    sheets: [...sheets],
  };
}

/** Returns the problems of a diagnostic: of an export that own code wants, or of a package itself. */
function problemsIn(diagnostic: Diagnostic, tree: PackageTree, placeOf: PlaceOf): readonly BuildProblem[] {
  if (diagnostic instanceof BuildError) return diagnostic.problems;
  const sentence = sentenceOf(diagnostic);
  const name = /^"([^"]+)" is not exported by/.exec(sentence)?.[1];
  const { id = '' } = diagnostic;
  if (!id.startsWith(ENTRY) || name === undefined)
    return [{ message: id === '' ? sentence : `${id}: ${sentence}` }];
  const specifier = id.slice(ENTRY.length);
  const version = tree.versions.get(packageName(specifier)) ?? '';
  return [placeOf(`"${name}" is not exported by ${specifier} ${version}`.trim(), specifier, name)];
}

/** `react-dom/client` → `react-dom-client`. */
function entryName(specifier: string): string {
  return specifier.replace(/^@/, '').replace(/[^\w.-]/g, '-');
}

function chunkName(name: string): string {
  return name.replace(/\.m?js_?$|_$/g, '').replace(/[^\w-]/g, '_') || 'shared';
}
