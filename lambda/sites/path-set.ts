import { pathKey, pathProblem } from './paths.ts';

/** The paths of one project, which a deployment takes together: each one right, and none in the way of another. */
export class ProjectPaths {
  /** By the key under which a file system may take two paths for one. */
  readonly #files = new Map<string, string>();
  readonly #folders = new Set<string>();

  constructor(paths: Iterable<string> = []) {
    for (const path of paths) this.add(path);
  }

  /** Adds a path, also one that is there already. @returns why it may not be added, as the end of a sentence */
  add(path: string): string | undefined {
    const problem = pathProblem(path) ?? this.#clash(path);
    if (problem !== undefined) return problem;
    this.#files.set(pathKey(path), path);
    for (const folder of foldersOf(path)) this.#folders.add(pathKey(folder));
    return undefined;
  }

  #clash(path: string): string | undefined {
    const twin = this.#files.get(pathKey(path));
    if (twin === path) return undefined;
    if (twin !== undefined) return `differs from "${twin}" only in case`;
    if (this.#folders.has(pathKey(path))) return 'is the folder of other files';
    const file = foldersOf(path).find((folder) => this.#files.has(pathKey(folder)));
    return file === undefined ? undefined : `has the file "${file}" for a folder`;
  }
}

/** `a/b/c.js` is in `a` and `a/b`. */
function foldersOf(path: string): string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_, i) => names.slice(0, i + 1).join('/'));
}
