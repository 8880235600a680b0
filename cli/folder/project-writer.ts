import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { PathSet } from '../../lambda/sites/path-set.ts';

/** Paths that are not written: git runs what it finds there, and a foreign `.ptp.json` names another service. */
const REFUSED = /(?:^|\/)\.git(?:\/|$)|(?:^|\/)\.ptp\.json$/i;

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
    const listed =
      present.slice(0, 5).join(', ') + (present.length > 5 ? ` and ${present.length - 5} more` : '');
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
    const problem = this.#paths.add(path);
    if (problem !== undefined) throw unsafe(path, problem);
    if (isTrusted(path)) return void this.refused.add(path);
    const place = join(this.#folder, path);
    makeFolder(this.#folder, path);
    if (!this.#force && !this.#contents.has(path) && existsSync(place))
      throw new Error(`${place} exists: it is replaced only with --force`);
    replaceFile(place, content);
    this.#contents.set(path, content);
  }
}

/** Returns whether other tools would trust a file of this path. */
export const isTrusted = (path: string) => REFUSED.test(path);

/** Returns the error for a path of the service that must not be written. */
export const unsafe = (path: string, problem: string) =>
  new Error(`The service sent a file whose path "${path}" ${problem}`);

/** Writes a file as a whole. @param mode default: that of a new file */
export function replaceFile(file: string, content: Uint8Array, mode?: number): void {
  const temporary = join(dirname(file), `.ptp-${process.pid}.tmp`);
  try {
    writeFileSync(temporary, content, { flag: 'wx' });
    if (mode !== undefined) chmodSync(temporary, mode);
    // Replaces a symbolic link, not its target.
    renameSync(temporary, file);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Creates the folder of a file, through no symbolic link: that could lead anywhere. */
export function makeFolder(root: string, path: string): void {
  mkdirSync(root, { recursive: true });
  let at = root;
  for (const name of path.split('/').slice(0, -1)) {
    at = join(at, name);
    const stats = lstatSync(at, { throwIfNoEntry: false });
    if (!stats) mkdirSync(at);
    else if (!stats.isDirectory()) throw new Error(`${at} is not a folder: nothing is written through it`);
  }
}

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
    if (!existsSync(folder)) return folder;
  }
}
