import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { PathSet } from '../../lambda/sites/path-set.ts';

/** What may be in a folder that counts as empty. */
const HARMLESS = ['.git', '.DS_Store'];
/** Paths that a project must not have: git runs what it finds there, and a foreign `.ptp.json` names another service. */
const REFUSED = /(?:^|\/)\.git(?:\/|$)|(?:^|\/)\.ptp\.json$/i;

/** Writes the files of a generated project to a folder, each one as a whole. */
export class ProjectWriter {
  readonly folder: string;
  /** Bytes by path of the files that were written. */
  readonly written = new Map<string, number>();
  readonly refused: string[] = [];
  readonly #paths = new PathSet();
  readonly #contents = new Map<string, string>();
  readonly #force: boolean;
  #created: string | undefined;

  /**
   * @param folder created with the first file
   * @throws Error if it has files, unless `force`
   */
  constructor(folder: string, force = false) {
    this.folder = folder;
    this.#force = force;
    if (!existsSync(folder)) return;
    if (!statSync(folder).isDirectory()) throw new Error(`"${folder}" is a file: choose a folder with -o`);
    const present = readdirSync(folder).filter((name) => !HARMLESS.includes(name));
    if (present.length === 0 || force) return;
    throw new Error(
      `The folder "${folder}" is not empty (${listOf(present)}): choose another one with -o, or overwrite files with --force`,
    );
  }

  /** Writes a file, unless this content is there already. @throws Error for a path that leaves the folder */
  write(path: string, content: string): void {
    if (this.#contents.get(path) === content || this.refused.includes(path)) return;
    const problem = this.#paths.add(path);
    if (problem !== undefined) throw new Error(`The service sent a file whose path "${path}" ${problem}`);
    if (REFUSED.test(path)) {
      this.refused.push(path);
      return;
    }
    const file = join(this.folder, path);
    this.#makeFolder(dirname(file));
    if (!this.#force && !this.written.has(path) && lstatSync(file, { throwIfNoEntry: false }))
      throw new Error(`${file} exists: nothing is overwritten without --force`);
    replaceFile(file, content);
    this.#contents.set(path, content);
    this.written.set(path, Buffer.byteLength(content));
  }

  /** Removes the folder if it is new and nothing was written. */
  discard(): void {
    if (this.#created !== undefined && this.written.size === 0) rmdirSync(this.#created);
  }

  /** Creates a folder, through no symbolic link: that could lead anywhere. */
  #makeFolder(folder: string): void {
    if (!existsSync(this.folder)) this.#created = this.folder;
    mkdirSync(this.folder, { recursive: true });
    let at = this.folder;
    for (const name of relative(this.folder, folder).split('/').filter(Boolean)) {
      at = join(at, name);
      const stats = lstatSync(at, { throwIfNoEntry: false });
      if (!stats) mkdirSync(at);
      else if (!stats.isDirectory()) throw new Error(`${at} is not a folder: nothing is written through it`);
    }
  }
}

/** Renaming replaces a file at once, and a symbolic link instead of its target. */
function replaceFile(file: string, content: string): void {
  const temporary = join(dirname(file), `.ptp-${process.pid}.tmp`);
  try {
    writeFileSync(temporary, content, { flag: 'wx' });
    renameSync(temporary, file);
  } finally {
    rmSync(temporary, { force: true });
  }
}

function listOf(names: readonly string[]): string {
  const shown = names.slice(0, 5).join(', ');
  return names.length > 5 ? `${shown} and ${names.length - 5} more` : shown;
}

const LEAD =
  /^(?:(?:please|can you|could you|i (?:want|need)|make|build|create|write|generate|design|give|me|us|a|an|the|my|simple|new)\s+)+/i;
/** Where the subject of a prompt often ends. */
const REST = /\s(?:with|that|which|where|using)\s.*$/i;
/** Words that a name does not end in. */
const JOINTS = /(?:-(?:a|an|and|the|of|for|in|on|to|my))+$/;
const LONGEST_NAME = 30;

/** Returns a new folder's path for the project of a prompt, such as `expense-tracker`, under `cwd`. */
export function newFolder(prompt: string, cwd: string): string {
  const sentence = prompt.trim().split(/[.,;:!?\n]/, 1)[0] ?? '';
  const subject = sentence.replace(LEAD, '').replace(REST, '');
  const words = subject
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .normalize('NFC');
  const parts = words.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  let name = '';
  for (const part of parts) {
    if (name !== '' && name.length + part.length >= LONGEST_NAME) break;
    name = name === '' ? part.slice(0, LONGEST_NAME) : `${name}-${part}`;
  }
  name = name.replace(JOINTS, '');
  const first = new PathSet().add(name) === undefined ? name : 'project';
  for (let n = 1; ; n++) {
    const folder = join(cwd, n === 1 ? first : `${first}-${n}`);
    if (!existsSync(folder)) return folder;
  }
}
