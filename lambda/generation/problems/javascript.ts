import { readElements } from './element-use.ts';
import { JavaScriptLexer } from './javascript-lexer.ts';
import { type Module, readModule } from './module.ts';
import type { ElementUse, NamedImport, Parts, Reference, Use } from './parts.ts';

export interface ScriptParts extends Parts {
  /** Whether it uses the DOM of a page. */
  readonly usesDom: boolean;
  /** Whether it changes the URL of the page, as routers do: links may then have no file. */
  readonly routes: boolean;
  readonly imports: readonly NamedImport[];
  readonly elements: ElementUse;
}

export interface JavaScriptParts extends ScriptParts {
  /** Undefined if its imports and exports are not certain. */
  readonly module: Module | undefined;
}

/** Number of tokens in the longest pattern: `new URL("…", import.meta.url`. */
const WINDOW = 10;
const OF_IMPORT_META_URL = ['.', 'meta', '.', 'import', ','];

/**
 * Returns the comments of JavaScript or TypeScript, and its references with a literal: `import` and `export … from` at the
 * top level, `import()`, `require()`, `new URL(…, import.meta.url)`, `new Worker()` and `importScripts()`.
 */
export function readScript(source: string): JavaScriptParts {
  const finder = new Finder();
  const tokens: string[] = [];
  const texts: (string | undefined)[] = [];
  const { comments, unclosed } = new JavaScriptLexer(source, (token, text) => {
    finder.add(token);
    tokens.push(token);
    texts.push(text);
  }).run();
  const { references, usesDom, routes } = finder;
  const module = unclosed ? undefined : readModule(tokens, source);
  const imports = module?.imports ?? [];
  const elements = readElements(tokens, texts, imports);
  elements.opaque ||= unclosed;
  return { references, comments, usesDom, routes, imports, elements, module };
}

class Finder {
  readonly references: Reference[] = [];
  usesDom = false;
  routes = false;
  /** The last tokens, newest first. */
  #recent: string[] = [];
  #depth = 0;
  /** Whether the tokens since `import` or `export` can still be its clause, before `from`. */
  #inClause = false;

  add(token: string): void {
    if (token.startsWith('"')) this.#string(token.slice(1));
    else if (token === ')' || token === ',') this.#argument();
    else if (token === 'url') this.#importMetaUrl();
    else if (token === '.') this.usesDom ||= this.#recent[0] === 'document' && this.#recent[1] !== '.';
    else if (token === 'pushState' || token === 'replaceState') this.routes = true;
    this.#follow(token);
    this.#recent.unshift(token);
    if (this.#recent.length > WINDOW) this.#recent.pop();
  }

  /** Tracks the depth, and the clause of an `import` or `export`, which ends with a token that no clause has. */
  #follow(token: string): void {
    if (token === 'import' || token === 'export')
      this.#inClause = this.#depth === 0 && this.#recent[0] !== '.';
    else if (!/^[\w$"{},*\u0080-\uffff]/.test(token)) this.#inClause = false;
    if (token === '{' || token === '(') this.#depth++;
    else if (token === '}' || token === ')') this.#depth--;
  }

  #string(text: string): void {
    const keyword = this.#recent[0];
    if (this.#inClause && (keyword === 'import' || keyword === 'from')) {
      this.#found(text, 'import');
      this.#inClause = false;
    }
  }

  /** Handles the end of an argument, which is a reference if it is a literal and the first argument. */
  #argument(): void {
    const [literal = '', bracket, callee = '', before] = this.#recent;
    if (!literal.startsWith('"')) return;
    const specifier = literal.slice(1);
    if (bracket === ',' || callee === 'importScripts') this.#importScripts(specifier);
    if (bracket !== '(' || before === '.' || before === 'function') return;
    if (callee === 'import' || callee === 'require') this.#found(specifier, callee);
    else if (before === 'new' && /^(?:Shared)?Worker$/.test(callee)) this.#found(specifier, 'worker');
  }

  #importScripts(specifier: string): void {
    let first = 1;
    while (this.#recent[first] === ',' && this.#recent[first + 1]?.startsWith('"')) first += 2;
    if (this.#recent[first] === '(' && this.#recent[first + 1] === 'importScripts')
      this.#found(specifier, 'worker');
  }

  #importMetaUrl(): void {
    const [literal = '', ...call] = this.#recent.slice(OF_IMPORT_META_URL.length);
    if (!OF_IMPORT_META_URL.every((token, i) => this.#recent[i] === token)) return;
    if (literal.startsWith('"') && call.join(' ').startsWith('( URL new'))
      this.#found(literal.slice(1), 'url');
  }

  #found(specifier: string, use: Use): void {
    this.references.push({ specifier, use });
  }
}
