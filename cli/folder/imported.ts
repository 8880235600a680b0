import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { LIMITS } from '../../lambda/contract/limits.ts';
import { dependencyNames } from '../../lambda/sites/source/kind.ts';
import { contentOf, type FolderFile, type Scan, scanFolder } from './scan.ts';
import { kindOf, type Manifest } from './site.ts';

const CODE = /\.(?:[cm]?[jt]sx?|vue|svelte|css|html?)$/i;
const IMPORT =
  /(?:\bfrom|\bimport|\bglob|\bURL|\burl|\bsrc\s{0,9}=|\bhref\s{0,9}=)\s{0,9}(?:\(\s{0,9}){0,1}(?:url\(\s{0,9})?["']([^"'\n]{1,300})["']/g;

/**
 * Returns the files that `.gitignore` leaves out although a page imports them, directly or not: a build needs them, as it
 * needs the files that are sent. `lib/` in a template for Python is the usual cause. Imports of other code do not count:
 * those of a server can be its credentials, and everyone can download what a deployment was made of.
 */
export function importedFiles(manifest: Manifest): FolderFile[] {
  const { files, leftOut, site } = manifest;
  const kind = leftOut.some(({ reason }) => reason === '.gitignore') ? kindOf(manifest) : undefined;
  if (kind?.kind !== 'source') return [];
  const sent = new IndexedFiles(files, kind.root);
  const packages = packagesOf(files);
  const isPackage = (specifier: string) =>
    packages.some((name) => specifier === name || specifier.startsWith(`${name}/`));
  let ignored: IndexedFiles | undefined;
  const found = new Set<FolderFile>();
  const entries = kind.component === undefined ? kind.pages : [kind.component];
  // The loop over this set includes the files that are added during the loop.
  const open = new Set(entries.flatMap((path) => sent.find(`/${path}`, '')));
  for (const file of open) {
    for (const specifier of importsOf(file)) {
      const there = sent.find(specifier, file.path);
      for (const imported of there) open.add(imported);
      if (there.length > 0 || specifier.includes(':') || isPackage(specifier)) continue;
      ignored ??= new IndexedFiles(ignoredFiles(site), kind.root);
      for (const imported of ignored.find(specifier, file.path)) {
        found.add(imported);
        open.add(imported);
      }
    }
  }
  return [...found].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Files by what can name them in code. */
class IndexedFiles {
  readonly #root: string;
  readonly #byPath: ReadonlyMap<string, FolderFile>;
  readonly #index: FileIndex;

  /** @param root the folder of the project that paths with a slash begin at: empty, or with a slash at its end */
  constructor(files: readonly FolderFile[], root: string) {
    this.#root = root;
    this.#byPath = new Map(files.map((file) => [file.path, file]));
    this.#index = new FileIndex([...this.#byPath.keys()]);
  }

  find(specifier: string, by: string): FolderFile[] {
    const rooted = specifier.startsWith('/') ? `/${this.#root}${specifier.slice(1)}` : specifier;
    return this.#index.find(rooted, by).flatMap((path) => this.#byPath.get(path) ?? []);
  }
}

function packagesOf(files: readonly FolderFile[]): string[] {
  const manifest = files.find(({ path }) => path === 'package.json');
  return manifest === undefined ? [] : dependencyNames(contentOf(manifest).toString());
}

function importsOf(file: FolderFile): string[] {
  if (!CODE.test(file.path) || file.bytes > LIMITS.fileBytes) return [];
  const text = readFileSync(file.file, 'utf8');
  return Array.from(text.matchAll(IMPORT), ([, specifier = '']) => specifier);
}

/** Returns the files of a folder as if there were no `.gitignore`; none if they are far too many. */
function ignoredFiles({ folder, outermost }: Manifest['site']): Scan['files'] {
  try {
    return scanFolder(folder, outermost, { gitIgnored: true }).files;
  } catch {
    return [];
  }
}

/** Extensions that imports leave out. */
const EXTENSION = /\.(?:d\.ts|[cm]?[jt]sx?|vue|svelte|css|json)$/i;
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
    return this.#exact.get(path) ?? this.#exact.get(path.replace(EXTENSION, '')) ?? [];
  }

  #ending(path: string): readonly string[] {
    return this.#ends.get(path) ?? this.#ends.get(path.replace(EXTENSION, '')) ?? [];
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
  const stem = path.replace(EXTENSION, '');
  const folder = /^(.+)\/index$/.exec(stem)?.[1];
  return [path, stem, ...(folder === undefined ? [] : [folder])];
}

function add(map: Map<string, string[]>, key: string, path: string): void {
  const list = map.get(key);
  if (!list) map.set(key, [path]);
  else if (!list.includes(path)) list.push(path);
}
