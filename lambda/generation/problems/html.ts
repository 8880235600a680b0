import { Parser } from 'htmlparser2';
import { readCss } from './css.ts';
import { readScript, type ScriptParts } from './javascript.ts';
import type { Comment, Parts, Reference, Use } from './parts.ts';

export interface PageParts extends ScriptParts {
  /** What the page's import map names, with a trailing slash for all below; undefined without an import map. */
  readonly importMap: readonly string[] | undefined;
}

/** Which attributes of which elements refer to something. Forms are left out: they send to programs. */
const ATTRIBUTES: Readonly<Record<string, readonly [attribute: string, use: Use][]>> = {
  a: [['href', 'page']],
  area: [['href', 'page']],
  iframe: [['src', 'page']],
  script: [['src', 'script']],
  link: [['href', 'resource']],
  img: [['src', 'resource']],
  source: [['src', 'resource']],
  video: [
    ['src', 'resource'],
    ['poster', 'resource'],
  ],
  audio: [['src', 'resource']],
  track: [['src', 'resource']],
  embed: [['src', 'resource']],
  object: [['data', 'resource']],
  input: [['src', 'resource']],
  image: [
    ['href', 'resource'],
    ['xlink:href', 'resource'],
  ],
  use: [
    ['href', 'resource'],
    ['xlink:href', 'resource'],
  ],
};
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
    if (name === 'style') this.#addParts(readCss(text), index);
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

function elementReferences(name: string, attributes: Readonly<Record<string, string>>): Reference[] {
  const references: Reference[] = [];
  const refer = (specifier: string, use: Use) => references.push({ specifier: specifier.trim(), use });
  if (name !== 'link' || !(attributes.rel ?? '').split(/\s+/).some((rel) => NAMES_ONLY.test(rel))) {
    for (const [attribute, use] of Object.hasOwn(ATTRIBUTES, name) ? (ATTRIBUTES[name] ?? []) : []) {
      const value = attributes[attribute];
      if (value !== undefined) refer(value, use);
    }
  }
  for (const list of [attributes.srcset, attributes.imagesrcset]) {
    for (const specifier of candidates(list ?? '')) refer(specifier, 'resource');
  }
  if (attributes.style) references.push(...readCss(attributes.style).references);
  return references;
}

/** The addresses of a `srcset`: `a.png 1x, b.png 2x`. A comma may be part of an address, but not end it. */
function candidates(srcset: string): string[] {
  return srcset
    .split(/\s+/)
    .map((word) => word.replace(/^\d[\d.]*[wx](?:,|$)/, '').replace(/^,|,$/g, ''))
    .filter((word) => word !== '');
}
