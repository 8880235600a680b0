import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import ignore from 'ignore';
import { Rules, type Verdict } from '../../lambda/sites/folder-rules.ts';

/** The rules of folders on disk; paths are absolute. */
export class IgnoreRules {
  readonly #rules: Rules;
  readonly #base: string;

  private constructor(base: string, sourceMaps: boolean) {
    this.#base = base;
    this.#rules = new Rules(ignore, sourceMaps);
  }

  /** Returns the rules of the folders around a file or folder, from `base` to the one that it is in. */
  static around(
    path: string,
    base: string,
    { sourceMaps = false }: { sourceMaps?: boolean | undefined } = {},
  ) {
    const folders: string[] = [];
    for (let at = path; at !== base && at !== dirname(at); folders.unshift(at)) at = dirname(at);
    const rules = new IgnoreRules(base, sourceMaps);
    for (const folder of folders) rules.enter(folder);
    return rules;
  }

  /** Adds the rules of a folder; a folder's parents come before it. */
  enter(folder: string): void {
    const [own, git] = ['.ptpignore', '.gitignore'].map((name) => contentOf(join(folder, name)));
    this.#rules.add(this.#path(folder), own ?? '', git ?? '');
  }

  /** Disregards `.gitignore` from now on if it names this folder: it is wanted although git does not keep it. */
  choose(folder: string): void {
    if (folder !== this.#base && this.ignoredByGit(folder, true)) this.#rules.disregardGit();
  }

  ignoredByGit(path: string, isFolder: boolean): boolean {
    return this.#rules.ignoredByGit(this.#path(path), isFolder);
  }

  /** @param parent the verdict on the folder that it is in */
  judge(path: string, isFolder: boolean, parent: Verdict): Verdict {
    return this.#rules.judge(this.#path(path), isFolder, parent);
  }

  #path(path: string): string {
    return relative(this.#base, path).split(sep).join('/');
  }
}

const contentOf = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '');
