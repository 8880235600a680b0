import { readCss } from './css.ts';
import { type RootReference, rootReference, type Span } from './root-reference.ts';

/** Returns the positions of the URLs in a decoded text, in order. */
export type FindUrls = (text: string) => readonly Span[];

/**
 * The attributes for which the HTML Standard lists a URL, a srcset or CSS. The name alone decides, because custom
 * elements and SVG use the same names with the same meaning.
 */
const FIND: ReadonlyMap<string, FindUrls> = new Map([
  ...['action', 'background', 'cite', 'formaction', 'href', 'poster', 'src', 'xlink:href'].map(
    (name): [string, FindUrls] => [name, wholeText],
  ),
  ['srcset', srcsetUrls],
  ['imagesrcset', srcsetUrls],
  ['style', (css: string) => readCss(css).urls],
]);

/**
 * The `<meta>` names and properties whose content is a URL of the site (https://ogp.me, X's cards, Windows tiles). Most of
 * their readers resolve a path against the page's URL. It does not become an absolute URL: the response would depend on the
 * host that it was requested from, which the edge's cache key does not contain.
 */
const META_URL =
  /^(?:og:(?:url|(?:image|video|audio)(?::(?:secure_)?url)?)|twitter:(?:image(?::src)?|player(?::stream)?)|msapplication-(?:tileimage|square\d+x\d+logo|config))$/i;

/**
 * Returns the function that finds the URLs in an attribute, or undefined if the attribute has none.
 * @param attribute returns the value of another attribute of the element
 */
export function urlsInAttribute(
  element: string,
  name: string,
  attribute: (name: string) => string,
): FindUrls | undefined {
  if (element === 'object' && name === 'data') return wholeText;
  if (element === 'meta' && name === 'content') {
    if (attribute('http-equiv').toLowerCase() === 'refresh') return refreshUrl;
    return [attribute('property'), attribute('name')].some((key) => META_URL.test(key.trim()))
      ? wholeText
      : undefined;
  }
  return FIND.get(name);
}

function wholeText(url: string): Span[] {
  return [{ start: 0, end: url.length }];
}

/** HTML, "parse a srcset attribute": a URL may contain commas but not end with one; parentheses hide commas. */
function srcsetUrls(srcset: string): Span[] {
  const urls: Span[] = [];
  const candidates = /[^\t\n\f\r ,][^\t\n\f\r ]*/g;
  for (let match = candidates.exec(srcset); match !== null; match = candidates.exec(srcset)) {
    let end = candidates.lastIndex;
    if (match[0].endsWith(',')) while (srcset.charAt(end - 1) === ',') end--;
    else candidates.lastIndex = endOfDescriptors(srcset, end);
    urls.push({ start: match.index, end });
  }
  return urls;
}

function endOfDescriptors(srcset: string, start: number): number {
  const marks = /,|\([^)]*/g;
  marks.lastIndex = start;
  for (let match = marks.exec(srcset); match !== null; match = marks.exec(srcset)) {
    if (match[0] === ',') return marks.lastIndex;
  }
  return srcset.length;
}

const REFRESH =
  /^[\t\n\f\r ]*[\d.]+(?=[\t\n\f\r ;,])[\t\n\f\r ]*[;,]?[\t\n\f\r ]*(?:url[\t\n\f\r ]*=[\t\n\f\r ]*)?(["']?)/i;

/** HTML, "shared declarative refresh steps": `5; url=/x`, where `url=` and quotes are optional. */
function refreshUrl(content: string): Span[] {
  const [before, quote = ''] = REFRESH.exec(content) ?? [];
  if (before === undefined) return [];
  const end = quote === '' ? -1 : content.indexOf(quote, before.length);
  return [{ start: before.length, end: end === -1 ? content.length : end }];
}

/** Returns the root-absolute string values of an import map; browsers ignore a map that is not valid JSON. */
export function importMapReferences(json: string): RootReference[] {
  if (!isJson(json)) return [];
  const references: RootReference[] = [];
  for (const { 1: string = '', 2: colon, index } of json.matchAll(/("[^"\\]*(?:\\.[^"\\]*)*")\s*(:?)/g)) {
    if (colon) continue;
    const reference = rootReference(JSON.parse(string));
    // With leading white space it is not a URL but a bare specifier, which maps to nothing.
    if (reference?.at === 0) references.push({ ...reference, at: index + 1 });
  }
  return references;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
