import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { Verdict } from '../../lambda/sites/folder-rules.ts';
import { IgnoreRules } from './ignore-rules.ts';

/** A file to deploy. */
export interface FolderFile {
  /** Relative to the folder, with `/`, in Unicode normalization form NFC as the API requires. */
  readonly path: string;
  /** Absolute path. */
  readonly file: string;
  readonly bytes: number;
  /** What is sent in place of the file's content: a part of it. */
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
 * @throws Error for a symbolic link that leads out of the folder, and for far too many files
 */
export function scanFolder(
  folder: string,
  outermost: string,
  options: { sourceMaps?: boolean | undefined },
): Scan {
  const root = realpathSync(folder);
  const rules = IgnoreRules.around(root, realpathSync(outermost), options);
  rules.choose(root);
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
      const real = entry.isSymbolicLink() ? targetOf(file, path, root) : file;
      const stats = statSync(real);
      if (stats.isDirectory()) {
        const verdict = rules.judge(file, true, parent);
        if (verdict.reason) leaveOut(verdict.reason, '/');
        else if (around.includes(real)) leaveOut('link to a folder that it is in', '/');
        else walk(file, verdict, [...around, real]);
      } else if (stats.isFile()) files.push({ path, file, bytes: stats.size });
      else leaveOut('not a file', '');
      if (files.length > MOST_FILES)
        throw new Error(
          `${root} has more than ${MOST_FILES.toLocaleString('en')} files: name the folder of a site`,
        );
    }
  };
  walk(root, {}, [root]);
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { files, leftOut, folders };
}

function targetOf(link: string, path: string, root: string): string {
  let target: string | undefined;
  try {
    target = realpathSync(link);
  } catch {}
  if (target === root || target?.startsWith(root + sep)) return target;
  throw new Error(
    `The symbolic link "${path}" leads ${target === undefined ? 'nowhere' : `out of the folder, to ${target}`}: replace it by its target, or name it in .ptpignore`,
  );
}
