import enhancedResolve from 'enhanced-resolve';
import { type Files, textOf } from '../files.ts';
import { packageName, record } from './manifest.ts';

/** The use of a specifier, which selects the conditions of `exports`. */
export type ImportKind = 'import' | 'require' | 'style' | 'types';

/** The packages of a build, laid out as in `node_modules`. */
export interface PackageTree {
  /** The files by path, such as `node_modules/react/index.js` or `node_modules/a/node_modules/b/index.js`. */
  readonly files: Files;
  /** The versions of the packages that the own code imports, by name. */
  readonly versions: ReadonlyMap<string, string>;
  /**
   * Returns the path of the file that a specifier stands for; `false` if the package replaces it with nothing in
   * browsers; undefined if the file does not exist.
   * @param specifier such as `react-dom/client`, `#internal`, or `./cjs/react.production.js` inside a package
   * @param from path of the importing file: of the project, or in the tree
   */
  resolve(specifier: string, from: string, kind: ImportKind): string | false | undefined;
}

export const NO_PACKAGES: PackageTree = {
  files: new Map(),
  versions: new Map(),
  resolve: () => undefined,
};

const { ResolverFactory } = enhancedResolve;

type Resolver = ReturnType<typeof ResolverFactory.createResolver>;
type FileSystem = Parameters<typeof ResolverFactory.createResolver>[0]['fileSystem'];

/** The order of Vite, so that packages with several formats give the same file. */
const EXTENSIONS = ['.mjs', '.js', '.mts', '.ts', '.jsx', '.tsx', '.json'];
const SCRIPT_FIELDS = ['browser', 'module', 'jsnext:main', 'jsnext', 'main'];
/** `svelte` is the only condition of many packages of Svelte components. */
const CONDITIONS = ['browser', 'module', 'production', 'svelte'];

/** Returns the `resolve` of a tree: Node's algorithm with the fields and conditions that bundlers use for browsers. */
export function resolverOf(files: Files): PackageTree['resolve'] {
  const fileSystem = new MapFileSystem(files) as unknown as FileSystem;
  const resolvers: Record<ImportKind, Resolver> = {
    import: scriptResolver(fileSystem, 'import'),
    require: scriptResolver(fileSystem, 'require'),
    style: ResolverFactory.createResolver({
      fileSystem,
      extensions: ['.css'],
      mainFields: ['style', 'main'],
      conditionNames: ['style', 'production'],
      preferRelative: true,
      symlinks: false,
    }),
    types: ResolverFactory.createResolver({
      fileSystem,
      extensions: ['.d.ts', '.d.mts', '.d.cts', '.ts'],
      extensionAlias: { '.js': ['.d.ts', '.js'], '.mjs': ['.d.mts', '.mjs'], '.cjs': ['.d.cts', '.cjs'] },
      mainFields: ['types', 'typings', 'main'],
      conditionNames: ['types', 'import'],
      symlinks: false,
    }),
  };
  const packages = new Packages(files);
  const resolved = new Map<string, string | false | undefined>();

  const resolveFrom = (specifier: string, folder: string, kind: ImportKind): string | false | undefined => {
    const key = `${kind} ${folder} ${specifier}`;
    if (!resolved.has(key)) {
      const found = attempt(resolvers[kind], specifier, `/${folder}`);
      const path = typeof found === 'string' ? found.slice(1) : undefined;
      const isFile = path !== undefined && files.has(path);
      resolved.set(key, isFile || found === false ? (path ?? false) : undefined);
    }
    return resolved.get(key);
  };

  return (specifier, from, kind) => {
    const folder = from.startsWith('node_modules/') ? from.slice(0, from.lastIndexOf('/')) : '';
    const root = packageFolder(folder);
    if (kind === 'style') return resolveFrom(specifier, folder, kind);
    if (kind === 'types') return declarationOf(resolveFrom(specifier, folder, kind) || '', files);
    if (!/^\.\.?(?:\/|$)/.test(specifier))
      return resolveFrom(specifier, packages.start(specifier, root), kind);
    const found = packages.replacesFiles(root) ? undefined : relativeFile(`${folder}/${specifier}`, files);
    return found ?? resolveFrom(specifier, folder, kind);
  };
}

/** Returns the declaration file of a script, or the file itself if it is TypeScript; undefined if there are no types. */
function declarationOf(path: string, files: Files): string | undefined {
  const stem = path.replace(/\.[cm]?jsx?$/, '');
  const ending = stem === path ? [''] : ['.d.ts', '.d.mts', '.d.cts'];
  const found = ending.map((end) => stem + end).find((each) => files.has(each));
  return found !== undefined && /\.[cm]?ts$/.test(found) ? found : undefined;
}

function scriptResolver(fileSystem: FileSystem, kind: 'import' | 'require'): Resolver {
  return ResolverFactory.createResolver({
    fileSystem,
    extensions: EXTENSIONS,
    mainFields: SCRIPT_FIELDS,
    aliasFields: ['browser'],
    conditionNames: [kind, ...CONDITIONS],
    symlinks: false,
  });
}

