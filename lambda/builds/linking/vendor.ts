import { packContents, unpackSite } from '../../sites/archive.ts';
import { prependHeader, splitHeader } from '../../sites/source/build.ts';
import type { Alias } from '../config/settings.ts';
import type { VendorSlot } from '../context.ts';
import { sha256 } from '../files.ts';
import type { PackageTree } from '../packages/resolver.ts';
import type { PlaceOf } from '../problems.ts';
import { bundlePackages, type PackagesBundle } from './packages-bundle.ts';
import type { Wanted } from './references.ts';

/** Changes when the same packages are bundled differently. */
const FORMAT = 3;

/** Returns the bundle of the packages: the stored one if it is of the same names and versions. @throws BuildError */
export async function vendorBundle(
  tree: PackageTree,
  wanted: ReadonlyMap<string, Wanted>,
  aliases: readonly Alias[],
  slot: VendorSlot,
  placeOf: PlaceOf,
): Promise<PackagesBundle> {
  if (wanted.size === 0) {
    const none = new Map<string, never>();
    return { entries: none, files: none, imports: none, dynamicImports: none, sheets: [] };
  }
  const key = keyOf(tree, wanted, aliases);
  const stored = await slot.read();
  const reused = stored && readBundle(stored, key);
  if (reused) return reused;
  const bundle = await bundlePackages(tree, wanted, aliases, placeOf);
  await slot.write(writeBundle(bundle, key));
  return bundle;
}

const PACKAGE_JSON = /(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+\/package\.json$/;

/** Covers what is imported, and each package with its version. */
function keyOf(tree: PackageTree, wanted: ReadonlyMap<string, Wanted>, aliases: readonly Alias[]): string {
  const uses = [...wanted]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([specifier, use]) => [
      specifier,
      [...use.names].toSorted(),
      [...use.members].toSorted(),
      use.namespace,
      use.star,
    ]);
  const packages = [...tree.files.keys()].filter((path) => PACKAGE_JSON.test(path)).toSorted();
  const manifests = packages.map((path) => [path, sha256(tree.files.get(path) ?? '')]);
  return sha256(JSON.stringify([FORMAT, uses, aliases, manifests]));
}

interface Header {
  readonly key: string;
  readonly entries: readonly (readonly [string, string])[];
  readonly imports: readonly (readonly [string, readonly string[]])[];
  readonly dynamicImports: Header['imports'];
  readonly sheets: readonly string[];
}

function writeBundle({ entries, imports, dynamicImports, sheets, files }: PackagesBundle, key: string): Uint8Array {
  const maps = { entries: [...entries], imports: [...imports], dynamicImports: [...dynamicImports] };
  return prependHeader({ key, ...maps, sheets } satisfies Header, packContents(files));
}

/** Reverts `writeBundle`, unless the stored bundle is of other packages. */
function readBundle(stored: Uint8Array, key: string): PackagesBundle | undefined {
  const { header, rest } = splitHeader(stored);
  const { entries, imports, dynamicImports, sheets, ...written } = header as Header;
  if (written.key !== key) return undefined;
  return {
    entries: new Map(entries),
    imports: new Map(imports),
    dynamicImports: new Map(dynamicImports),
    sheets,
    files: unpackSite(rest),
  };
}
