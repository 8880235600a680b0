import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Files of a test by path; `-> target` is a symbolic link, and a path that ends in `/` an empty folder. */
export type Tree = Readonly<Record<string, string | Uint8Array>>;

/** Creates a new folder with these files. */
export function plant(tree: Tree): string {
  // The temporary folder of macOS is a symbolic link.
  const root = mkdtempSync(join(realpathSync(tmpdir()), 'ptp-folder-'));
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
