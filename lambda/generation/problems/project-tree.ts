import { entryOf, pathKey } from '../../sites/paths.ts';

const ORIGIN = 'http://project.invalid/';
/** A URL of another origin or with a scheme such as `data:`, or a fragment of the page itself. */
const ELSEWHERE = /^(?:[a-z][a-z\d+.-]*:|\/\/|\\|#|\?|$)/i;
/** Characters of templates, which are not URLs yet. */
const TEMPLATED = /[{}<>`*|]/;
/** Endings that bundlers and Node.js add to the name of a module. */
const MODULE_ENDINGS = ['', '.js', '.mjs', '.cjs', '.jsx', '.ts', '.tsx', '.mts', '.cts', '.d.ts', '.json']
  .concat(['.css', '.vue', '.svelte'])
  .concat([
    '/index.js',
    '/index.mjs',
    '/index.cjs',
    '/index.jsx',
    '/index.ts',
    '/index.tsx',
    '/index.json',
    '/package.json',
  ]);

/** The path in the project that a reference resolves to, whether or not the file exists. */
export interface Target {
  readonly path: string;
  /** Whether it is relative to the root of the site, which may be a folder of the project. */
  readonly fromRoot: boolean;
}

/** Resolves references to the files of a project. */
export class ProjectTree {
  /** Folders that may be the root of the site. */
  readonly #roots: readonly string[];
  readonly #paths: ReadonlySet<string>;
  readonly #byKey: ReadonlyMap<string, string>;
  /** The page that visitors see first; empty without pages. */
  readonly entry: string;

  constructor(paths: readonly string[]) {
    this.#paths = new Set(paths);
    this.#byKey = new Map(paths.map((path) => [pathKey(path), path]));
    this.entry = entryOf(paths);
    this.#roots = [...new Set([folderOf(this.entry), '', 'public/', 'static/'])];
  }

  /**
   * Resolves a reference in a file as a browser does, without query and fragment. Returns undefined if it leads outside
   * of the project or is not a URL yet.
   * @param base the `<base href>` of the file
   */
  target(from: string, specifier: string, base = ''): Target | undefined {
    if (ELSEWHERE.test(specifier) || TEMPLATED.test(specifier)) return undefined;
    if (base !== '' && ELSEWHERE.test(base)) return undefined;
    try {
      const page = new URL(from.split('/').map(encodeURIComponent).join('/'), ORIGIN);
      const url = new URL(specifier, new URL(base, page));
      const path = decodeURIComponent(url.pathname).slice(1);
      return { path, fromRoot: specifier.startsWith('/') || base.startsWith('/') };
    } catch {
      return undefined;
    }
  }

  /**
   * Returns the file that is served for a target: the file itself, the index of the folder, or the name with `.html`.
   */
  served({ path, fromRoot }: Target): string | undefined {
    for (const root of fromRoot ? this.#roots : ['']) {
      const at = root + path;
      const folder = at === '' || at.endsWith('/') ? at : `${at}/`;
      const names = [at, `${folder}index.html`, `${folder}index.htm`, `${at}.html`];
      const found = names.find((name) => this.#paths.has(name));
      if (found !== undefined) return found;
    }
    return path === '' || path === folderOf(this.entry) ? this.entry || undefined : undefined;
  }

  /** Returns the file with exactly this name, as browsers load modules. */
  exact({ path, fromRoot }: Target): string | undefined {
    return (fromRoot ? this.#roots : ['']).map((root) => root + path).find((name) => this.#paths.has(name));
  }

  /** Returns the file of a module as bundlers, TypeScript and Node.js find it, even without its extension. */
  module({ path, fromRoot }: Target): string | undefined {
    const bare = path.replace(/\/$/, '');
    const source = bare.replace(/\.([cm]?)js(x?)$/, '.$1ts$2');
    const names = [bare, source, source.replace(/\.ts$/, '.tsx')];
    return (fromRoot ? this.#roots : [''])
      .flatMap((root) => names.flatMap((name) => MODULE_ENDINGS.map((end) => root + name + end)))
      .map((name) => name.replace(/^\//, ''))
      .find((name) => this.#paths.has(name));
  }

  /** Returns the file whose path differs only in case. */
  twin({ path }: Target): string | undefined {
    return this.#byKey.get(pathKey(path)) ?? this.#byKey.get(pathKey(folderOf(this.entry) + path));
  }
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}
