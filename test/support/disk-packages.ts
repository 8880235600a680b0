import fs, { readFileSync, statSync } from 'node:fs';
import enhancedResolve from 'enhanced-resolve';

import type { PackageSource } from '../../lambda/builds/packages/source.ts';

const { CachedInputFileSystem, ResolverFactory } = enhancedResolve;
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
      const options = {
        fileSystem: new CachedInputFileSystem(fs, 60_000),
        useSyncFileSystemCalls: true,
        extensions: ['.mjs', '.js', '.json'],
        mainFields: ['browser', 'module', 'main'],
        aliasFields: ['browser'],
      };
      const resolver = (condition: string) =>
        ResolverFactory.createResolver({
          ...options,
          conditionNames: [condition, 'module', 'browser', 'production', 'default'],
        });
      const resolvers = {
        import: resolver('import'),
        require: resolver('require'),
        style: resolver('style'),
        types: resolver('types'),
      };
      const versions = [...names].map((name): [string, string] => [
        name,
        JSON.parse(Buffer.from(files.get(`node_modules/${name}/package.json`) ?? '{}').toString()).version,
      ]);
      return {
        tree: {
          files,
          versions: new Map(versions),
          resolve(specifier, from, kind) {
            try {
              const folder = from.includes('node_modules/') ? from.slice(0, from.lastIndexOf('/')) : '';
              const found = resolvers[kind].resolveSync({}, ROOT + folder, specifier);
              return found === false ? false : found.slice(ROOT.length);
            } catch {
              return undefined;
            }
          },
        },
        warnings: [],
      };
    },
  };
}
