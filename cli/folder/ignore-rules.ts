import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import ignore from 'ignore';

/** Why a file or folder is left out, or that a rule of `.ptpignore` takes it in. */
export interface Verdict {
  readonly reason?: string;
  readonly included?: boolean;
}

/** Never deployed, whatever `.ptpignore` says. */
const ALWAYS: readonly [RegExp, string][] = [
  [/^\.env/, 'may have secrets'],
  [/^\.ptp\.json$/, 'has the token of the deployment'],
  [/^\.git$/, 'repository'],
  [/^node_modules$/, 'installed packages'],
];

/**
 * The rules that leave files out, strongest first: the list above, `.ptpignore`, the built-in rules (hidden files and source
 * maps), `.gitignore`.
 */
export class IgnoreRules {
  readonly #own = ignore({ ignorecase: false });
  readonly #git = ignore({ ignorecase: false });
  readonly #base: string;
  readonly #sourceMaps: boolean;
  #usesGit = true;

  private constructor(base: string, sourceMaps: boolean) {
    this.#base = base;
    this.#sourceMaps = sourceMaps;
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
    const prefix = this.#path(folder);
    this.#own.add(rulesIn(join(folder, '.ptpignore'), prefix));
    if (this.#usesGit) this.#git.add(rulesIn(join(folder, '.gitignore'), prefix));
  }

  /** Disregards `.gitignore` from now on if it names this folder: it is wanted although git does not keep it. */
  choose(folder: string): void {
    this.#usesGit = folder === this.#base || !this.ignoredByGit(folder, true);
  }

  ignoredByGit(path: string, isFolder: boolean): boolean {
    return this.#git.ignores(this.#path(path) + (isFolder ? '/' : ''));
  }

  /** @param parent the verdict on the folder that it is in */
  judge(path: string, isFolder: boolean, parent: Verdict): Verdict {
    const name = basename(path);
    const always = ALWAYS.find(([pattern]) => pattern.test(name));
    if (always) return { reason: always[1] };
    const own = this.#own.test(this.#path(path) + (isFolder ? '/' : ''));
    if (own.ignored) return { reason: '.ptpignore' };
    if (own.unignored) return { included: true };
    if (name.startsWith('.') && name !== '.well-known') return { reason: 'hidden' };
    if (!isFolder && name.endsWith('.map') && !this.#sourceMaps) return { reason: 'source map' };
    if (parent.included) return parent;
    return this.#usesGit && this.ignoredByGit(path, isFolder) ? { reason: '.gitignore' } : {};
  }

  #path(path: string): string {
    return relative(this.#base, path).split(sep).join('/');
  }
}

/** Returns the rules of a file as rules of the base: one set of them then has git's precedence of nested files. */
function rulesIn(file: string, prefix: string): string[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8')
    .replace(/^\ufeff/, '')
    .split(/\r?\n/);
  const rules = lines.filter((line) => line.trim() !== '' && !line.startsWith('#'));
  return prefix === '' ? rules : rules.map((rule) => below(prefix, rule));
}

/** gitignore(5): a pattern with a slash before its end is relative to its file, any other one matches at every depth. */
function below(prefix: string, rule: string): string {
  const [, negation = '', slash = '', pattern = ''] = /^(!?)(\/?)(.*)$/s.exec(rule) ?? [];
  const anchored = slash !== '' || /\/(?=.*\S)/.test(pattern);
  return `${negation}/${prefix.replaceAll(/[\\*?[\]! ]/g, '\\$&')}/${anchored ? '' : '**/'}${pattern}`;
}
