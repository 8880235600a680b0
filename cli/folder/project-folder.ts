import { lstatSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PathSet } from '../../lambda/sites/path-set.ts';
import { isTrusted, makeFolder, replaceFile, unsafe } from './project-writer.ts';
import { contentOf, type FolderFile } from './scan.ts';

/** How a file of a project differs from the one that was sent. */
export interface FolderChange {
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
   * Makes the folder what the project became. Files that did not change are left alone, as is every file that someone else
   * changed, made or deleted since it was read.
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
      else remove(this.#root, file);
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  }
}

/** Deletes a file, and the folders that are empty without it. */
function remove(root: string, file: string): void {
  rmSync(file);
  for (let at = dirname(file); at !== root && readdirSync(at).length === 0; at = dirname(at)) rmdirSync(at);
}

/** @throws Error for a path that is not safe on every system */
function checkPaths(paths: Iterable<string>): void {
  const set = new PathSet();
  for (const path of paths) {
    const problem = set.add(path);
    if (problem !== undefined) throw unsafe(path, problem);
  }
}
