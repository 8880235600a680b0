import { posix } from 'node:path';

/** Extensions that imports leave out. */
const CODE = /\.(?:d\.ts|[cm]?[jt]sx?|vue|svelte|css|json)$/i;
/** Files by every end of their paths, with and without extension: aliases are not resolved. */
export class FileIndex {
  readonly #paths: readonly string[];
  readonly #exact = new Map<string, string[]>();
  readonly #ends = new Map<string, string[]>();

  constructor(paths: readonly string[]) {
    this.#paths = paths;
    for (const path of paths) {
      for (const name of namesOf(path)) add(this.#exact, name, path);
      const parts = path.split('/');
      for (let i = 0; i < parts.length; i++)
        for (const name of namesOf(parts.slice(i).join('/'))) add(this.#ends, name, path);
    }
  }

  /** Returns the files that a reference in a file can name. */
  find(reference: string, by: string): readonly string[] {
    const path = reference.normalize('NFC').replace(/[?#].*$/s, '');
    if (/^\.{1,2}(?:\/|$)/.test(path)) return this.#at(posix.join(posix.dirname(by), path));
    // `/src/main.tsx`, or a file of `public/`, which is kept anyway.
    if (path.startsWith('/')) return this.#at(path.slice(1));
    const afterAlias = path.slice(path.indexOf('/') + 1);
    if (/[*]|\$\{/.test(path)) return afterAlias === path ? [] : this.#under(afterAlias, true);
    const beside = this.#exact.get(posix.join(posix.dirname(by), path)) ?? [];
    if (!path.includes('/')) return beside;
    return [...beside, ...this.#ending(path), ...this.#ending(afterAlias)];
  }

  #at(path: string): readonly string[] {
    if (/[*]|\$\{/.test(path)) return this.#under(path, false);
    return this.#exact.get(path) ?? this.#exact.get(path.replace(CODE, '')) ?? [];
  }

  #ending(path: string): readonly string[] {
    return this.#ends.get(path) ?? this.#ends.get(path.replace(CODE, '')) ?? [];
  }

  /** Returns all files under the fixed part of a glob or template. */
  #under(pattern: string, isEnd: boolean): readonly string[] {
    const fixed = pattern.split(/[*{]|\$\{/, 1)[0] ?? '';
    const folder = fixed.slice(0, fixed.lastIndexOf('/') + 1);
    // `/*` of a router names no files, and those beside package.json are kept anyway.
    if (folder === '') return !isEnd && pattern.startsWith('**') ? this.#paths : [];
    return this.#paths.filter((path) => path.startsWith(folder) || (isEnd && path.includes(`/${folder}`)));
  }
}

/** Returns the names by which imports find a file. */
function namesOf(path: string): string[] {
  const stem = path.replace(CODE, '');
  const folder = /^(.+)\/index$/.exec(stem)?.[1];
  return [path, stem, ...(folder === undefined ? [] : [folder])];
}

function add(map: Map<string, string[]>, key: string, path: string): void {
  const list = map.get(key);
  if (!list) map.set(key, [path]);
  else if (!list.includes(path)) list.push(path);
}
