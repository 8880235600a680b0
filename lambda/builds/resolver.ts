import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import { dataPathOf } from '../sites/paths.ts';
import { type Alias, aliasTargets, type ProjectConfig } from './config/settings.ts';
import { type Files, splitQuery } from './files.ts';

/** The target of a reference in a file of the project. */
type Found =
  /** A file of the project; `id` is its path with the query of the reference. */
  | { readonly is: 'file'; readonly id: string }
  | { readonly is: 'package'; readonly specifier: string }
  /** A module of another host, which stays as it is, or the client of the site's data, as built scripts import it. */
  | { readonly is: 'url'; readonly url: string }
  | { readonly is: 'nothing'; readonly message: string };

/**
 * How a reference is used. An import of a script may leave out extensions, and one of a style sheet `.css`. Style sheets
 * and URLs find files beside theirs without `./`, and those of `public/` first.
 */
type Use = 'import' | 'style' | 'url';

/** In the order of Vite. */
const EXTENSIONS = ['.mjs', '.js', '.mts', '.ts', '.jsx', '.tsx', '.json'];
/** Imports in TypeScript name the compiled file: `./a.js` means `./a.ts`. */
const COMPILED: ReadonlyMap<string, readonly string[]> = new Map([
  ['.js', ['.ts', '.tsx']],
  ['.jsx', ['.tsx']],
  ['.mjs', ['.mts']],
]);
/** The folders of `@/`, unless the configuration defines it. */
const DEFAULT_ALIASES = [{ pattern: '@/*', targets: ['/src/*', '/*'] }];
const PACKAGE = /^(?:@[a-z\d_-][\w.~-]*\/)?[a-z\d_-][\w.~-]*(?:\/|$)/i;
const PACKAGES_FOLDER = /^\/?node_modules\//;

/** Resolves every reference that a file of the project has, without a file system. */
export class Resolver {
  readonly #files: Files;
  readonly #aliases: readonly Alias[];
  readonly #baseUrl: readonly Alias[];
  readonly #extensions: readonly string[];
  readonly #root: string;
  readonly #hidden: ReadonlySet<string>;
  /** Paths by their lower case; made when a file is missing. */
  #byLowerCase: ReadonlyMap<string, string> | undefined;

  /** @param hidden paths that exist both outside and inside the root folder (`hiddenAtRoot`) */
  constructor(files: Files, { aliases, extensions, root }: ProjectConfig, hidden: ReadonlySet<string> = new Set()) {
    this.#files = files;
    this.#hidden = hidden;
    this.#root = root;
    this.#extensions = extensions ?? EXTENSIONS;
    this.#aliases = aliases.filter(({ pattern }) => pattern !== '*');
    this.#baseUrl = aliases.filter(({ pattern }) => pattern === '*');
  }