/** `enhanced-resolve` throws what it does not find. */
function attempt(resolver: Resolver, specifier: string, folder: string): string | false | undefined {
  try {
    return resolver.resolveSync({}, folder, specifier);
  } catch {
    return undefined;
  }
}

/** The file that a relative specifier names, with or without its extension; undefined for folders and paths outside. */
function relativeFile(path: string, files: Files): string | undefined {
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..' && segments.length === 0) return undefined;
    if (segment === '..') segments.pop();
    else if (segment !== '.' && segment !== '') segments.push(segment);
  }
  const file = segments.join('/');
  if (path.endsWith('/')) return undefined;
  const suffix = ['', ...EXTENSIONS].find((extension) => files.has(file + extension));
  return suffix === undefined ? undefined : file + suffix;
}

/** The manifests that decide how the files of a package find others. */
class Packages {
  readonly #files: Files;
  readonly #known = new Map<string, { name: unknown; replacesFiles: boolean }>();

  constructor(files: Files) {
    this.#files = files;
  }

  /** Reports if the `browser` field of a package replaces some of its files, or what it imports. */
  replacesFiles(root: string): boolean {
    return this.#manifest(root).replacesFiles;
  }

  /**
   * Returns the folder from which to resolve a specifier that is not relative: the outermost one that sees the same
   * package, so that packages share resolved specifiers.
   */
  start(specifier: string, root: string): string {
    const name = packageName(specifier);
    const { name: own, replacesFiles } = this.#manifest(root);
    if (replacesFiles || own === name || specifier.startsWith('#')) return root;
    for (
      let from = root;
      from !== '';
      from = from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/')))
    ) {
      if (this.#files.has(`${from}/node_modules/${name}/package.json`)) return from;
    }
    return '';
  }

  #manifest(root: string): { name: unknown; replacesFiles: boolean } {
    const known = this.#known.get(root);
    if (known) return known;
    const { name, browser } = record(jsonOf(this.#files, `${root}/package.json`));
    const manifest = { name, replacesFiles: typeof browser === 'object' && browser !== null };
    this.#known.set(root, manifest);
    return manifest;
  }
}

/** `node_modules/@scope/a` for `node_modules/@scope/a/dist/esm`. */
function packageFolder(folder: string): string {
  const at = folder.lastIndexOf('node_modules/');
  if (at < 0) return '';
  const start = at + 'node_modules/'.length;
  return folder.slice(0, start) + packageName(folder.slice(start));
}

/** Node's functions for files that `enhanced-resolve` calls, each with its callback as last argument. */
type Callback<Value> = (error: NodeJS.ErrnoException | null, value?: Value) => void;

/**
 * A file system whose files are those of a map, below `/`. It calls back before it returns, so that resolving is
 * synchronous.
 */
class MapFileSystem {
  readonly #files: Files;
  readonly #folders = new Set(['/']);
  readonly #json = new Map<string, unknown>();

  constructor(files: Files) {
    this.#files = files;
    for (const path of files.keys()) this.#addFolders(path);
  }

  readonly stat = (path: string, ...rest: unknown[]): void => {
    const isFile = this.#files.has(path.slice(1));
    const isFolder = !isFile && this.#folders.has(path);
    const stats = { isFile: () => isFile, isDirectory: () => isFolder, isSymbolicLink: () => false };
    respond(rest, isFile || isFolder ? stats : undefined);
  };

  readonly readFile = (path: string, ...rest: unknown[]): void => {
    const bytes = this.#files.get(path.slice(1));
    respond(rest, bytes && Buffer.from(bytes));
  };

  readonly readJson = (path: string, ...rest: unknown[]): void => {
    const isFile = this.#files.has(path.slice(1));
    if (isFile && !this.#json.has(path)) this.#json.set(path, jsonOf(this.#files, path.slice(1)));
    respond(rest, this.#json.get(path));
  };

  readonly readdir = (_path: string, ...rest: unknown[]): void => respond(rest, undefined);

  readonly readlink = (_path: string, ...rest: unknown[]): void => respond(rest, undefined);

  #addFolders(path: string): void {
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const folder = `/${path.slice(0, end)}`;
      if (this.#folders.has(folder)) return;
      this.#folders.add(folder);
    }
  }
}

/** The object in a file; an empty one if there is none, since an invalid package.json describes nothing. */
function jsonOf(files: Files, path: string): unknown {
  try {
    const value = JSON.parse(textOf(files, path) ?? '');
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}

/** Made once: most lookups find nothing, and each error would collect its stack. */
const MISSING = Object.freeze(Object.assign(new Error('No such file'), { code: 'ENOENT' }));

function respond(rest: unknown[], value: unknown): void {
  const callback = rest.at(-1) as Callback<unknown>;
  if (value === undefined) callback(MISSING);
  else callback(null, value);
}
