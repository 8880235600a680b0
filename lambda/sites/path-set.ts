import { pathKey, pathProblem } from './paths.ts';

/** The paths of one site: all valid, and no two of them the same file on any file system. */
export class PathSet {
  /** The paths by their `pathKey`. */
  readonly #files = new Map<string, string>();
  /** One file of each folder, by the `pathKey` of the folder. */
  readonly #folders = new Map<string, string>();

  constructor(paths: Iterable<string> = []) {
    for (const path of paths) this.add(path);
  }

  has(path: string): boolean {
    return this.#files.get(pathKey(path)) === path;
  }

  /** Adds a path, which may be in the set already. @returns the problem as a predicate (`is empty`), or undefined */
  add(path: string): string | undefined {
    const key = pathKey(path);
    const problem = pathProblem(path) ?? this.#collision(path, key);
    if (problem !== undefined) return problem;
    this.#files.set(key, path);
    for (const folder of foldersOf(key)) this.#folders.set(folder, path);
    return undefined;
  }

  #collision(path: string, key: string): string | undefined {
    const twin = this.#files.get(key);
    if (twin === path) return undefined;
    if (twin !== undefined) return `is the same file as "${twin}" on some file systems`;
    const inside = this.#folders.get(key);
    if (inside !== undefined) return `is a file and the folder of "${inside}"`;
    const file = foldersOf(key).find((folder) => this.#files.has(folder));
    return file === undefined ? undefined : `has the file "${this.#files.get(file)}" as a folder`;
  }
}

/** Returns the folders of a path: `a` and `a/b` for `a/b/c.js`. */
function foldersOf(path: string): string[] {
  const folders: string[] = [];
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) folders.push(path.slice(0, at));
  return folders;
}
