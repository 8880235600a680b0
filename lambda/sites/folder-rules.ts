import { isProjectFile, repositoryIn } from './paths.ts';

/** The part of the package `ignore` that is used. */
interface Matcher {
  add(rules: string[]): unknown;
  ignores(path: string): boolean;
  test(path: string): { readonly ignored: boolean; readonly unignored: boolean };
}

/** Returns a new set of rules: the package `ignore`, which the console loads later than this module. */
export type NewMatcher = (options: { ignorecase: boolean }) => Matcher;

/** Why a file or folder is left out, or that a rule of `.ptpignore` takes it in. */
export interface Verdict {
  readonly reason?: string;
  readonly included?: boolean;
}

/** What is part of no project, by the name of a file or folder. The service leaves it out of deploys, too. */
const FOREIGN: readonly [(name: string) => boolean, string][] = [
  [isProjectFile, 'has the token of the deployment'],
  [(name) => repositoryIn(name) !== undefined, 'repository'],
  [(name) => name === 'node_modules', 'installed packages'],
];

/** Returns why a file or folder of this name is never sent, whatever `.ptpignore` says. */
export function neverSent(name: string): string | undefined {
  if (/^\.env/i.test(name)) return 'may have secrets';
  return FOREIGN.find(([isFound]) => isFound(name))?.[1];
}

/** Returns whether a path is part of no project, whatever it is made of. */
export function isForeign(path: string): boolean {
  return path.split('/').some((name) => FOREIGN.some(([isFound]) => isFound(name)));
}

/** Returns whether visitors never see a file: it is foreign, or it or a folder around it is hidden. */
export function isUnpublished(path: string): boolean {
  return isForeign(path) || path.split('/').some(isHidden);
}

/** Settings of tools, which have no secrets and are part of a project. */
const SETTINGS =
  /^\.(?:babelrc|browserslistrc|editorconfig|eslintignore|eslintrc|gitattributes|gitignore|node-version|nvmrc|postcssrc|prettierignore|prettierrc|stylelintrc|swcrc)(?:\.[a-z]+)?$/;

/** Returns whether a file is no part of the source of a site: everybody may download that. */
export function isNoSource(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return isUnpublished(SETTINGS.test(name) ? `${path.slice(0, -name.length)}file` : path);
}

const isHidden = (name: string) => name.startsWith('.') && name !== '.well-known';

/**
 * The rules that leave files out, strongest first: `neverSent`, `.ptpignore`, the built-in rules (hidden files and
 * source maps), `.gitignore`. Paths are relative to one folder, with `/`.
 */
export class Rules {
  readonly #own: Matcher;
  readonly #git: Matcher;
  readonly #sourceMaps: boolean;
  #usesGit = true;

  constructor(newMatcher: NewMatcher, sourceMaps = false) {
    this.#own = newMatcher({ ignorecase: false });
    this.#git = newMatcher({ ignorecase: false });
    this.#sourceMaps = sourceMaps;
  }

  /**
   * Adds the contents of a folder's `.ptpignore` and `.gitignore`; a folder's parents come before it. @param folder
   * `''` for the root
   */
  add(folder: string, ptpIgnore: string, gitIgnore: string): void {
    this.#own.add(rulesIn(ptpIgnore, folder));
    if (this.#usesGit) this.#git.add(rulesIn(gitIgnore, folder));
  }

  /** Disregards `.gitignore` from now on. */
  disregardGit(): void {
    this.#usesGit = false;
  }

  ignoredByGit(path: string, isFolder: boolean): boolean {
    return this.#git.ignores(path + (isFolder ? '/' : ''));
  }

  /** @param parent the verdict on the folder that it is in */
  judge(path: string, isFolder: boolean, parent: Verdict): Verdict {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const never = neverSent(name);
    if (never !== undefined) return { reason: never };
    const own = this.#own.test(path + (isFolder ? '/' : ''));
    if (own.ignored) return { reason: '.ptpignore' };
    if (own.unignored) return { included: true };
    if (isHidden(name)) return { reason: 'hidden' };
    if (!isFolder && name.endsWith('.map') && !this.#sourceMaps) return { reason: 'source map' };
    if (parent.included) return parent;
    return this.#usesGit && this.ignoredByGit(path, isFolder) ? { reason: '.gitignore' } : {};
  }
}

/** Returns the rules of a file as rules of the base: one set of them then has git's precedence of nested files. */
function rulesIn(text: string, prefix: string): string[] {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  const rules = lines.filter((line) => line.trim() !== '' && !line.startsWith('#'));
  return prefix === '' ? rules : rules.map((rule) => below(prefix, rule));
}

/**
 * gitignore(5): a pattern with a slash before its end is relative to its file, any other one matches at every depth.
 */
function below(prefix: string, rule: string): string {
  const [, negation = '', slash = '', pattern = ''] = /^(!?)(\/?)(.*)$/s.exec(rule) ?? [];
  const anchored = slash !== '' || /\/(?=.*\S)/.test(pattern);
  return `${negation}/${prefix.replaceAll(/[\\*?[\]! ]/g, '\\$&')}/${anchored ? '' : '**/'}${pattern}`;
}
