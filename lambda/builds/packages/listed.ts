import lock from './listed/package-lock.json' with { type: 'json' };
import { type Manifest, record, texts } from './manifest.ts';
import { lockFileOf } from './project.ts';

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
  const { entry, folders } = lockFileOf(packages);
  const manifests = new Map<string, Manifest[]>();
  for (const folder of folders) {
    const manifest = entry(folder)?.manifest;
    if (!manifest) continue;
    const versions = manifests.get(manifest.name) ?? [];
    if (!versions.some(({ version }) => version === manifest.version)) versions.push(manifest);
    manifests.set(manifest.name, versions);
  }
  const root = texts(record(record(packages)['']).dependencies);
  const names = [...root.keys()].map((name) => entry(`node_modules/${name}`)?.manifest?.name ?? name);
  return { names: new Set(names), versions: (name) => manifests.get(name) ?? [] };
}

let listed: ListedPackages | undefined;

/**
 * Returns the list of this service, which `listed/package-lock.json` pins. Its hashes are those of npm's registry:
 * tests, whose registry makes its own archives, set `PTP_UNPINNED_PACKAGES`, so that the list consists of names only.
 * No stage sets it.
 */
export function listedByService(): ListedPackages {
  listed ??= readListed(lock.packages);
  return process.env.PTP_UNPINNED_PACKAGES === undefined
    ? listed
    : { names: listed.names, versions: () => [] };
}