  /** @param from path of the file that has the reference */
  find(reference: string, from: string, use: Use = 'import'): Found {
    if (/^(?:https?:)?\/\//i.test(reference) || /^data:/i.test(reference)) return { is: 'url', url: reference };
    const data = dataPathOf(reference);
    if (data !== undefined) return { is: 'url', url: `../.data/${data}` };
    // As paths of the project, which the file system of a Mac may have in another form.
    const { path, query } = splitQuery(reference.normalize('NFC'));
    const isPath = /^[./]/.test(path);
    const beside = isPath || use === 'import' ? undefined : this.#own(`./${path}`, from, use).file;
    if (beside !== undefined) return { is: 'file', id: beside + query };
    const targets = this.aliased(path);
    // TypeScript's `baseUrl` is an alias of every specifier, which may be a package nevertheless.
    const ofBase = isPath ? [] : aliasTargets(path, this.#baseUrl);
    for (const target of [...targets, ...ofBase]) {
      const inProject = target.startsWith('/') ? join('', target.slice(1)) : undefined;
      const file = inProject === undefined ? undefined : this.#lookup(inProject, use);
      if (file !== undefined) return { is: 'file', id: file + query };
    }
    const other = targets.find((target) => !target.startsWith('/') || PACKAGES_FOLDER.test(target));
    if (other !== undefined) return packageOf(other.replace(PACKAGES_FOLDER, '') + query);
    if (targets.length > 0) return this.#missing(reference, targets[0]?.slice(1) ?? '', this.#root);
    if (!isPath) return packageOf(path + query);
    const { path: inProject, file } = this.#own(path, from, use);
    if (this.#isHidden(path, file, from)) {
      const message = `"${reference}" is ${file} beside ${this.#root}, which has a file of that path, too: rename one of them`;
      return { is: 'nothing', message };
    }
    if (file !== undefined) return { is: 'file', id: file + query };
    if (inProject === undefined) return { is: 'nothing', message: `"${reference}" is outside the project` };
    if (PACKAGES_FOLDER.test(inProject)) return packageOf(inProject.replace(PACKAGES_FOLDER, '') + query);
    const isInside = path.startsWith('/') || join(this.#root + folderOf(from), path)?.startsWith(this.#root);
    return this.#missing(reference, inProject, isInside ? this.#root : '');
  }

  /** Returns what an alias replaces a reference by, as `aliasTargets`. */
  aliased(path: string): string[] {
    const targets = aliasTargets(path, this.#aliases);
    return targets.length > 0 || /^[./]/.test(path) ? targets : aliasTargets(path, DEFAULT_ALIASES);
  }

  /** Joins a folder and a path that may lead out of the root folder, where files keep their paths in the project. */
  #fromRoot(folder: string, path: string): string | undefined {
    const joined = join(this.#root + folder, path);
    return joined?.startsWith(this.#root) ? joined.slice(this.#root.length) : joined;
  }

  /** Reports if a path leads out of the root folder to a file that is not the one that was found. */
  #isHidden(path: string, file: string | undefined, from: string): boolean {
    if (file === undefined || !this.#hidden.has(file) || path.startsWith('/')) return false;
    const joined = join(this.#root + folderOf(from), path);
    return joined !== undefined && !joined.startsWith(this.#root);
  }

  /** Returns the path that a path in a file means, undefined if it leads out of the project, and its file. */
  #own(path: string, from: string, use: Use): { path?: string; file?: string | undefined } {
    if (path.startsWith('/')) {
      const absolute = join('', path.slice(1));
      if (absolute === undefined) return {};
      const file = this.#lookup(absolute, use);
      const inPublic = this.#files.has(`public/${absolute}`) ? `public/${absolute}` : undefined;
      return { path: absolute, file: use === 'import' ? (file ?? inPublic) : (inPublic ?? file) };
    }
    const inProject = this.#fromRoot(folderOf(from), path);
    if (inProject === undefined) return {};
    const file = this.#lookup(inProject, use) ?? this.#fromOutside(folderOf(from), path, use);
    return { path: inProject, file };
  }

  /** Finds what a file outside of the root folder imports from inside of it. */
  #fromOutside(folder: string, path: string, use: Use): string | undefined {
    const joined = join(folder, path);
    return this.#root !== '' && joined?.startsWith(this.#root)
      ? this.#lookup(joined.slice(this.#root.length), use)
      : undefined;
  }

  #lookup(path: string, use: Use): string | undefined {
    return this.#candidates(path, use).find((candidate) => this.#files.has(candidate));
  }

  #candidates(path: string, use: Use): string[] {
    if (use === 'url') return [path];
    if (use === 'style') return [path, `${path}.css`, `${path}/index.css`];
    const extension = /\.[a-z]+$/.exec(path)?.[0] ?? '';
    const stem = path.slice(0, path.length - extension.length);
    const index = path === '' ? 'index' : `${path}/index`;
    return [
      path,
      ...this.#extensions.map((added) => path + added),
      ...(COMPILED.get(extension) ?? []).map((source) => stem + source),
      ...this.#extensions.map((added) => index + added),
    ];
  }

  /** @param root the folder of the project that the path is in */
  #missing(reference: string, path: string, root: string): Found {
    this.#byLowerCase ??= new Map([...this.#files.keys()].map((key) => [key.toLowerCase(), key]));
    const similar = this.#candidates(path, 'import').flatMap(
      (candidate) => this.#byLowerCase?.get(candidate.toLowerCase()) ?? [],
    );
    if (similar[0] !== undefined)
      return { is: 'nothing', message: `"${reference}" differs in case from the file ${root}${similar[0]}` };
    const component = /(?:^|\/)components\/ui\/([\w-]+)$/.exec(path)?.[1];
    return {
      is: 'nothing',
      message:
        component === undefined
          ? `"${reference}" is not in the project: there is no file ${root}${path || '/'}`
          : `"${reference}" is missing: shadcn/ui components are files of the project, so add ${root}${path}.tsx`,
    };
  }
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

/**
 * Returns a relative path in a folder, which ends with a slash or is empty; undefined if it leads out of the project.
 */
function join(folder: string, relative: string): string | undefined {
  const path = posix.join(folder, relative).replace(/\/$/, '');
  if (path === '..' || path.startsWith('../')) return undefined;
  return path === '.' ? '' : path;
}

function packageOf(specifier: string): Found {
  if (/^[a-z][a-z\d+.-]*:/i.test(specifier))
    return {
      is: 'nothing',
      message: specifier.startsWith('node:')
        ? `"${specifier}" is a module of Node.js, which browsers do not have`
        : `"${specifier}" is in no package: it may be made by a plugin, and no plugin is run here`,
    };
  if (specifier.startsWith('next/') || specifier === 'next')
    return { is: 'nothing', message: `"${specifier}" needs Next.js, which renders on a server` };
  if (!PACKAGE.test(specifier))
    return { is: 'nothing', message: `"${specifier}" is neither a path nor the name of a package` };
  if (isBuiltin(specifier) && !/^(?:assert|buffer|events|process|punycode|string_decoder|url|util)$/.test(specifier))
    return { is: 'nothing', message: `"${specifier}" is a module of Node.js, which browsers do not have` };
  return { is: 'package', specifier };
}
