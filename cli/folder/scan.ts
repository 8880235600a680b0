import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import ignore from 'ignore';
import { Rules, type Verdict } from '../../lambda/sites/folder-rules.ts';

/** A file to deploy. */
export interface FolderFile {
  /** Relative to the folder, with `/`, in Unicode normalization form NFC as the API requires. */
  readonly path: string;
  /** Absolute path. */
  readonly file: string;
  readonly bytes: number;
  /** The part of the file that is sent instead of all of it. */
  readonly content?: Buffer;
}

/** Returns what is sent of a file. */
export const contentOf = ({ file, content }: FolderFile): Buffer => content ?? readFileSync(file);

export interface Scan {
  /** Sorted by path. */
  readonly files: readonly FolderFile[];
  /** Files, and folders with a `/` at their end, that are not deployed. */
  readonly leftOut: readonly { readonly path: string; readonly reason: string }[];
  /** Absolute paths of the folders that were read. */
  readonly folders: readonly string[];
}

/** Reading stops here: a home folder, say, is a mistake. */
const MOST_FILES = 10_000;

/**
 * Finds the files to deploy.
 * @param outermost a folder around `folder` (or itself) whose `.gitignore` and `.ptpignore` count too
 * @param options with `gitIgnored`, files are found although `.gitignore` names them
 * @throws Error for a symbolic link that leads out of the folder, and for far too many files
 */
export function scanFolder(
  folder: string,
  outermost: string,
  options: { sourceMaps?: boolean | undefined; gitIgnored?: boolean },
): Scan {
  const root = realpathSync(folder);
  const rules = IgnoreRules.around(root, realpathSync(outermost), options);
  rules.choose(root, options.gitIgnored);
  const files: FolderFile[] = [];
  const leftOut: { path: string; reason: string }[] = [];
  const folders: string[] = [];
  /** @param around real paths of the folders that this one is in: a link to one of them would never end */
  const walk = (at: string, parent: Verdict, around: readonly string[]) => {
    folders.push(at);
    rules.enter(at);
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      const file = join(at, entry.name);
      const path = relative(root, file).split(sep).join('/').normalize('NFC');
      const leaveOut = (reason: string, end: '' | '/') => leftOut.push({ path: path + end, reason });
      // A link that is left out may lead anywhere.
      const early = rules.judge(file, entry.isDirectory(), parent);
      if (early.reason) {
        leaveOut(early.reason, entry.isDirectory() ? '/' : '');
        continue;
      }
      const real = entry.isSymbolicLink()
        ? targetOf(file, path, root, 'replace it by its target, or name it in .ptpignore')
        : file;
      const stats = statSync(real);
      if (stats.isDirectory()) {
        const verdict = rules.judge(file, true, parent);
        if (verdict.reason) leaveOut(verdict.reason, '/');
        else if (around.includes(real)) leaveOut('link to a folder that it is in', '/');
        else walk(file, verdict, [...around, real]);
      } else if (stats.isFile()) files.push({ path, file, bytes: stats.size });
      else leaveOut('not a file', '');
      if (files.length > MOST_FILES)
        throw new Error(`${root} has more than ${MOST_FILES.toLocaleString('en')} files: name the folder of a site`);
    }
  };
  walk(root, {}, [root]);
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { files, leftOut, folders };
}

/**
 * Returns the path of a file or folder without symbolic links.
 * @param path as errors name it
 * @param advice how to go on
 * @throws Error for a link that leads out of `root`, which has no links itself
 */
export function targetOf(link: string, path: string, root: string, advice: string): string {
  let target: string | undefined;
  try {
    target = realpathSync(link);
  } catch {}
  if (target === root || target?.startsWith(root + sep)) return target;
  throw new Error(
    `The symbolic link "${path}" leads ${target === undefined ? 'nowhere' : `out of the folder, to ${target}`}: ${advice}`,
  );
}

/** The rules of folders on disk; paths are absolute. */
export class IgnoreRules {
  readonly #rules: Rules;
  readonly #base: string;

  private constructor(base: string, sourceMaps: boolean) {
    this.#base = base;
    this.#rules = new Rules(ignore, sourceMaps);
  }

  /** Returns the rules of the folders around a file or folder, from `base` to the one that it is in. */
  static around(path: string, base: string, { sourceMaps = false }: { sourceMaps?: boolean | undefined } = {}) {
    const folders: string[] = [];
    for (let at = path; at !== base && at !== dirname(at); folders.unshift(at)) at = dirname(at);
    const rules = new IgnoreRules(base, sourceMaps);
    for (const folder of folders) rules.enter(folder);
    return rules;
  }

  /** Adds the rules of a folder; a folder's parents come before it. */
  enter(folder: string): void {
    const [own, git] = ['.ptpignore', '.gitignore'].map((name) => readIfExists(join(folder, name)));
    this.#rules.add(this.#path(folder), own ?? '', git ?? '');
  }

  /** Disregards `.gitignore` from now on if it names this folder: it is wanted although git does not keep it. */
  choose(folder: string, always = false): void {
    if (always || (folder !== this.#base && this.ignoredByGit(folder, true))) this.#rules.disregardGit();
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

const readIfExists = (file: string) =>
  statSync(file, { throwIfNoEntry: false })?.isFile() ? readFileSync(file, 'utf8') : '';
