import type { BuildContext } from './context.ts';
import type { Sheet } from './languages/styles.ts';
import { executionOrder, type OwnCode } from './own-code.ts';
import type { PackageTree } from './packages/package-tree.ts';
import type { PackagesBundle } from './packages-bundle.ts';
import { PACKAGE_PREFIX } from './rolldown-options.ts';
import type { Wanted } from './wanted.ts';

/** Removes the style sheets from what own code imports of packages, and returns their paths in the tree by specifier. */
export function takeSheets(wanted: Map<string, Wanted>, tree: PackageTree): ReadonlyMap<string, string> {
  const sheets = new Map<string, string>();
  for (const specifier of [...wanted.keys()]) {
    const path = (['import', 'style'] as const)
      .map((kind) => tree.resolve(specifier, 'index.html', kind))
      .find((found) => found !== undefined && found !== false);
    if (typeof path === 'string' && path.endsWith('.css')) {
      sheets.set(specifier, path);
      wanted.delete(specifier);
    }
  }
  return sheets;
}

interface OfPackages {
  readonly tree: PackageTree;
  /** Those that own code imports, by specifier. */
  readonly sheets: ReadonlyMap<string, string>;
  readonly bundle: PackagesBundle;
}

/** Returns the style sheets of a page in the order in which they apply: first those that packages import. */
export function pageSheets(
  entry: string,
  { imports }: OwnCode,
  context: BuildContext,
  { tree, sheets, bundle }: OfPackages,
): readonly Sheet[] {
  const ofPackage = (path: string): Sheet => ({
    path,
    css: Buffer.from(tree.files.get(path) ?? '').toString(),
  });
  const own = executionOrder(entry, imports).flatMap((id) => {
    const path = sheets.get(id.slice(PACKAGE_PREFIX.length));
    if (id.startsWith(PACKAGE_PREFIX)) return path === undefined ? [] : ofPackage(path);
    return context.sheets.get(id) ?? [];
  });
  return [...bundle.sheets.map(ofPackage), ...own];
}
