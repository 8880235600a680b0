import { join } from 'node:path/posix';
import { starOf } from '../config/settings.ts';
import { type Files, textOf } from '../files.ts';
import { membersIn } from '../json.ts';
import { packageName, record, targetsFor } from './manifest.ts';

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

/** The extensions that an import may leave out, and the members of package.json that it reads. */
interface Rules {
  readonly extensions: readonly string[];
  /** The members that name the file of a package without `exports`, the first one first. */
  readonly fields: readonly string[];
  readonly conditions: readonly string[];
}

/** The conditions of imports. Many packages of Svelte components have `svelte` only. */
export const CONDITIONS = ['browser', 'module', 'import', 'production', 'svelte', 'default'];
/** Vite's order, so that packages with several formats give the same file. */
const SCRIPTS = {
  extensions: ['.mjs', '.js', '.mts', '.ts', '.jsx', '.tsx', '.json'],
  fields: ['browser', 'module', 'jsnext:main', 'jsnext', 'main'],
};
const RULES: Readonly<Record<ImportKind, Rules>> = {
  import: { ...SCRIPTS, conditions: CONDITIONS },
  require: { ...SCRIPTS, conditions: CONDITIONS.with(CONDITIONS.indexOf('import'), 'require') },
  style: { extensions: ['.css'], fields: ['style', 'main'], conditions: ['style', 'production', 'default'] },
  types: {
    extensions: ['.d.ts', '.d.mts', '.d.cts', '.ts'],
    fields: ['types', 'typings', 'main'],
    conditions: ['types', 'import', 'default'],
  },
};

type Found = string | false | undefined;

/** Returns the `resolve` of a tree: Node's algorithm with the fields and conditions that bundlers use for browsers. */
export function resolverOf(files: Files): PackageTree['resolve'] {
  const tree = new Packages(files);
  return (specifier, from, kind) => {
    const folder = from.startsWith('node_modules/') ? from.slice(0, from.lastIndexOf('/')) : '';
    const found = new Lookup(tree, kind).find(specifier, folder);
    return kind === 'types' && found ? declarationOf(found, files) : found;
  };
}

/** Returns the declaration file of a script, or the file itself if it is TypeScript; undefined if there are no types. */
function declarationOf(path: string, files: Files): string | undefined {
  const stem = path.replace(/\.[cm]?jsx?$/, '');
  const ending = stem === path ? [''] : ['.d.ts', '.d.mts', '.d.cts'];
  const found = ending.map((end) => stem + end).find((each) => files.has(each));
  return found !== undefined && /\.[cm]?ts$/.test(found) ? found : undefined;
}

/** The package.json of each package, read once. */
class Packages {
  readonly files: Files;
  readonly #manifests = new Map<string, Readonly<Record<string, unknown>>>();

  constructor(files: Files) {
    this.files = files;
  }

  manifest(folder: string): Readonly<Record<string, unknown>> {
    const manifest = this.#manifests.get(folder) ?? membersIn(textOf(this.files, `${folder}/package.json`));
    this.#manifests.set(folder, manifest);
    return manifest;
  }

  /** Returns the folder of the package that files in a folder see under a name. */
  folder(name: string, root: string): string | undefined {
    for (let from = root; ; from = from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/')))) {
      const folder = join(from, 'node_modules', name);
      if (this.files.has(`${folder}/package.json`)) return folder;
      if (from === '') return undefined;
    }
  }
}

/** How often packages may replace each other in one lookup: they can do so in a circle. */
const MOST_REPLACED = 100;

/** Finds the file that a specifier of a kind stands for. */
class Lookup {
  readonly #tree: Packages;
  readonly #kind: ImportKind;
  readonly #rules: Rules;
  #replacements = 0;

  constructor(tree: Packages, kind: ImportKind) {
    this.#tree = tree;
    this.#kind = kind;
    this.#rules = RULES[kind];
  }

  /** @param folder of the importing file */
  find(specifier: string, folder: string): Found {
    if (/^\.\.?(?:\/|$)/.test(specifier)) return this.#atPath(`${folder}/${specifier}`);
    const root = packageFolder(folder);
    if (specifier.startsWith('#'))
      return this.#first(this.#targets(this.#tree.manifest(root).imports, specifier), root);
    const beside = this.#kind === 'style' ? this.#atPath(`${folder}/${specifier}`) : undefined;
    return beside ?? this.#bare(specifier, root);
  }

