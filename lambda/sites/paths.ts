import { LIMITS } from '../contract/limits.ts';

/** Returns the problem of a path as a predicate (`is empty`), or undefined. */
type Rule = (path: string) => string | undefined;

/**
 * Names that Windows reserves for devices in every folder, with any extension and with spaces before it
 * (Microsoft, "Naming Files, Paths, and Namespaces"; the last two from "Console Handles").
 */
const WINDOWS_DEVICE = /(?:^|\/)((?:con|prn|aux|nul|(?:com|lpt)[0-9¹²³]|conin\$|conout\$) *)(?:\.|\/|$)/i;

/**
 * Characters that are invisible or reorder others, so that a name is not what it looks like. Joiners and variation
 * selectors are allowed: emoji and some words need them.
 */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}--\p{Join_Control}--\p{Variation_Selector}]/v;

/** Slashes that NFKC keeps, but that Windows code pages convert to `/` and `\`. */
const SLASHES = /[\u2044\u2215\u2216]/;

const utf8 = new TextEncoder();

/** Only the first problem is reported. */
const RULES: readonly Rule[] = [
  without(/^$/, () => 'is empty'),
  without(/\p{Surrogate}/u, () => 'is not well-formed Unicode: it has an unpaired surrogate'),
  (path) => (utf8.encode(path).length > LIMITS.pathBytes ? `is longer than ${LIMITS.pathBytes} bytes` : undefined),
  without(/[\p{Control}\u2028\u2029]/u, (found) => `has the control character ${codePoint(found)}`),
  without(INVISIBLE, (found) => `has the invisible character ${codePoint(found)}`),
  // JavaScript objects keyed by path, here and in many tools, treat it as their prototype.
  without(/^__proto__$/, () => 'is a name that JavaScript reserves'),
  without(/^\//, () => 'starts with "/": paths are relative to the project'),
  without(/[\\%:]/, (found) => `has the character "${found}"`),
  without(/\/(?:\/|$)/, () => 'has an empty segment'),
  without(/(?:^|\/)\.\.?(?:\/|$)/, () => 'has a "." or ".." segment'),
  (path) => (path === path.normalize('NFC') ? undefined : 'is not in Unicode normalization form NFC'),
  (path) => {
    const found = path.match(/\P{ASCII}/gu)?.find(isLookalike);
    return found && `has the character "${found}", which looks like one of / . \\`;
  },
  without(WINDOWS_DEVICE, (_, name) => `has the name "${name}", which Windows reserves`),
  without(/[. ](?:\/|$)/, () => 'has a segment that ends in a dot or a space'),
  (path) => {
    const found = repositoryIn(path);
    return found && `has the name "${found}", which makes a folder a repository`;
  },
  (path) => (isHead(path) ? 'is named "HEAD", as the file that makes a folder a git repository' : undefined),
];

/** Folders of version control systems, which run commands that files in them name; and their short names on Windows. */
const REPOSITORY = /^(?:\.(?:git|hg|svn|bzr|jj|sl)|(?:git|hg|svn|bzr|jj|sl)~\d+)$/;

/**
 * Returns the segment of a path that makes a folder a repository on some system, or undefined. The path need not be
 * valid: the paths of files that are left out are not.
 */
export function repositoryIn(path: string): string | undefined {
  return path.split(/[/\\]/).find((name) => REPOSITORY.test(openedName(name)));
}

/** Returns whether a name opens `.ptp.json` on some system, by its short name on Windows, too. */
export function isProjectFile(name: string): boolean {
  return /^(?:\.ptp\.json|ptp~\d+\.jso)$/.test(openedName(name));
}

/**
 * Returns whether git could take a folder with this file for a bare repository: one with a `HEAD`, and with `objects`
 * and `refs` or a `commondir` that leads to them. It would then run what `config` there names. `HEAD` alone is refused,
 * whatever else there is: an earlier project or the user may have left the rest, in any folder, and hardly a website
 * has a file of this name.
 */
function isHead(path: string): boolean {
  return openedName(path.slice(path.lastIndexOf('/') + 1)) === 'head';
}

/**
 * Returns a name as the most lenient file system opens it, in lower case: HFS+ ignores invisible characters, Windows
 * dots and spaces at the end, and NTFS takes what follows a colon for a stream of the file.
 */
function openedName(name: string): string {
  return name
    .replace(/\p{Default_Ignorable_Code_Point}+/gu, '')
    .replace(/:.*$/s, '')
    .replace(/[. ]+$/, '')
    .toLowerCase();
}

/**
 * Returns the reason why a file cannot have this path, as a predicate (`is empty`), or undefined if it can. Paths are
 * rejected, never repaired. A path is rejected if it could lead out of a folder, or to another file, on some system
 * that a site is unpacked on. Names that some systems merely cannot store are valid: `?`, `*`, or a name of 300 bytes.
 */
export function pathProblem(path: string): string | undefined {
  for (const rule of RULES) {
    const problem = rule(path);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Reports if a file stands for one whose path is not valid: it has the same name. */
export function isCorrected(path: string, corrected: string): boolean {
  return pathProblem(path) !== undefined && nameOf(path) === nameOf(corrected);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/**
 * Returns a key that is equal for paths that are the same file on some file system. It is the path under full case
 * folding (Unicode Standard, 3.13; `ß` equals `SS`): lower case and then upper case maps all spellings to one. `ı` is
 * kept, because it shares its upper case with `i` but is another letter.
 */
export function pathKey(path: string): string {
  return path
    .toLowerCase()
    .replace(/[^ı]+/g, (letters) => letters.toUpperCase())
    .normalize('NFC');
}

function without(wrong: RegExp, problem: (...found: string[]) => string): Rule {
  return (path) => {
    const found = wrong.exec(path);
    return found ? problem(...found) : undefined;
  };
}

/** Returns whether normalization or conversion to a code page turns a character into a separator or a dot. */
function isLookalike(character: string): boolean {
  return SLASHES.test(character) || /[/.\\]/.test(character.normalize('NFKC'));
}

function codePoint(character: string): string {
  return `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** The paths of one site: all valid, and no two of them the same file on any file system. */
export class PathSet {
  /** The paths by their `pathKey`. */
  readonly #files = new Map<string, string>();
  /** One file of each folder, by the `pathKey` of the folder. */
  readonly #folders = new Map<string, string>();

  constructor(paths: Iterable<string> = []) {
    for (const path of paths) this.add(path);
  }

  has(path: string): boolean {
    return this.#files.get(pathKey(path)) === path;
  }

  /** Adds a path, which may be in the set already. @returns the problem as a predicate (`is empty`), or undefined */
  add(path: string): string | undefined {
    const key = pathKey(path);
    const problem = pathProblem(path) ?? this.#collision(path, key);
    if (problem !== undefined) return problem;
    this.#files.set(key, path);
    for (const folder of foldersOf(key)) this.#folders.set(folder, path);
    return undefined;
  }

  #collision(path: string, key: string): string | undefined {
    const twin = this.#files.get(key);
    if (twin === path) return undefined;
    if (twin !== undefined) return `is the same file as "${twin}" on some file systems`;
    const inside = this.#folders.get(key);
    if (inside !== undefined) return `is a file and the folder of "${inside}"`;
    const file = foldersOf(key).find((folder) => this.#files.has(folder));
    return file === undefined ? undefined : `has the file "${this.#files.get(file)}" as a folder`;
  }
}

/** Returns the folders of a path: `a` and `a/b` for `a/b/c.js`. */
function foldersOf(path: string): string[] {
  const folders: string[] = [];
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) folders.push(path.slice(0, at));
  return folders;
}

const HTML = /\.html?$/i;
const INDEX = /(?:^|\/)index\.html?$/i;
const INDEX_HTML = /(?:^|\/)index\.html$/;

/**
 * Returns the HTML file that a visitor sees first: the shallowest `index.html`, else the shallowest HTML file. The
 * first path in code unit order wins a tie. `index.htm` and `INDEX.HTML` count as an index too, as in web servers, but
 * an `index.html` of the same depth takes precedence. Returns `''` if there is no HTML file.
 */
export function entryOf(paths: readonly string[]): string {
  const [entry = ''] = paths
    .filter(isHtml)
    .toSorted(
      (a, b) =>
        Number(INDEX.test(b)) - Number(INDEX.test(a)) ||
        a.split('/').length - b.split('/').length ||
        Number(INDEX_HTML.test(b)) - Number(INDEX_HTML.test(a)) ||
        byPath(a, b),
    );
  return entry;
}

export function isHtml(path: string): boolean {
  return HTML.test(path);
}

export function byPath(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** Below `.data/`, at any depth of a site, are its data and their client: no file is there. */
const DATA = /(?:^|\/)\.data\/(.*)$/s;

/** Returns what a path or a URL names of a site's data, such as `client.js` or `messages`; undefined if it is another one. */
export function dataPathOf(url: string): string | undefined {
  return DATA.exec(url.replace(/[?#].*$/s, ''))?.[1];
}

/** The client of the data, below `.data/`. */
export const DATA_CLIENT = 'client.js';
