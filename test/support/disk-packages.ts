import { readFileSync, statSync } from 'node:fs';
import { resolverOf } from '../../lambda/builds/packages/resolver.ts';
import type { PackageSource } from '../../lambda/builds/packages/source.ts';

const ROOT = new URL('../..', import.meta.url).pathname;

/** The files of `node_modules`, read when they are needed. */
class DiskFiles extends Map<string, Uint8Array> {
  override get(path: string): Uint8Array | undefined {
    if (!super.has(path)) {
      try {
        super.set(path, readFileSync(ROOT + path));
      } catch {
        return undefined;
      }
    }
    return super.get(path);
  }
  override has(path: string): boolean {
    return super.has(path) || (statSync(ROOT + path, { throwIfNoEntry: false })?.isFile() ?? false);
  }
}

/** Packages of `node_modules` as they are installed, for tests of the bundles alone. */
export function diskPackages(): PackageSource {
  return {
    open: async (names) => {
      const files = new DiskFiles();
      const versions = [...names].map((name): [string, string] => [
        name,
        JSON.parse(Buffer.from(files.get(`node_modules/${name}/package.json`) ?? '{}').toString()).version,
      ]);
      return {
        tree: { files, versions: new Map(versions), resolve: resolverOf(files) },
        warnings: [],
      };
    },
  };
}
