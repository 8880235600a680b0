import { cssParts } from './css.ts';
import { readScript, type ScriptParts } from './javascript.ts';
import type { Comment, ElementUse, NamedImport, Parts, Reference } from './parts.ts';
import { Vocabulary } from './vocabulary.ts';

export interface PageParts extends ScriptParts {
  /** The names in the page's import map, with a trailing slash for a prefix; undefined without an import map. */
  readonly importMap: readonly string[] | undefined;
}

/** Attributes that contain no id or class which a script could give an element. */
const NO_NAMES = new Set(['src', 'for']);
const JAVASCRIPT = /^(?:|module|(?:text|application)\/(?:x-)?(?:java|ecma)script)$/i;

/** A script or style element with its text. */
export interface Inside {
  readonly name: string;
  readonly type: string;
  readonly index: number;
  text: string;
}

/** Collects the parts of a page. */
export class Page implements PageParts {
  readonly references: Reference[] = [];
  readonly comments: Comment[] = [];
  readonly imports: NamedImport[] = [];
  readonly elements: ElementUse = {
    lookups: [],
    vocabulary: new Vocabulary(),
    calls: [],
    functions: new Map(),
    words: new Map(),
    opaque: false,
  };
  usesDom = false;
  routes = false;
  base: string | undefined;
  importMap: readonly string[] | undefined;
  readonly fragment: boolean;

  constructor(html: string) {
    this.fragment = !/<(?:!doctype|html)\b/i.test(html);
  }

  addAttributes(attributes: Readonly<Record<string, string>>): void {
    for (const [name, text] of Object.entries(attributes)) {
      if (NO_NAMES.has(name) || (name === 'href' && !text.includes('#'))) continue;
      const only = name === 'id' || name === 'class' ? name : undefined;
      this.elements.vocabulary.add({ text, only });
    }
  }

  /** Adds the parts of an inline script or style sheet. */
  add({ name, type, index, text }: Inside): void {
    if (name === 'style') {
      this.#addParts(cssParts(text), index);
      this.elements.vocabulary.add({ text, only: 'class' });
    } else if (type === 'importmap') this.#addImportMap(text);
    else if (JAVASCRIPT.test(type)) {
      const script = readScript(text);
      this.#addParts(script, index);
      this.#addSeams(script);
      this.usesDom ||= script.usesDom;
      this.routes ||= script.routes;
    } else this.elements.vocabulary.add({ text });
  }

  #addSeams({ imports, elements }: ScriptParts): void {
    for (const named of imports) this.imports.push(named);
    for (const lookup of elements.lookups) this.elements.lookups.push(lookup);
    this.elements.vocabulary.addAll(elements.vocabulary);
    for (const call of elements.calls) this.elements.calls.push(call);
    const { words } = this.elements;
    for (const [word, count] of elements.words) words.set(word, count + (words.get(word) ?? 0));
    this.elements.opaque ||= elements.opaque;
  }

  #addParts({ references, comments }: Parts, index: number): void {
    for (const reference of references) this.references.push(reference);
    for (const comment of comments) this.comments.push({ ...comment, index: index + comment.index });
  }

  #addImportMap(text: string): void {
    const imports = parsedImports(text);
    this.importMap = Object.keys(imports);
    for (const url of Object.values(imports)) {
      if (typeof url === 'string' && !url.endsWith('/'))
        this.references.push({ specifier: url, use: 'resource' });
    }
  }
}

/** Returns the entries of an import map; none if it does not parse, since browsers ignore it then. */
function parsedImports(text: string): Readonly<Record<string, unknown>> {
  try {
    return (JSON.parse(text) as { imports?: Record<string, unknown> }).imports ?? {};
  } catch {
    return {};
  }
}
