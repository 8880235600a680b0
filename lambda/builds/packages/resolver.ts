import enhancedResolve from 'enhanced-resolve';
import type { Files } from '../files.ts';
import { MapFileSystem } from './map-file-system.ts';
import type { ImportKind, PackageTree } from './package-tree.ts';

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
  };
  const replaced = new Map<string, boolean>();
  const resolved = new Map<string, string | false | undefined>();

  const resolveFrom = (specifier: string, folder: string, kind: ImportKind): string | false | undefined => {
    const found = attempt(resolvers[kind], specifier, `/${folder}`);
    if (typeof found !== 'string') return found;
    return files.has(found.slice(1)) ? found.slice(1) : undefined;
  };

  return (specifier, from, kind) => {
    const folder = from.startsWith('node_modules/') ? from.slice(0, from.lastIndexOf('/')) : '';
    const isRelative = /^\.\.?(?:\/|$)/.test(specifier);
    const root = packageFolder(folder);
    if (isRelative && kind !== 'style' && !hasReplacements(root, files, replaced)) {
      const found = relativeFile(`${folder}/${specifier}`, files);
      if (found !== undefined) return found;
    }
    // A bare specifier means the same in all files of a package.
    const start = isRelative || kind === 'style' ? folder : root;
    const key = `${kind} ${start} ${specifier}`;
    if (!resolved.has(key)) resolved.set(key, resolveFrom(specifier, start, kind));
    return resolved.get(key);
  };
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

/** Reports if the `browser` field of a package replaces some of its files. */
function hasReplacements(root: string, files: Files, known: Map<string, boolean>): boolean {
  const before = known.get(root);
  if (before !== undefined) return before;
  const manifest = files.get(`${root}/package.json`);
  const text = manifest && new TextDecoder().decode(manifest);
  const has = text !== undefined && /"browser"\s*:\s*\{/.test(text);
  known.set(root, has);
  return has;
}

/** `node_modules/@scope/a` for `node_modules/@scope/a/dist/esm`. */
function packageFolder(folder: string): string {
  const at = folder.lastIndexOf('node_modules/');
  if (at < 0) return '';
  const start = at + 'node_modules/'.length;
  const name = folder.slice(start).split('/', folder[start] === '@' ? 2 : 1);
  return folder.slice(0, start) + name.join('/');
}
