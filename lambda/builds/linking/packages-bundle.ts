import type { OutputAsset, OutputChunk, OutputOptions } from 'rolldown';
import type { BuildProblem } from '../../contract/builds.ts';
import { type BundleOptions, bundleWith } from '../bundler.ts';
import type { Alias } from '../config/settings.ts';
import { splitQuery } from '../files.ts';
import { packageName } from '../packages/manifest.ts';
import type { PackageTree } from '../packages/resolver.ts';
import { BuildError, type Diagnostic, type PlaceOf, sentenceOf } from '../problems.ts';
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
  /** Names of the scripts that a script imports dynamically. */
  readonly dynamicImports: ReadonlyMap<string, readonly string[]>;
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
  const options: BundleOptions = {
    input: Object.fromEntries(specifiers.map((specifier) => [entryName(specifier), ENTRY + specifier])),
    preserveEntrySignatures: 'allow-extension',
    experimental: { lazyBarrel: true },
    // As the Vite plugin of Vue; without them, its checks of them remain.
    transform: {
      define: {
        __VUE_OPTIONS_API__: 'true',
        __VUE_PROD_DEVTOOLS__: 'false',
        __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
      },
    },
    plugins: [treePlugin({ tree, wanted, aliases, sheets, problems, placeOf })],
  };
  // What cannot be resolved is the cause of exports that are missing.
  const problemsOf = (diagnostic: Diagnostic) => (problems.length > 0 ? [] : problemsIn(diagnostic, tree, placeOf));
  return await bundleWith(options, problems, problemsOf, async (bundle) => {
    const { output } = await bundle.generate(OUTPUT);
    if (problems.length > 0 || output.length <= MOST_FILES) return bundleOf(output, sheets);
    const lazy = lazyModules(output);
    const parts = {
      name: 'parts',
      test: (id: string) => lazy.has(id),
      maxSize: PART_BYTES,
      includeDependenciesRecursively: false,
    };
    const joined = await bundle.generate({ ...OUTPUT, codeSplitting: { groups: [parts] } });
    return bundleOf(joined.output, sheets);
  });
}

const OUTPUT: OutputOptions = {
  format: 'esm',
  dir: '/',
  // As `nameHash`.
  hashCharacters: 'hex',
  entryFileNames: '[name]-[hash:16].js',
  chunkFileNames: ({ name }) => `${chunkName(name)}-[hash:16].js`,
  assetFileNames: '[name]-[hash:16][extname]',
  sourcemapIgnoreList: false,
  minify: true,
};

/**
 * Files beyond which those that are loaded later are joined: `lucide-react/dynamic` has one of some hundred bytes for each
 * icon, and a site may have 400 files.
 */
const MOST_FILES = 100;
/** The most bytes of the modules that are joined to one file. */
const PART_BYTES = 200_000;

/** Returns the modules that no entry needs at once. */
function lazyModules(output: readonly (OutputChunk | OutputAsset)[]): ReadonlySet<string> {
  const chunks = output.filter((file) => file.type === 'chunk');
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const eager = new Set(chunks.filter(({ isEntry }) => isEntry));
  for (const { imports } of eager)
    for (const name of imports) {
      const chunk = byName.get(name);
      if (chunk) eager.add(chunk);
    }
  return new Set(chunks.filter((chunk) => !eager.has(chunk)).flatMap(({ moduleIds }) => moduleIds));
}

function bundleOf(output: readonly (OutputChunk | OutputAsset)[], sheets: ReadonlySet<string>): PackagesBundle {
  const chunks = output.filter((file) => file.type === 'chunk');
  const entries = chunks.flatMap(({ facadeModuleId, fileName }): [string, string][] =>
    facadeModuleId?.startsWith(ENTRY) ? [[facadeModuleId.slice(ENTRY.length), fileName]] : [],
  );
  return {
    entries: new Map(entries),
    files: new Map(output.map((file) => [file.fileName, Buffer.from(file.type === 'chunk' ? file.code : file.source)])),
    imports: new Map(chunks.map(({ fileName, imports }) => [fileName, imports])),
    dynamicImports: new Map(chunks.map(({ fileName, dynamicImports }) => [fileName, dynamicImports])),
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
    return [{ message: id === '' ? sentence : sentenceInPackage(id, sentence) }];
  const specifier = id.slice(ENTRY.length);
  const version = tree.versions.get(packageName(specifier)) ?? '';
  return [placeOf(`"${name}" is not exported by ${specifier} ${version}`.trim(), specifier, name)];
}

/** Names the package of a file with an error, and that whose export it lacks, instead of their paths. */
function sentenceInPackage(id: string, sentence: string): string {
  const file = (path: string) => splitQuery(path).path.replace(/^.*node_modules\//, '');
  const [, name, from] = /^"([^"]+)" is not exported by "([^"]+)"/.exec(sentence) ?? [];
  if (name === undefined || from === undefined) return `${file(id)}, a file of a package, has an error: ${sentence}`;
  return `${file(id)} imports "${name}", which ${file(from)} does not export: use versions of ${packageName(file(id))} and ${packageName(file(from))} that fit together`;
}

/** An import of own code, and what it alone adds to a site. */
export interface ImportSize {
  readonly specifier: string;
  readonly files: number;
  readonly bytes: number;
}

/** Returns how many files and bytes an import of a package leads to, also those that are loaded later. */
export function importSizes({ entries, files, imports, dynamicImports }: PackagesBundle): ImportSize[] {
  return [...entries].map(([specifier, entry]) => {
    const reached = new Set([entry]);
    for (const name of reached)
      for (const next of [...(imports.get(name) ?? []), ...(dynamicImports.get(name) ?? [])]) reached.add(next);
    const bytes = [...reached].reduce((sum, name) => sum + (files.get(name)?.length ?? 0), 0);
    return { specifier, files: reached.size, bytes };
  });
}

/** `react-dom/client` → `react-dom-client`. */
function entryName(specifier: string): string {
  return specifier.replace(/^@/, '').replace(/[^\w.-]/g, '-');
}

function chunkName(name: string): string {
  return name.replace(/\.m?js_?$|_$/g, '').replace(/[^\w-]/g, '_') || 'shared';
}