  #bare(specifier: string, root: string): Found {
    return this.#replaced(specifier, root) ?? this.#inPackage(specifier, root);
  }

  #inPackage(specifier: string, root: string): Found {
    const name = packageName(specifier);
    const own = this.#tree.manifest(root);
    const folder = own.name === name && own.exports ? root : this.#tree.folder(name, root);
    if (folder === undefined) return undefined;
    const subpath = `.${specifier.slice(name.length)}`;
    const { exports } = this.#tree.manifest(folder);
    if (exports === undefined || exports === null) return this.#atPath(`${folder}/${subpath}`);
    const hasSubpaths = Object.keys(record(exports)).some((key) => key.startsWith('.'));
    const targets = this.#targets(hasSubpaths ? exports : { '.': exports }, subpath);
    return this.#first(
      targets.filter((target) => target.startsWith('./')),
      folder,
    );
  }

  /** Returns what `exports` or `imports` has for a key: of its patterns, the one with the most before its `*` counts. */
  #targets(members: unknown, key: string): string[] {
    const before = (pattern: string) => (pattern === key ? key.length : pattern.indexOf('*'));
    const [best] = Object.entries(record(members))
      .map(([pattern, entry]) => ({ pattern: allIn(pattern), entry }))
      .filter(({ pattern }) => starOf(key, pattern) !== undefined)
      .toSorted((one, other) => before(other.pattern) - before(one.pattern));
    if (best === undefined) return [];
    const star = starOf(key, best.pattern) ?? '';
    const targets = targetsFor(this.#rules.conditions, best.entry);
    return targets.map((target) => allIn(target).replaceAll('*', () => star));
  }

  #first(targets: readonly string[], root: string): Found {
    for (const target of targets) {
      const found = target.startsWith('./')
        ? this.#atPath(OUTSIDE.test(target) ? '' : `${root}/${target}`)
        : this.#bare(target, root);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Finds a file, also without its extension, or the main file of a folder. */
  #atPath(path: string, isReplaced = false): Found {
    const plain = join(path, '.');
    const file = path.endsWith('/') ? undefined : this.#file(plain, isReplaced);
    return file ?? this.#main(plain, isReplaced);
  }

  #file(path: string, isReplaced: boolean): Found {
    const declaration = path.replace(/\.([cm]?)js$/, '.d.$1ts');
    const whole = this.#kind === 'types' ? [declaration, path] : [path];
    const root = packageFolder(path);
    for (const each of [...whole, ...this.#rules.extensions.map((extension) => path + extension)]) {
      const replaced = isReplaced ? undefined : this.#replaced(`.${each.slice(root.length)}`, root);
      if (replaced !== undefined) return replaced;
      if (this.#tree.files.has(each)) return each;
    }
    return undefined;
  }

  #main(folder: string, isReplaced: boolean): Found {
    const manifest = this.#tree.manifest(folder);
    const mains = this.#rules.fields.map((field) => manifest[field]).filter((main) => typeof main === 'string');
    const files = mains.flatMap((main) => [join(folder, main), join(folder, main, 'index')]);
    for (const path of [...files, `${folder}/index`]) {
      const found = this.#file(path, isReplaced);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Returns what a package has in browsers instead of a file or of another package. */
  #replaced(key: string, root: string): Found {
    if (this.#kind === 'style' || this.#kind === 'types') return undefined;
    const browser = record(this.#tree.manifest(root).browser);
    const value = Object.hasOwn(browser, key) ? browser[key] : undefined;
    if (typeof value !== 'string') return value === false ? false : undefined;
    if (++this.#replacements > MOST_REPLACED) return undefined;
    return value.startsWith('.') ? this.#atPath(`${root}/${value}`, true) : this.#inPackage(value, root);
  }
}

/** Before Node.js 17, a folder in `exports` meant all in it. */
const allIn = (path: string) => (path.endsWith('/') ? `${path}*` : path);

/** Targets that lead out of a package. */
const OUTSIDE = /\/(?:\.\.|node_modules)(?:\/|$)/;

/** `node_modules/@scope/a` for `node_modules/@scope/a/dist/esm`. */
function packageFolder(path: string): string {
  const at = path.lastIndexOf('node_modules/');
  if (at < 0) return '';
  const start = at + 'node_modules/'.length;
  return path.slice(0, start) + packageName(path.slice(start));
}
