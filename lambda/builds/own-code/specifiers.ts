import { isBuiltin } from 'node:module';
import { type Alias, aliasTargets, type ProjectConfig } from '../config/settings.ts';
import { type Files, splitQuery } from '../files.ts';

/** The module that a specifier in own code refers to. */
type Found =
  /** A file of the project; `id` is its path with the query of the specifier. */
  | { readonly is: 'file'; readonly id: string }
  | { readonly is: 'package'; readonly specifier: string }
  /** A module of another host, which stays as it is. */
  | { readonly is: 'url'; readonly url: string }
  | { readonly is: 'nothing'; readonly message: string };

/** In the order of Vite. */
const EXTENSIONS = ['.mjs', '.js', '.mts', '.ts', '.jsx', '.tsx', '.json'];
/** TypeScript names the output in imports: `./a.js` stands for `./a.ts`. */
const COMPILED: ReadonlyMap<string, readonly string[]> = new Map([
  ['.js', ['.ts', '.tsx']],
  ['.jsx', ['.tsx']],
  ['.mjs', ['.mts']],
]);
/** Without a configuration of it, `@/` stands for these folders. */
const DEFAULT_ALIASES = [{ pattern: '@/*', targets: ['/src/*', '/*'] }];
const PACKAGE = /^(?:@[a-z\d_-][\w.~-]*\/)?[a-z\d_-][\w.~-]*(?:\/|$)/i;

/** Resolves the specifiers of own code, without a file system. */
export class OwnFiles {
  readonly #files: Files;
  readonly #aliases: readonly Alias[];
  readonly #baseUrl: readonly Alias[];
  /** Paths by their lower case; made when a file is missing. */
  #byLowerCase: ReadonlyMap<string, string> | undefined;

  readonly #root: string;

  constructor(files: Files, { aliases, root }: Pick<ProjectConfig, 'aliases' | 'root'>) {
    this.#files = files;
    this.#root = root;
    this.#aliases = aliases.filter(({ pattern }) => pattern !== '*');
    this.#baseUrl = aliases.filter(({ pattern }) => pattern === '*');
  }

  /** @param from path of the importing file */
  find(specifier: string, from: string): Found {
    if (/^(?:https?:)?\/\//i.test(specifier) || /^data:/i.test(specifier))
      return { is: 'url', url: specifier };
    const { path, query } = splitQuery(specifier);
    const isPath = /^[./]/.test(path);
    const targets = aliasTargets(path, this.#aliases);
    if (targets.length === 0 && !isPath) targets.push(...aliasTargets(path, DEFAULT_ALIASES));
    // TypeScript's `baseUrl` is an alias of every specifier, which may be a package nevertheless.
    const ofBase = isPath ? [] : aliasTargets(path, this.#baseUrl);
    for (const target of [...targets, ...ofBase]) {
      const inProject = target.startsWith('/') ? join('', target.slice(1)) : undefined;
      const file = inProject === undefined ? undefined : this.#lookup(inProject);
      if (file !== undefined) return { is: 'file', id: file + query };
    }
    const other = targets.find((target) => !target.startsWith('/'));
    if (other !== undefined) return packageOf(other + query);
    if (targets.length > 0) return this.#missing(specifier, targets[0]?.slice(1) ?? '');
    return isPath ? this.#own(specifier, path, query, from) : packageOf(specifier);
  }

  /** Joins a folder and a path that may lead out of the root folder, where files keep their paths in the project. */
  #fromRoot(folder: string, path: string): string | undefined {
    const joined = join(this.#root + folder, path);
    return joined?.startsWith(this.#root) ? joined.slice(this.#root.length) : joined;
  }

  #own(specifier: string, path: string, query: string, from: string): Found {
    const inProject = path.startsWith('/') ? join('', path.slice(1)) : this.#fromRoot(folderOf(from), path);
    if (inProject === undefined) return { is: 'nothing', message: `"${specifier}" is outside the project` };
    const file =
      this.#lookup(inProject) ??
      this.#fromOutside(folderOf(from), path) ??
      (path.startsWith('/') ? this.#public(inProject) : undefined);
    return file === undefined ? this.#missing(specifier, inProject) : { is: 'file', id: file + query };
  }

  /** Finds what a file outside of the root folder imports from inside of it. */
  #fromOutside(folder: string, path: string): string | undefined {
    const joined = path.startsWith('/') ? undefined : join(folder, path);
    return this.#root !== '' && joined?.startsWith(this.#root)
      ? this.#lookup(joined.slice(this.#root.length))
      : undefined;
  }

  #public(path: string): string | undefined {
    return this.#files.has(`public/${path}`) ? `public/${path}` : undefined;
  }

  #lookup(path: string): string | undefined {
    return candidates(path).find((candidate) => this.#files.has(candidate));
  }

  #missing(specifier: string, path: string): Found {
    this.#byLowerCase ??= new Map([...this.#files.keys()].map((key) => [key.toLowerCase(), key]));
    const similar = candidates(path).flatMap(
      (candidate) => this.#byLowerCase?.get(candidate.toLowerCase()) ?? [],
    );
    if (similar[0] !== undefined)
      return { is: 'nothing', message: `"${specifier}" differs in case from the file ${similar[0]}` };
    const component = /(?:^|\/)components\/ui\/([\w-]+)$/.exec(path)?.[1];
    return {
      is: 'nothing',
      message:
        component === undefined
          ? `"${specifier}" is not in the project: there is no file ${path || '/'}`
          : `"${specifier}" is missing: shadcn/ui components are files of the project, so add ${path}.tsx`,
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
  const segments = folder.split('/').slice(0, -1);
  for (const segment of relative.split('/')) {
    if (segment === '..' && segments.pop() === undefined) return undefined;
    if (segment !== '..' && segment !== '.' && segment !== '') segments.push(segment);
  }
  return segments.join('/');
}

function candidates(path: string): string[] {
  const extension = /\.[a-z]+$/.exec(path)?.[0] ?? '';
  const stem = path.slice(0, path.length - extension.length);
  const index = path === '' ? 'index' : `${path}/index`;
  return [
    path,
    ...EXTENSIONS.map((added) => path + added),
    ...(COMPILED.get(extension) ?? []).map((source) => stem + source),
    ...EXTENSIONS.map((added) => index + added),
  ];
}

function packageOf(specifier: string): Found {
  if (/^[a-z][a-z\d+.-]*:/i.test(specifier))
    return {
      is: 'nothing',
      message: specifier.startsWith('node:')
        ? `"${specifier}" is a module of Node.js, which browsers do not have`
        : `"${specifier}" cannot be imported`,
    };
  if (specifier.startsWith('next/') || specifier === 'next')
    return { is: 'nothing', message: `"${specifier}" needs Next.js, which renders on a server` };
  if (!PACKAGE.test(specifier))
    return { is: 'nothing', message: `"${specifier}" is neither a path nor the name of a package` };
  if (
    isBuiltin(specifier) &&
    !/^(?:assert|buffer|events|process|punycode|string_decoder|url|util)$/.test(specifier)
  )
    return { is: 'nothing', message: `"${specifier}" is a module of Node.js, which browsers do not have` };
  return { is: 'package', specifier };
}
