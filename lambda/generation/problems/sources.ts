import { cssParts, type PageParts, readHtml } from '../../sites/parts/html.ts';
import { readScript, type ScriptParts } from '../../sites/parts/javascript.ts';
import { languageOf, type Source } from '../../sites/parts/parts.ts';
import { entryOf, pathKey } from '../../sites/paths.ts';
import { projectKind } from '../../sites/source/kind.ts';
import { isServerLanguage, isServerModule, serverOf } from '../../sites/source/server.ts';
import type { WrittenFile } from '../../stored/projects/stored-project.ts';
import { readLineComments } from './placeholders.ts';

/** The parsed files of a project: all of them, and those of each kind. */
export interface Sources {
  readonly all: readonly Source[];
  readonly pages: readonly Source<PageParts>[];
  readonly scripts: readonly Source<ScriptParts>[];
}

/** Parses each file by its language, in the order of the files. */
export function readSources(files: readonly WrittenFile[]): Sources {
  const all: Source[] = [];
  const pages: Source<PageParts>[] = [];
  const scripts: Source<ScriptParts>[] = [];
  for (const { path, content } of files) {
    const language = languageOf(path);
    if (language === 'page') {
      const page = { path, content, parts: readHtml(content) };
      pages.push(page);
      all.push(page);
    } else if (language === 'script') {
      const script = { path, content, parts: readScript(content) };
      scripts.push(script);
      all.push(script);
    } else if (language === 'component') {
      const { data, forms } = readHtml(content);
      all.push({
        path,
        content,
        parts: { references: [], comments: readLineComments(path, content), data, forms },
      });
    } else {
      const css = /\.css$/i.test(path);
      const parts = css ? cssParts(content) : { references: [], comments: readLineComments(path, content) };
      all.push({ path, content, parts });
    }
  }
  return { all, pages, scripts };
}

/** How a project is executed, which decides how its references are resolved. */
export interface ProjectKind {
  /** A deploy builds it. The build resolves what its code refers to, and says what is wrong. */
  readonly source: boolean;
  /**
   * A bundler resolves packages, and modules without file extensions, for the browser: of source, or of a framework.
   */
  readonly bundled: boolean;
  /** A build writes files that do not exist yet. */
  readonly built: boolean;
  /** A program responds to URLs that are not files. */
  readonly served: boolean;
  /** Reports if such a program may respond to a path. */
  readonly answers: (path: string) => boolean;
  /** The pages change their URL without loading it. */
  readonly routed: boolean;
  /** The names in the import maps of its pages. */
  readonly importMap: readonly string[];
  /** The scripts that a page loads, directly or through other scripts. */
  readonly inBrowser: ReadonlySet<string>;
}

export function kindOf({ all, pages, scripts }: Sources, tree: ProjectTree): ProjectKind {
  const manifests = all.filter(({ path }) => /(?:^|\/)package\.json$/.test(path));
  const imports = scripts.flatMap(({ parts }) => parts.references);
  const { kind } = projectKind(new Map(all.map(({ path, content }) => [path, content])));
  return {
    source: kind === 'source',
    bundled: kind !== 'site',
    built: manifests.some(({ content }) => /"build"\s*:/.test(content)),
    served:
      all.some(({ path }) => isServerLanguage(path)) ||
      imports.some(({ specifier, use }) => use !== 'url' && isServerModule(specifier)),
    answers: serverOf(new Map(all.map(({ path, content }) => [path, content]))),
    routed: [...pages, ...scripts].some(({ parts }) => parts.routes),
    importMap: pages.flatMap(({ parts }) => parts.importMap ?? []),
    inBrowser: loadedByPages({ pages, scripts }, tree),
  };
}

function loadedByPages({ pages, scripts }: Pick<Sources, 'pages' | 'scripts'>, tree: ProjectTree) {
  const byPath = new Map(scripts.map((script) => [script.path, script]));
  const loaded = new Set<string>();
  // The loop over this set includes the scripts that are added during the loop.
  const load = (from: string, specifier: string, base?: string) => {
    const target = tree.target(from, specifier, base);
    const path = target && tree.exact(target);
    if (path !== undefined && byPath.has(path)) loaded.add(path);
  };
  for (const { path, parts } of pages) {
    for (const { specifier, use } of parts.references) if (use !== 'page') load(path, specifier, parts.base);
  }
  for (const path of loaded) {
    for (const { specifier } of byPath.get(path)?.parts.references ?? []) load(path, specifier);
  }
  return loaded;
}

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
