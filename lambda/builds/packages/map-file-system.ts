import { type Files, textOf } from '../files.ts';

/** Node's functions for files that `enhanced-resolve` calls, each with its callback as last argument. */
type Callback<Value> = (error: NodeJS.ErrnoException | null, value?: Value) => void;

/** A file system whose files are those of a map, below `/`. It calls back before it returns, so that resolving is synchronous. */
export class MapFileSystem {
  readonly #files: Files;
  readonly #folders = new Set(['/']);
  readonly #json = new Map<string, unknown>();

  constructor(files: Files) {
    this.#files = files;
    for (const path of files.keys()) this.#addFolders(path);
  }

  readonly stat = (path: string, ...rest: unknown[]): void => {
    const isFile = this.#files.has(path.slice(1));
    const isFolder = !isFile && this.#folders.has(path);
    const stats = { isFile: () => isFile, isDirectory: () => isFolder, isSymbolicLink: () => false };
    respond(rest, isFile || isFolder ? stats : undefined);
  };

  readonly readFile = (path: string, ...rest: unknown[]): void => {
    const bytes = this.#files.get(path.slice(1));
    respond(rest, bytes && Buffer.from(bytes));
  };

  readonly readJson = (path: string, ...rest: unknown[]): void => {
    const isFile = this.#files.has(path.slice(1));
    if (isFile && !this.#json.has(path)) this.#json.set(path, jsonOf(this.#files, path.slice(1)));
    respond(rest, this.#json.get(path));
  };

  readonly readdir = (_path: string, ...rest: unknown[]): void => respond(rest, undefined);

  readonly readlink = (_path: string, ...rest: unknown[]): void => respond(rest, undefined);

  #addFolders(path: string): void {
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const folder = `/${path.slice(0, end)}`;
      if (this.#folders.has(folder)) return;
      this.#folders.add(folder);
    }
  }
}

/** The object in a file; an empty one if there is none, since an invalid package.json describes nothing. */
export function jsonOf(files: Files, path: string): unknown {
  try {
    const value = JSON.parse(textOf(files, path) ?? '');
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}

function respond(rest: unknown[], value: unknown): void {
  const callback = rest.at(-1) as Callback<unknown>;
  if (value === undefined) callback(Object.assign(new Error('No such file'), { code: 'ENOENT' }));
  else callback(null, value);
}
