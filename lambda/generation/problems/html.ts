import { Parser } from 'htmlparser2';
import { urlsInAttribute } from '../../sites/references/html.ts';
import { type Inside, Page, type PageParts } from './page.ts';
import type { Reference, Use } from './parts.ts';

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
const NAMES_ONLY =
  /^(?:canonical|alternate|author|license|next|prev|search|help|me|preconnect|dns-prefetch)$/i;
/**
 * Chromium's limit for nested elements. The parser may search all open elements at every tag: without a limit, a page of
 * a model that repeats itself would take quadratic time. Reading stops at the first element that is deeper.
 */
const DEEPEST = 512;

/** Returns the references and comments of a page, including those of its inline style sheets and scripts. */
export function readHtml(html: string): PageParts {
  const page = new Page(html);
  /** The open script or style element, with its text so far. */
  let inside: Inside | undefined;
  let depth = 0;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (++depth > DEEPEST) {
        page.elements.opaque = true;
        return parser.pause();
      }
      if (name === 'base') page.base ??= attributes.href;
      page.references.push(...elementReferences(name, attributes));
      page.addAttributes(attributes);
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

function elementReferences(element: string, attributes: Readonly<Record<string, string>>): Reference[] {
  const namesOnly =
    element === 'link' && (attributes.rel ?? '').split(/\s+/).some((rel) => NAMES_ONLY.test(rel));
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
