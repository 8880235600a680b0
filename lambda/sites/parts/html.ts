import { Parser } from 'htmlparser2';
import { readCss } from '../references/css.ts';
import { urlsInAttribute } from '../references/html.ts';
import { type DataForm, DataForms, type DataUse } from './data-uses.ts';
import { readScript, type ScriptParts } from './javascript.ts';
import type { Comment, Parts, Reference, Use } from './parts.ts';

export interface PageParts extends ScriptParts {
  /** The names in the page's import map, with a trailing slash for a prefix; undefined without an import map. */
  readonly importMap: readonly string[] | undefined;
  readonly scripts: readonly string[];
  readonly forms: readonly DataForm[];
}

/** How the references of these elements are used. Forms are omitted: they submit to programs. */
const USES: ReadonlyMap<string, Use> = new Map([
  ...['a', 'area', 'iframe'].map((name): [string, Use] => [name, 'page']),
  ['script', 'script'],
  ...['link', 'img', 'source', 'video', 'audio', 'track', 'embed', 'object', 'input', 'image', 'use'].map(
    (name): [string, Use] => [name, 'resource'],
  ),
]);
/** Attributes with a URL that loads or opens no file of the project. */
const NOT_LOADED = new Set(['action', 'formaction', 'cite', 'background']);
/** Attributes that load files on any element. */
const EVERYWHERE = new Set(['srcset', 'imagesrcset', 'style']);
/** A `link` with one of these relations loads nothing. */
const NAMES_ONLY = /^(?:canonical|alternate|author|license|next|prev|search|help|me|preconnect|dns-prefetch)$/i;
/**
 * Chromium's limit for nested elements. The parser may search all open elements at every tag: without a limit, a page
 * of a model that repeats itself would take quadratic time. Reading stops at the first element that is deeper.
 */
const DEEPEST = 512;

/** Returns the references and comments of a page, including those of its inline style sheets and scripts. */
export function readHtml(html: string): PageParts {
  const page = new Page(html);
  /** The open script or style element, with its text so far. */
  let inside: Inside | undefined;
  let depth = 0;
  const sent = new DataForms();
  const parser = new Parser({
    onopentag(name, attributes) {
      if (++depth > DEEPEST) return parser.pause();
      if (name === 'base') page.base ??= attributes.href;
      page.references.push(...elementReferences(name, attributes));
      sent.open(name, attributes, parser.startIndex);
      if (name === 'script' || name === 'style')
        inside = { name, type: attributes.type ?? '', index: parser.endIndex + 1, text: '' };
    },
    ontext(text) {
      if (inside) inside.text += text;
      sent.text(text);
    },
    onclosetag(name) {
      depth--;
      sent.close(name);
      if (inside) page.add(inside);
      inside = undefined;
    },
    oncomment() {
      const [index, end] = [parser.startIndex, parser.endIndex + 1];
      page.comments.push({ text: html.slice(index, end), index });
    },
  });
  parser.end(html);
  for (const use of sent.uses) page.data.push(use);
  for (const form of sent.forms) page.forms.push(form);
  return page;
}

function elementReferences(element: string, attributes: Readonly<Record<string, string>>): Reference[] {
  const namesOnly = element === 'link' && (attributes.rel ?? '').split(/\s+/).some((rel) => NAMES_ONLY.test(rel));
  return Object.entries(attributes).flatMap(([name, value]) => {
    const own = namesOnly ? undefined : USES.get(element);
    const use = EVERYWHERE.has(name) ? 'resource' : own;
    if (use === undefined || NOT_LOADED.has(name)) return [];
    const find = urlsInAttribute(element, name, (other) => attributes[other] ?? '');
    return (find?.(value) ?? []).map(({ start, end }) => ({
      specifier: value.slice(start, end).trim(),
      use,
    }));
  });
}

const JAVASCRIPT = /^(?:|module|(?:text|application)\/(?:x-)?(?:java|ecma)script)$/i;

/** A script or style element with its text. */
interface Inside {
  readonly name: string;
  readonly type: string;
  readonly index: number;
  text: string;
}

/** Collects the parts of a page. */
class Page implements PageParts {
  readonly references: Reference[] = [];
  readonly comments: Comment[] = [];
  readonly scripts: string[] = [];
  readonly data: DataUse[] = [];
  readonly forms: DataForm[] = [];
  usesDom = false;
  routes = false;
  base: string | undefined;
  importMap: readonly string[] | undefined;
  readonly fragment: boolean;

  constructor(html: string) {
    this.fragment = !/<(?:!doctype|html)\b/i.test(html);
  }

  /** Adds the parts of an inline script or style sheet. */
  add({ name, type, index, text }: Inside): void {
    if (name === 'style') this.#addParts(cssParts(text), index);
    else if (type === 'importmap') this.#addImportMap(text);
    else if (JAVASCRIPT.test(type)) {
      const script = readScript(text);
      this.#addParts(script, index);
      this.scripts.push(text);
      for (const use of script.data) this.data.push({ ...use, index: index + use.index });
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
    for (const url of Object.values(imports)) {
      if (typeof url === 'string' && !url.endsWith('/')) this.references.push({ specifier: url, use: 'resource' });
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

/** Returns the references and comments of a style sheet. */
export function cssParts(css: string): Parts {
  const { urls, comments } = readCss(css);
  const references = urls.map(
    ({ start, end }): Reference => ({
      specifier: css.slice(start, end).trim().replace(/\\(.)/g, '$1'),
      use: 'resource',
    }),
  );
  return {
    references,
    comments: comments.map(({ start, end }): Comment => ({ text: css.slice(start, end), index: start })),
  };
}
