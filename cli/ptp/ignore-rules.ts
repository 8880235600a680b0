import { readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import ignore from 'ignore';

/** A decision about a file or folder: why it is left out, or whether a rule of `.ptpignore` takes it in. */
export interface Verdict {
  readonly reason?: string;
  readonly included?: boolean;
}

/** Never deployed, whatever `.ptpignore` says: secrets, and what would make a site of thousands of files. */
const ALWAYS: readonly [RegExp, string][] = [
  [/^\.env/, 'may have secrets'],
  [/^\.ptp\.json$/, 'has the token of the deployment'],
  [/^\.git$/, 'repository'],
  [/^node_modules$/, 'installed packages'],
];

/**
 * The rules that leave files out. A file that ends a line here decides before the next one: the list above, `.ptpignore`, the
 * built-in rules (hidden files, source maps), `.gitignore`.
 */
export class IgnoreRules {
  readonly #own = ignore({ ignorecase: false });
  readonly #git = ignore({ ignorecase: false });
  readonly #base: string;
  readonly #sourceMaps: boolean;
  #usesGit = true;

  /** @param base absolute path of the folder whose rules are the outermost: that of the repository */
  constructor(base: string, { sourceMaps = false }: { sourceMaps?: boolean | undefined } = {}) {
    this.#base = base;
    this.#sourceMaps = sourceMaps;
  }

  /** Returns the rules of the folders around a file or folder, from `base` to the one that it is in. */
  static around(path: string, base: string, options: { sourceMaps?: boolean | undefined } = {}): IgnoreRules {
    const folders: string[] = [];
    for (let at = path; at !== base && at !== dirname(at); folders.unshift(at)) at = dirname(at);
    const rules = new IgnoreRules(base, options);
    for (const folder of folders) rules.enter(folder);
    return rules;
  }

  /** Adds the rules of a folder; a folder's parents come before it. */
  enter(folder: string): void {
    const prefix = this.#path(folder);
    this.#own.add(rulesIn(join(folder, '.ptpignore'), prefix));
    if (this.#usesGit) this.#git.add(rulesIn(join(folder, '.gitignore'), prefix));
  }

  /** Ignores `.gitignore` from now on if it names this folder: it is wanted although git does not keep it. */
  choose(folder: string): void {
    const path = this.#path(folder);
    this.#usesGit = path === '' || !this.ignoredByGit(`${folder}/`);
  }

  /** @param absolute ends in `/` for a folder */
  ignoredByGit(absolute: string): boolean {
    return this.#git.ignores(this.#path(absolute) + (absolute.endsWith('/') ? '/' : ''));
  }

  /** @param parent the verdict on the folder that it is in */
  judge(absolute: string, name: string, isFolder: boolean, parent: Verdict): Verdict {
    const always = ALWAYS.find(([pattern]) => pattern.test(name));
    if (always) return { reason: always[1] };
    const path = this.#path(absolute) + (isFolder ? '/' : '');
    const own = this.#own.test(path);
    if (own.ignored) return { reason: '.ptpignore' };
    if (own.unignored) return { included: true };
    if (name.startsWith('.') && name !== '.well-known') return { reason: 'hidden' };
    if (!isFolder && name.endsWith('.map') && !this.#sourceMaps) return { reason: 'source map' };
    if (parent.included) return parent;
    return this.#usesGit && this.#git.ignores(path) ? { reason: '.gitignore' } : {};
  }

  #path(absolute: string): string {
    return relative(this.#base, absolute).split(sep).join('/');
  }
}

/** Returns the rules of a file as rules of the base: one set of them then has git's precedence for nested files. */
function rulesIn(file: string, prefix: string): string[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (['ENOENT', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  return lines
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => below(prefix, line));
}

/** gitignore(5): a pattern with a slash before its end is relative to its file, any other one matches at every depth. */
function below(prefix: string, line: string): string {
  if (prefix === '') return line;
  const [, negation = '', slash = '', pattern = ''] = /^(!?)(\/?)(.*)$/s.exec(line) ?? [];
  const anchored = slash !== '' || /\/(?=.*\S)/.test(pattern);
  const folder = prefix.replaceAll(/[\\*?[\]! ]/g, '\\$&');
  return `${negation}/${folder}/${anchored ? '' : '**/'}${pattern}`;
}
