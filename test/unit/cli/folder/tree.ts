import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryFolder } from '../../../support/at-end.ts';

/** Files of a test by path; `-> target` is a symbolic link, and a path that ends in `/` an empty folder. */
export type Tree = Readonly<Record<string, string | Uint8Array>>;

/** Returns a function that creates folders with files, which are removed once the tests of the file have ended. */
export function planter(): (tree: Tree) => string {
  // The temporary folder of macOS is a symbolic link.
  const parent = realpathSync(temporaryFolder());
  return (tree) => plant(tree, mkdtempSync(join(parent, 'ptp-folder-')));
}

function plant(tree: Tree, root: string): string {
  for (const [path, content] of Object.entries(tree)) {
    const file = join(root, path);
    mkdirSync(path.endsWith('/') ? file : dirname(file), { recursive: true });
    const [, target] = typeof content === 'string' ? (/^-> (.*)$/.exec(content) ?? []) : [];
    if (target !== undefined) symlinkSync(target, file);
    else if (!path.endsWith('/')) writeFileSync(file, content);
  }
  return root;
}

/** Returns a tree of files whose content does not matter. */
export function files(...paths: string[]): Tree {
  return Object.fromEntries(paths.map((path) => [path, 'x']));
}
