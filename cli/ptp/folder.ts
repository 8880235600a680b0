import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { IgnoreRules, type Verdict } from './ignore-rules.ts';

/** A file to deploy. */
export interface FolderFile {
  /** Relative to the folder, with `/`, in Unicode normalization form NFC as the API requires. */
  readonly path: string;
  readonly file: string;
  readonly bytes: number;
}

export interface LeftOut {
  /** As in `FolderFile`; a folder ends in `/`. */
  readonly path: string;
  readonly reason: string;
}

export interface Scan {
  readonly files: readonly FolderFile[];
  readonly leftOut: readonly LeftOut[];
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
  options: { sourceMaps?: boolean | undefined } = {},
): Scan {
  const root = realpathSync(folder);
  const base = realpathSync(outermost);
  const rules = IgnoreRules.around(root, base, options);
  rules.choose(root);
  const scan = { files: [] as FolderFile[], leftOut: [] as LeftOut[], folders: [] as string[] };
  walk(root, { root, rules, scan, verdict: {}, real: [root] });
  scan.files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return scan;
}

interface Walk {
  readonly root: string;
  readonly rules: IgnoreRules;
  readonly scan: { files: FolderFile[]; leftOut: LeftOut[]; folders: string[] };
  readonly verdict: Verdict;
  /** Real paths of this folder and those around it: a link to one of them would never end. */
  readonly real: readonly string[];
}

function walk(folder: string, state: Walk): void {
  const { root, rules, scan, verdict, real } = state;
  scan.folders.push(folder);
  rules.enter(folder);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const absolute = join(folder, entry.name);
    const path = relative(root, absolute).split(sep).join('/').normalize('NFC');
    const leaveOut = (reason: string, end = '') => scan.leftOut.push({ path: path + end, reason });
    const guess = rules.judge(absolute, entry.name, entry.isDirectory(), verdict);
    if (guess.reason) {
      leaveOut(guess.reason, entry.isDirectory() ? '/' : '');
      continue;
    }
    const target = entry.isSymbolicLink() ? targetOf(absolute, path, root) : absolute;
    const stats = statSync(target);
    if (stats.isDirectory()) {
      const inner = entry.isDirectory() ? guess : rules.judge(absolute, entry.name, true, verdict);
      if (inner.reason) leaveOut(inner.reason, '/');
      else if (real.includes(target)) leaveOut('link to a folder that it is in', '/');
      else walk(absolute, { ...state, verdict: inner, real: [...real, target] });
    } else if (stats.isFile()) scan.files.push({ path, file: absolute, bytes: stats.size });
    else leaveOut(`${kindOf(entry)}, not a file`);
    if (scan.files.length > MOST_FILES)
      throw new Error(
        `${root} has more than ${MOST_FILES.toLocaleString('en')} files: name the folder of a site`,
      );
  }
}

function targetOf(link: string, path: string, root: string): string {
  let target: string;
  try {
    target = realpathSync(link);
  } catch {
    throw new Error(`The symbolic link "${path}" leads nowhere: remove it, or name it in .ptpignore`);
  }
  if (target === root || target.startsWith(root + sep)) return target;
  throw new Error(
    `The symbolic link "${path}" leads out of the folder, to ${target}: copy its target here, or name it in .ptpignore`,
  );
}

function kindOf(entry: Dirent): string {
  if (entry.isSocket()) return 'socket';
  return entry.isFIFO() ? 'pipe' : 'device';
}
