import { basename, extname } from 'node:path/posix';
import type { Files } from './files.ts';
import { nameHash } from './hash.ts';
import { BuildError } from './problem.ts';

/** The files of `assets/` that are no scripts. */
export class AssetFolder {
  /** By name. */
  readonly files = new Map<string, Uint8Array>();
  readonly #project: Files;
  #packages: Files = new Map();

  constructor(project: Files) {
    this.#project = project;
  }

  /** Makes the files of packages available. */
  open(packages: Files): void {
    this.#packages = packages;
  }

  /** Adds a file of the project or of a package, and returns its name. */
  add(path: string): string {
    const content = path.startsWith('node_modules/') ? this.#packages.get(path) : this.#project.get(path);
    if (!content) throw new BuildError([{ message: `The file ${path} is not in the project` }]);
    return this.emit(basename(path), content);
  }

  /** Adds a file whose name gets a hash of its content, and returns that name. */
  emit(name: string, content: Uint8Array): string {
    const extension = extname(name).replace(/[^\w.]/g, '');
    const stem = basename(name, extname(name))
      .replace(/[^\w-]/g, '_')
      .slice(0, 60);
    const hashed = `${stem}-${nameHash(content)}${extension}`;
    this.files.set(hashed, content);
    return hashed;
  }
}
