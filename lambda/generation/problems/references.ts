import { parse } from 'es-module-lexer/js';
import { LIMITS } from '../../contract/limits.ts';
import { CLIENT_MODULE } from '../../sites/data/client-module.ts';
import type { Reference, Source } from '../../sites/parts/parts.ts';
import { DATA_CLIENT, dataPathOf, isHtml } from '../../sites/paths.ts';
import type { ProjectKind, ProjectTree, Sources, Target } from './sources.ts';

const RELATIVE_MODULE = /^\.{0,2}\/|^\.\.?$/;
const WITH_SCHEME = /^(?:[a-z][a-z\d+.-]*:|#)/i;
/** Binary files, which a model cannot write. */
const BINARY = /\.(?:png|jpe?g|gif|webp|avif|ico|bmp|mp[34]|webm|ogg|wav|m4a|mov|pdf|woff2?|ttf|otf|zip)$/i;

/** Reports if a reference of source is followed by visitors: scripts and style sheets are the build's. */
function isFollowed({ path }: Source, { use }: Reference): boolean {
  return isHtml(path) && (use === 'page' || use === 'resource');
}

/** Checks references as a browser resolves them, or Node.js or a bundler for the files that those execute. */
export class ReferenceCheck {
  readonly #tree: ProjectTree;
  readonly #kind: ProjectKind;
  readonly #pages: readonly string[];
  readonly #hasData: boolean;

  /** @param hasData whether URLs below `.data/` are those of the site's data */
  constructor(tree: ProjectTree, kind: ProjectKind, pages: readonly string[], hasData: boolean) {
    this.#tree = tree;
    this.#kind = kind;
    this.#pages = pages;
    this.#hasData = hasData;
  }

  /** Yields the certain problems with the references of a file, one sentence each. */
  *problems(source: Source): Iterable<string> {
    const seen = new Set<string>();
    for (const reference of source.parts.references) {
      const key = `${reference.use} ${reference.specifier}`;
      if (seen.has(key) || reference.specifier.length > LIMITS.pathBytes) continue;
      seen.add(key);
      const problem = this.#problem(source, reference);
      if (problem !== undefined) yield problem;
    }
  }

  #problem(source: Source, reference: Reference): string | undefined {
    const { specifier, use } = reference;
    if (this.#kind.source && !isFollowed(source, reference)) return undefined;
    if (this.#hasData && dataPathOf(specifier) !== undefined) return undefined;
    const target = this.#tree.target(source.path, specifier, source.parts.base);
    const inBrowser = !this.#kind.bundled && (isHtml(source.path) || this.#kind.inBrowser.has(source.path));
    switch (use) {
      case 'page':
      case 'resource':
      case 'script':
        return target && this.#address(source, reference, target);
      case 'import':
        if (!RELATIVE_MODULE.test(specifier)) return inBrowser ? this.#package(specifier) : undefined;
        return target && (inBrowser ? this.#browserModule(specifier, target) : this.#module(specifier, target));
      case 'require':
        return target && RELATIVE_MODULE.test(specifier) ? this.#module(specifier, target) : undefined;
      case 'url':
        // A program may refer to files and folders that it will write.
        if (!inBrowser || this.#kind.served || specifier.endsWith('/')) return undefined;
        return target && !this.#tree.served(target) ? this.#missing(specifier, target) : undefined;
      case 'worker':
        return target && this.#worker(specifier, target);
    }
  }

  #address({ path, parts }: Source, { specifier, use }: Reference, target: Target): string | undefined {
    const { bundled, built, served, routed, answers } = this.#kind;
    if (this.#tree.served(target) !== undefined) return undefined;
    if (served && (target.fromRoot || use === 'page')) return undefined;
    if (use === 'page' && (routed || built) && !/\.[^/]*$/.test(target.path)) return undefined;
    if (built && /^\/?(?:dist|build|out)\//.test(target.path)) return undefined;
    if (bundled && path.endsWith('.css') && !/^\.{0,2}\//.test(specifier)) return undefined;
    const atRoot = this.#atRoot(specifier, target);
    if (served && (this.#tree.served(atRoot) !== undefined || answers(atRoot.path))) return undefined;
    // The references of a fragment are relative to the page that includes it.
    if (parts.fragment && this.#pages.some((page) => this.#found(page, specifier))) return undefined;
    return this.#missing(specifier, target);
  }

  #found(from: string, specifier: string): boolean {
    const target = this.#tree.target(from, specifier);
    return target !== undefined && this.#tree.served(target) !== undefined;
  }

  /** Resolves a reference from the root, where programs usually serve pages from any folder. */
  #atRoot(specifier: string, target: Target): Target {
    return { ...(this.#tree.target('', specifier) ?? target), fromRoot: true };
  }

  #package(specifier: string): string | undefined {
    if (WITH_SCHEME.test(specifier) && !specifier.startsWith('node:')) return undefined;
    const { importMap } = this.#kind;
    if (importMap.some((name) => name === specifier || (name.endsWith('/') && specifier.startsWith(name))))
      return undefined;
    return `It imports the package "${specifier}", which a browser cannot load: write the needed code in a file of the project`;
  }

  #browserModule(specifier: string, target: Target): string | undefined {
    if (this.#tree.exact(target) !== undefined) return undefined;
    const meant = this.#tree.module(target);
    return meant === undefined
      ? this.#missing(specifier, target)
      : `It imports "${specifier}", but a browser needs the full name of the file, "${meant}"`;
  }

  #module(specifier: string, target: Target): string | undefined {
    return this.#tree.module(target) === undefined ? this.#missing(specifier, target) : undefined;
  }

  /** The URL of a worker may be relative to the page, to the script, or to the folder of the program. */
  #worker(specifier: string, target: Target): string | undefined {
    if (this.#tree.module(target) || this.#kind.served) return undefined;
    const found = ['index.html', ...this.#pages].some((page) => this.#found(page, specifier));
    return found ? undefined : this.#missing(specifier, target);
  }

  #missing(specifier: string, target: Target): string {
    const twin = this.#tree.twin(target);
    if (twin !== undefined) return `"${specifier}" refers to a missing file: the name differs in case from "${twin}"`;
    const hint = BINARY.test(target.path) ? '; use a text format, such as SVG, or remove the reference' : '';
    return `"${specifier}" refers to a missing file${hint}`;
  }
}

const SCRIPT = /\.m?js$/i;
const RELATIVE = /^\.{0,2}\//;
/** Maximum number of exported names in a message, and of characters of each. */
const MOST_NAMES = 10;
const CHARACTERS = 60;
/** Maximum number of modules that a module exports with `export *`: with more, its names are not checked. */
const MOST_MODULES = 20;

/** A test, which runs where nothing is published. */
const TEST = /\.(?:test|spec)\.m?js$/i;

/**
 * Checks that modules export the names that others import: if one is missing, a browser executes none of them. Also that
 * no test imports the client of the site's data, which only published pages have.
 */
export class ImportCheck {
  readonly #tree: ProjectTree;
  readonly #kind: ProjectKind;
  readonly #modules: ReadonlyMap<string, Module>;
  readonly #exports = new Map<string, ReadonlySet<string> | undefined>();
  readonly #hasData: boolean;

  /** @param hasData whether modules can import the client of the site's data */
  constructor({ scripts }: Sources, tree: ProjectTree, kind: ProjectKind, hasData: boolean) {
    this.#tree = tree;
    this.#hasData = hasData;
    this.#kind = kind;
    // An empty file is a problem already, or the file is not text.
    const written = scripts.filter(({ path, content }) => SCRIPT.test(path) && content.trim() !== '');
    this.#modules = new Map(
      written.flatMap(({ path, content }): [string, Module][] => {
        const module = readModule(content);
        return module ? [[path, module]] : [];
      }),
    );
  }

  /** Yields a message for each name that a file imports from a module that does not export it, and for a test that cannot run. */
  *problems({ path, content, parts }: Source): Iterable<string> {
    const { bundled, importMap, inBrowser } = this.#kind;
    // An import map may replace the URLs of modules.
    if (bundled || importMap.some((name) => RELATIVE.test(name))) return;
    if (!isHtml(path) && !SCRIPT.test(path)) return;
    const browser = isHtml(path) || inBrowser.has(path);
    // A test that mocks modules may replace the client.
    const untested = TEST.test(path) && !browser && !content.includes('mock') ? this.#clientOf(path) : undefined;
    if (untested !== undefined)
      yield `The test cannot run: ${untested} imports ".data/client.js", which only a published page has. Put what is tested into a module that does not need it`;
    const scripts = parts.scripts?.map((script) => readModule(script)) ?? [this.#modules.get(path)];
    for (const named of scripts.flatMap((module) => module?.imports ?? [])) {
      const isClient = this.#hasData && dataPathOf(named.specifier) === DATA_CLIENT;
      const module = this.#module(path, named.specifier, parts.base);
      const exports = isClient ? CLIENT?.exports : module && this.#exportsOf(module);
      // Outside of browsers, a script without exports may be a CommonJS module.
      if (exports && !exports.has(named.name) && (browser || exports.size > 0)) yield message(named, exports);
    }
  }

  #module(from: string, specifier: string, base?: string): string | undefined {
    const target = RELATIVE.test(specifier) ? this.#tree.target(from, specifier, base) : undefined;
    return target && this.#tree.exact(target);
  }

  /** Returns the module, of those that one imports and itself, that imports the client of the site's data. */
  #clientOf(path: string): string | undefined {
    if (!this.#hasData) return undefined;
    // The loop over this set includes the paths that are added during the loop.
    const paths = new Set([path]);
    for (const at of paths)
      for (const { specifier } of this.#modules.get(at)?.imports ?? []) {
        if (dataPathOf(specifier) === DATA_CLIENT) return at;
        const imported = this.#module(at, specifier);
        if (imported !== undefined) paths.add(imported);
      }
    return undefined;
  }

  /** Returns the names that a module exports; undefined if some are not certain. */
  #exportsOf(path: string): ReadonlySet<string> | undefined {
    if (!this.#exports.has(path)) this.#exports.set(path, this.#readExports(path));
    return this.#exports.get(path);
  }

  #readExports(path: string): ReadonlySet<string> | undefined {
    const names = new Set<string>();
    // The loop over this set includes the paths that are added during the loop.
    const paths = new Set([path]);
    for (const at of paths) {
      const module = this.#modules.get(at);
      if (module === undefined || paths.size > MOST_MODULES) return undefined;
      for (const name of module.exports) {
        // `export *` omits the default.
        if (at === path || name !== 'default') names.add(name);
      }
      for (const specifier of module.stars) {
        const star = this.#module(at, specifier);
        if (star === undefined) return undefined;
        paths.add(star);
      }
    }
    return names;
  }
}

function message({ name, specifier }: NamedImport, exports: ReadonlySet<string>): string {
  const wanted = name === 'default' ? 'the default export' : `"${name.slice(0, CHARACTERS)}"`;
  const names: string[] = [];
  for (const exported of exports) {
    if (names.length === MOST_NAMES) break;
    names.push(exported.slice(0, CHARACTERS));
  }
  const more = exports.size > names.length ? ` and ${exports.size - names.length} more` : '';
  const list = names.length > 0 ? `it exports ${names.join(', ')}${more}` : 'it exports nothing';
  return `It imports ${wanted} from "${specifier}", which does not export it: ${list}`;
}

/** A name that a module imports, or exports from another one; `default` for the default. */
interface NamedImport {
  readonly name: string;
  readonly specifier: string;
}

/** The named imports and the exports of a JavaScript module. */
interface Module {
  readonly imports: readonly NamedImport[];
  readonly exports: ReadonlySet<string>;
  /** The specifiers of its `export * from`. */
  readonly stars: readonly string[];
}

/** Exports of TypeScript, whose names the lexer does not know. */
const TYPED_EXPORT = /^[ \t]*export[ \t]*(?:=|(?:enum|namespace|abstract|declare|const[ \t]+enum)\b)/m;

/** Reads the imports and exports of a script; undefined if it is invalid, or in another language. */
function readModule(source: string): Module | undefined {
  if (TYPED_EXPORT.test(source)) return undefined;
  try {
    const [imports, exports] = parse(source);
    const named: NamedImport[] = [];
    const stars: string[] = [];
    for (const { n: specifier, ss: start, s: end, d: dynamic } of imports) {
      if (specifier === undefined || dynamic !== -1) continue;
      const clause = withoutComments(source.slice(start, end));
      if (/^export\s*\*(?!\s*as\b)/.test(clause)) stars.push(specifier);
      for (const name of namesIn(clause)) named.push({ name, specifier });
    }
    return { imports: named, exports: new Set(exports.map(({ n: name }) => name)), stars };
  } catch {
    return undefined;
  }
}

const CLIENT = readModule(CLIENT_MODULE);

function withoutComments(clause: string): string {
  return clause.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, ' ');
}

const DEFAULT_NAME = /^import\s+([\w$\u0080-\uffff]+)\s*(?:,|\sfrom\b)/;
const NAMES = /\{([^}]*)\}/;
const NAME = /^(?:([\w$\u0080-\uffff]+)|"([^"\\]+)"|'([^'\\]+)')(?:\s+as\s+\S+)?$/;

/**
 * Returns the names that an import or export asks of another module; none if a form is not known, such as one for
 * types.
 */
function namesIn(clause: string): string[] {
  const names = DEFAULT_NAME.test(clause) ? ['default'] : [];
  const list = NAMES.exec(clause)?.[1]?.split(',') ?? [];
  if (/^(?:import|export)\s+type\s*\{/.test(clause)) return [];
  for (const part of list) {
    const [, word, double, single] = NAME.exec(part.trim()) ?? [];
    const name = word ?? double ?? single;
    if (name !== undefined) names.push(name);
    else if (part.trim() !== '') return [];
  }
  return names;
}
