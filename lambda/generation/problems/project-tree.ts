import { entryOf } from '../../sites/entry.ts';
import { pathKey } from '../../sites/paths.ts';

const ORIGIN = 'http://project.invalid/';
/** An address of another origin or with a scheme of its own, such as `data:`; a place in the page itself. */
const ELSEWHERE = /^(?:[a-z][a-z\d+.-]*:|\/\/|\\|#|\?|$)/i;
/** What a program fills in before it is an address. */
const TEMPLATED = /[{}<>`*|]/;
/** What bundlers and Node.js add to the name of a module. */
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

/** Where a reference leads, as a path in the project that may or may not be there. */
export interface Target {
  readonly path: string;
  /** Whether it starts at the root of the site, wherever in the project that is. */
  readonly fromRoot: boolean;
}

/** The files of a project, and how references find them. */
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
   * Where a browser would go from a file by a reference; undefined when that is outside of the project, or no
   * address yet. Query and fragment are cut.
   * @param base an address that is relative to the file, and the reference to it: `<base href>`
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

  /** The file that is served for an address: itself, the index of a folder, or the name without `.html`. */
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

  /** The file of a module by its exact name, as a browser wants it. */
  exact({ path, fromRoot }: Target): string | undefined {
    return (fromRoot ? this.#roots : ['']).map((root) => root + path).find((name) => this.#paths.has(name));
  }

  /** The file of a module as bundlers, TypeScript and Node.js find it: by its name without ending, too. */
  module({ path, fromRoot }: Target): string | undefined {
    const bare = path.replace(/\/$/, '');
    const source = bare.replace(/\.([cm]?)js(x?)$/, '.$1ts$2');
    const names = [bare, source, source.replace(/\.ts$/, '.tsx')];
    return (fromRoot ? this.#roots : [''])
      .flatMap((root) => names.flatMap((name) => MODULE_ENDINGS.map((end) => root + name + end)))
      .map((name) => name.replace(/^\//, ''))
      .find((name) => this.#paths.has(name));
  }

  /** A file that is called like this but for upper and lower case. */
  twin({ path }: Target): string | undefined {
    return this.#byKey.get(pathKey(path)) ?? this.#byKey.get(pathKey(folderOf(this.entry) + path));
  }
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}
