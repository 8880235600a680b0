import { Parser } from 'htmlparser2';
import { urlsInAttribute } from '../../sites/references/attributes.ts';
import { cssParts } from './css.ts';
import { readScript, type ScriptParts } from './javascript.ts';
import type { Comment, Parts, Reference, Use } from './parts.ts';

export interface PageParts extends ScriptParts {
  /** What the page's import map names, with a trailing slash for all below; undefined without an import map. */
  readonly importMap: readonly string[] | undefined;
}

/** How the references of these elements are used. Forms are left out: they send to programs. */
const USES: ReadonlyMap<string, Use> = new Map([
  ...['a', 'area', 'iframe'].map((name): [string, Use] => [name, 'page']),
  ['script', 'script'],
  ...[
    ...['link', 'img', 'source', 'video', 'audio', 'track', 'embed', 'object', 'input', 'image', 'use'],
  ].map((name): [string, Use] => [name, 'resource']),
]);
/** Attributes that may hold an address but load or open nothing here. */
const NOT_LOADED = new Set(['action', 'formaction', 'cite', 'background']);
/** Attributes that load something on any element. */
const EVERYWHERE = new Set(['srcset', 'imagesrcset', 'style']);
/** A `link` of these relations loads nothing. */
const NAMES_ONLY =
  /^(?:canonical|alternate|author|license|next|prev|search|help|me|preconnect|dns-prefetch)$/i;
/**
 * As deep as Chromium nests elements. The parser may look through all open ones at every tag: without a bound, the
 * answer of a model that repeats itself would take quadratic time. A page is read as far as the first that is deeper.
 */
const DEEPEST = 512;
const JAVASCRIPT = /^(?:|module|(?:text|application)\/(?:x-)?(?:java|ecma)script)$/i;

/** What a page refers to: by its elements, its style sheets and scripts inside, and what those say in comments. */
export function readHtml(html: string): PageParts {
  const page = new Page(html);
  /** The script or style element that is open, and the text in it so far. */
  let inside: Inside | undefined;
  let depth = 0;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (++depth > DEEPEST) return parser.pause();
      if (name === 'base') page.base ??= attributes.href;
      page.references.push(...elementReferences(name, attributes));
      if (name === 'script' || name === 'style')
        inside = { name, type: attributes.type ?? '', index: parser.endIndex + 1, text: '' };
    },
    ontext(text) {
      if (inside) inside.text += text;
    },
    onclosetag() {
      depth--;
      if (inside) page.add(inside);
      inside = undefined;
    },
    oncomment() {
      const [index, end] = [parser.startIndex, parser.endIndex + 1];
      page.comments.push({ text: html.slice(index, end), index });
    },
  });
  parser.end(html);
  return page;
}

interface Inside {
  readonly name: string;
  readonly type: string;
  readonly index: number;
  text: string;
}

class Page implements PageParts {
  readonly references: Reference[] = [];
  readonly comments: Comment[] = [];
  usesDom = false;
  routes = false;
  base: string | undefined;
  importMap: readonly string[] | undefined;
  readonly fragment: boolean;

  constructor(html: string) {
    this.fragment = !/<(?:!doctype|html)\b/i.test(html);
  }

  /** Adds what a script or a style sheet inside of the page says. */
  add({ name, type, index, text }: Inside): void {
    if (name === 'style') this.#addParts(cssParts(text), index);
    else if (type === 'importmap') this.#addImportMap(text);
    else if (JAVASCRIPT.test(type)) {
      const script = readScript(text);
      this.#addParts(script, index);
      this.usesDom ||= script.usesDom;
      this.routes ||= script.routes;
    }
  }

  #addParts({ references, comments }: Parts, index: number): void {
    for (const reference of references) this.references.push(reference);
    for (const comment of comments) this.comments.push({ ...comment, index: index + comment.index });
  }

  #addImportMap(text: string): void {
    const imports = parsedImports(text);
    this.importMap = Object.keys(imports);
    for (const address of Object.values(imports)) {
      if (typeof address === 'string' && !address.endsWith('/'))
        this.references.push({ specifier: address, use: 'resource' });
    }
  }
}

/** A browser ignores an import map that does not parse: it maps nothing. */
function parsedImports(text: string): Readonly<Record<string, unknown>> {
  try {
    return (JSON.parse(text) as { imports?: Record<string, unknown> }).imports ?? {};
  } catch {
    return {};
  }
}

function elementReferences(element: string, attributes: Readonly<Record<string, string>>): Reference[] {
  const namesOnly =
    element === 'link' && (attributes.rel ?? '').split(/\s+/).some((rel) => NAMES_ONLY.test(rel));
  return Object.entries(attributes).flatMap(([name, value]) => {
    const use = EVERYWHERE.has(name) ? 'resource' : namesOnly ? undefined : USES.get(element);
    if (use === undefined || NOT_LOADED.has(name)) return [];
    const find = urlsInAttribute(element, name, (other) => attributes[other] ?? '');
    return (find?.(value) ?? []).map(({ start, end }) => ({
      specifier: value.slice(start, end).trim(),
      use,
    }));
  });
}
