import { readFileSync } from 'node:fs';
import { type Manifest, record, texts } from './manifest.ts';
import { lockFileOf, nameOfFolder } from './project.ts';

/** The packages that the service recommends, with all that they need, pinned by a lock file. */
export interface ListedPackages {
  /** Names that projects may import without declaring them. */
  readonly names: ReadonlySet<string>;
  /** Versions of a package in the lock file, of listed packages and of what they need. */
  versions(name: string): readonly Manifest[];
}

/**
 * Reads a list: the root dependencies of a package-lock.json, with aliases such as `react18` for other versions.
 * @param packages its member `packages`
 */
export function readListed(packages: object): ListedPackages {
  const { entry } = lockFileOf(packages);
  const members = record(packages);
  const nameOf = (folder: string) => {
    const { name } = record(members[folder]);
    return typeof name === 'string' ? name : nameOfFolder(folder);
  };
  const folders = Map.groupBy(Object.keys(packages), nameOf);
  // Read when they are asked for: most builds need few of them.
  const known = new Map<string, readonly Manifest[]>();
  const versions = (name: string) => {
    const manifests = known.get(name) ?? readVersions(folders.get(name) ?? []);
    known.set(name, manifests);
    return manifests;
  };
  const readVersions = (from: readonly string[]) => {
    const manifests = from.flatMap((folder) => entry(folder)?.manifest ?? []);
    return [...new Map(manifests.map((manifest) => [manifest.version, manifest])).values()];
  };
  const root = texts(record(members['']).dependencies);
  return { names: new Set([...root.keys()].map((name) => nameOf(`node_modules/${name}`))), versions };
}

const LOCK = new URL('./listed/package-lock.json', import.meta.url);
let listed: ListedPackages | undefined;

/**
 * Returns the list of this service, which `listed/package-lock.json` pins. Its hashes are those of npm's registry:
 * tests, whose registry makes its own archives, set `PTP_UNPINNED_PACKAGES`, so that the list consists of names only.
 * No stage sets it.
 */
export function listedByService(): ListedPackages {
  // Not imported: a script of this size is slower to compile than JSON is to parse.
  listed ??= readListed(JSON.parse(readFileSync(LOCK, 'utf8')).packages);
  return process.env.PTP_UNPINNED_PACKAGES === undefined ? listed : { names: listed.names, versions: () => [] };
}
