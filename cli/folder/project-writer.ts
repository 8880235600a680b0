import { existsSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isProjectFile, PathSet, repositoryIn } from '../../lambda/sites/paths.ts';
import { makeFolder, removeFile, replaceFile } from '../../terminal/written-files.ts';
import { contentOf, type FolderFile } from './scan.ts';

/** The difference of a file from the one that was sent. */
interface FolderChange {
  readonly path: string;
  readonly change: 'added' | 'changed' | 'deleted';
}

/** The changes made to a folder, and those that were not made. */
export interface AppliedChanges {
  readonly changes: readonly FolderChange[];
  /** The changes that were not made, with the reason. */
  readonly kept: readonly (FolderChange & { readonly reason: string })[];
}

/** The files of a folder as they are sent, to be changed in place. Reads them at once. */
export class ProjectFolder {
  readonly files: readonly { readonly path: string; readonly content: Buffer }[];
  readonly #root: string;
  readonly #places: ReadonlyMap<string, string>;
  readonly #partial: ReadonlySet<string>;

  /** @param files those of the folder that belong to the project */
  constructor(root: string, files: readonly FolderFile[]) {
    this.#root = root;
    this.#places = new Map(files.map(({ path, file }) => [path, file]));
    this.#partial = new Set(files.filter(({ content }) => content !== undefined).map(({ path }) => path));
    this.files = files.map((file) => ({ path: file.path, content: contentOf(file) }));
  }

  /**
   * Makes the folder what the project became. Files that did not change are left alone, as is every file that someone
   * else changed, made or deleted since it was read.
   * @throws Error for a path that leaves the folder, before anything is changed
   */
  apply(project: ReadonlyMap<string, Buffer>): AppliedChanges {
    const changes: FolderChange[] = [];
    const kept: (FolderChange & { reason: string })[] = [];
    const before = new Map(this.files.map(({ path, content }) => [path, content]));
    checkPaths(project.keys());
    const make = (change: FolderChange, content: Buffer | undefined) => {
      const reason = this.#change(change.path, before.get(change.path), content);
      if (reason === undefined) changes.push(change);
      else kept.push({ ...change, reason });
    };
    // First, because a file may take the place of a folder.
    for (const path of before.keys()) if (!project.has(path)) make({ path, change: 'deleted' }, undefined);
    for (const [path, content] of project) {
      const was = before.get(path);
      if (!was?.equals(content)) make({ path, change: was ? 'changed' : 'added' }, content);
    }
    return { changes, kept };
  }

  /** Changes one file. @returns why it was not changed */
  #change(path: string, was: Buffer | undefined, content: Buffer | undefined): string | undefined {
    if (isTrusted(path)) return 'other tools would trust it';
    if (this.#partial.has(path)) return 'only a part of it was sent';
    const file = this.#places.get(path) ?? join(this.#root, path);
    try {
      if (content && !was) makeFolder(this.#root, path);
      const is = lstatSync(file, { throwIfNoEntry: false }) && readFileSync(file);
      if (content ? is?.equals(content) : !is) return undefined;
      if (!was) {
        if (is) return 'the folder has another file of this path, which was not sent';
      } else if (!is?.equals(was)) return is ? 'it was changed meanwhile' : 'it was deleted meanwhile';
      if (content) replaceFile(file, content, was && statSync(file).mode);
      else removeFile(this.#root, file);
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  }
}

/** @throws Error for a path that is not safe on every system */
function checkPaths(paths: Iterable<string>): void {
  const set = new PathSet();
  for (const path of paths) {
    const problem = isTrusted(path) ? undefined : set.add(path);
    if (problem !== undefined) throw unsafe(path, problem);
  }
}

/** Writes the files of a generated project to a folder, each one as a whole. */
export class ProjectWriter {
  readonly #folder: string;
  readonly #force: boolean;
  readonly #paths = new PathSet();
  readonly #contents = new Map<string, Buffer>();
  readonly refused = new Set<string>();

  /**
   * @param folder created with the first file
   * @throws Error if it has files, unless `force`
   */
  constructor(folder: string, force = false) {
    this.#folder = folder;
    this.#force = force;
    if (!existsSync(folder)) return;
    if (!statSync(folder).isDirectory()) throw new Error(`"${folder}" is a file: choose a folder with -o`);
    const present = readdirSync(folder).filter((name) => name !== '.git' && name !== '.DS_Store');
    if (present.length === 0 || force) return;
    const listed = present.slice(0, 5).join(', ') + (present.length > 5 ? ` and ${present.length - 5} more` : '');
    throw new Error(
      `The folder "${folder}" is not empty (${listed}): choose another one with -o, or replace files with --force`,
    );
  }

  /** Number of files that were written. */
  get count(): number {
    return this.#contents.size;
  }

  /** Writes a file, unless it is written already. @throws Error for a path that leaves the folder */
  write(path: string, file: string | Uint8Array): void {
    const content = Buffer.from(file as Uint8Array);
    if (this.#contents.get(path)?.equals(content)) return;
    if (isTrusted(path)) return void this.refused.add(path);
    const problem = this.#paths.add(path);
    if (problem !== undefined) throw unsafe(path, problem);
    const place = join(this.#folder, path);
    makeFolder(this.#folder, path);
    if (!this.#force && !this.#contents.has(path) && existsSync(place))
      throw new Error(`${place} exists: it is replaced only with --force`);
    replaceFile(place, content);
    this.#contents.set(path, content);
  }
}

/** Returns whether other tools would trust a file of this path: git runs what it finds, and `.ptp.json` names a service. */
const isTrusted = (path: string) => repositoryIn(path) !== undefined || path.split(/[/\\]/).some(isProjectFile);

/** Returns the error for a path of the service that must not be written. */
const unsafe = (path: string, problem: string) => new Error(`The service sent a file whose path "${path}" ${problem}`);

/** How prompts begin before they name the project. */
const LEAD = /^(?:(?:please|i (?:want|need)|make|build|create|write|generate|me|an?|the|my|simple|new)\s+)+/i;
const LONGEST_NAME = 30;

/** Returns a new folder's path for the project of a prompt, such as `expense-tracker`, under `cwd`. */
export function newFolder(prompt: string, cwd: string): string {
  const [subject = ''] = prompt
    .trim()
    .replace(LEAD, '')
    .split(/[.,;:!?\n]|\s(?:with|that|which|where|using)\s/, 1);
  const words = subject
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase();
  const parts = words.split(/[^\p{L}\p{M}\p{N}]+/u).filter(Boolean);
  while (parts.length > 1 && parts.join('-').length > LONGEST_NAME) parts.pop();
  const name = parts
    .join('-')
    .slice(0, LONGEST_NAME)
    .replace(/(?:-(?:an?|and|the|of|for|in|to|my))+$/, '');
  const first = new PathSet().add(name) === undefined ? name : 'project';
  for (let n = 1; ; n++) {
    const folder = join(cwd, n === 1 ? first : `${first}-${n}`);
    if (!lstatSync(folder, { throwIfNoEntry: false })) return folder;
  }
}
