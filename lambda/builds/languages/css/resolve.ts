import { posix } from 'node:path';
import { aliasTargets } from '../../config/aliases.ts';
import type { ProjectConfig } from '../../config/settings.ts';
import type { Files } from '../../files.ts';
import type { PackageTree } from '../../packages/package-tree.ts';

/** Where references of style sheets lead. */
export interface StyleFiles {
  readonly project: Files;
  readonly packages: PackageTree;
  readonly config: ProjectConfig;
}

/** Reports if a URL is of another origin, in the URL itself (`data:`), or of the same document. */
export function isExternal(url: string): boolean {
  return url === '' || /^([a-z][a-z0-9+.-]*:|\/\/|#)/i.test(url);
}

/**
 * Returns the path of the file that a reference of a style sheet means; undefined if there is none.
 * @param endings to try behind the reference
 */
export function resolveReference(
  reference: string,
  from: string,
  files: StyleFiles,
  endings: readonly string[],
): string | undefined {
  const { packages, config } = files;
  const isInPackage = from.startsWith('node_modules/');
  const found = (path: string) => endings.map((ending) => path + ending).find((each) => isFile(each, files));
  if (reference.startsWith('/')) {
    return found(`public${reference}`) ?? found(reference.slice(1));
  }
  const near = found(posix.join(posix.dirname(from), reference));
  if (near !== undefined || reference.startsWith('.')) {
    return near;
  }
  const targets = isInPackage ? [] : aliasTargets(reference, config.aliases);
  for (const target of targets) {
    const path = target.startsWith('/') ? found(target.slice(1)) : packageFile(target, from, packages);
    if (path !== undefined) {
      return path;
    }
  }
  return packageFile(reference, from, packages);
}

function packageFile(specifier: string, from: string, packages: PackageTree): string | undefined {
  return packages.resolve(specifier, from, 'style') || undefined;
}

function isFile(path: string, { project, packages }: StyleFiles): boolean {
  return path.startsWith('node_modules/') ? packages.files.has(path) : project.has(path);
}

/** Returns the text of a file of the project or of a package. */
export function textOf(path: string, { project, packages }: StyleFiles): string {
  const bytes = path.startsWith('node_modules/') ? packages.files.get(path) : project.get(path);
  return new TextDecoder().decode(bytes);
}
