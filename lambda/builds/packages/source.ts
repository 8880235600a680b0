import type { Files } from '../files.ts';
import { type ContentLimits, PackageContents } from './contents.ts';
import { type Layout, layOut } from './layout.ts';
import { type ListedPackages, listedByService } from './listed.ts';
import { readProject } from './project.ts';
import { Registry, type RegistryOptions } from './registry.ts';
import { type PackageTree, resolverOf } from './resolver.ts';
import type { PackageStore } from './store.ts';
import { DEFAULT_POLICY, type PackagePolicy, Versions } from './versions.ts';

/** Fetches the packages of a build. */
export interface PackageSource {
  /**
   * Returns the given packages with their dependencies.
   * @param names of the packages that the own code imports
   * @param project whose package.json and package-lock.json choose the versions
   * @param chosen versions of an earlier build of the same deployment, which are kept where the project's ranges allow
   *   them
   * @param types with the files that have types; without by default
   * @throws BuildError that names the package, with the line of package.json or the lock file if it is the cause
   */
  open(
    names: ReadonlySet<string>,
    project: Files,
    chosen: Readonly<Record<string, string>>,
    types?: boolean,
  ): Promise<{ readonly tree: PackageTree; readonly warnings: readonly string[] }>;
}

export interface PackageSourceOptions {
  readonly registry: RegistryOptions;
  readonly policy?: PackagePolicy;
  readonly store?: PackageStore;
  /** The list of this service by default, whose hashes are those of npm's registry. */
  readonly listed?: ListedPackages;
  readonly limits?: ContentLimits;
  /** In milliseconds since 1970. */
  readonly now?: () => number;
}

/**
 * Returns packages of a registry. Documents and unpacked packages are kept between builds, so that an instance makes it
 * once.
 */
export function packageSource(options: PackageSourceOptions): PackageSource {
  const { policy = DEFAULT_POLICY, listed = listedByService(), now = Date.now } = options;
  const registry = new Registry(options.registry);
  const contents = new PackageContents(registry, options.store, options.limits);
  return {
    open: async (names, files, chosen, types) => {
      const project = readProject(files);
      const versions = new Versions(listed, registry, policy, now());
      const layout = await layOut(names, project, new Map(Object.entries(chosen)), versions);
      const tree = await treeOf(names, layout, contents, types);
      return { tree, warnings: [...project.warnings, ...layout.warnings] };
    },
  };
}

async function treeOf(
  names: ReadonlySet<string>,
  layout: Layout,
  contents: PackageContents,
  types?: boolean,
): Promise<PackageTree> {
  const packages = [...layout.packages.values()];
  const found = await contents.get(
    packages.map(({ manifest }) => manifest),
    types,
  );
  const files = new Map<string, Uint8Array>();
  for (const { folder, manifest } of packages) {
    for (const [path, bytes] of found.get(manifest.integrity)?.files ?? []) files.set(`${folder}/${path}`, bytes);
  }
  const versions = new Map<string, string>();
  for (const name of [...names].toSorted()) {
    const placed = layout.packages.get(`node_modules/${name}`);
    if (placed) versions.set(name, placed.manifest.version);
  }
  return { files, versions, resolve: resolverOf(files) };
}
