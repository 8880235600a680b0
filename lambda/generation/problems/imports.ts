import { parse } from 'es-module-lexer/js';
import { CLIENT_MODULE } from '../../sites/data/client-module.ts';
import { DATA_CLIENT, dataPathOf } from '../../sites/data-url.ts';
import { isHtml } from '../../sites/paths.ts';
import type { Source } from './parts.ts';
import type { ProjectTree } from './project-tree.ts';
import type { ProjectKind, Sources } from './sources.ts';

const SCRIPT = /\.m?js$/i;
const RELATIVE = /^\.{0,2}\//;
/** Maximum number of exported names in a message, and of characters of each. */
const MOST_NAMES = 10;
const CHARACTERS = 60;
/** Maximum number of modules that a module exports with `export *`: with more, its names are not checked. */
const MOST_MODULES = 20;

/** Checks that modules export the names that others import: if one is missing, a browser executes none of them. */
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

  /** Yields a message for each name that a file imports from a module that does not export it. */
  *problems({ path, parts }: Source): Iterable<string> {
    const { bundled, importMap, inBrowser } = this.#kind;
    // An import map may replace the URLs of modules.
    if (bundled || importMap.some((name) => RELATIVE.test(name))) return;
    if (!isHtml(path) && !SCRIPT.test(path)) return;
    const browser = isHtml(path) || inBrowser.has(path);
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
