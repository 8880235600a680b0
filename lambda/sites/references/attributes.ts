import { readCss } from './css.ts';
import { type RootReference, rootReference, type Span } from './root-reference.ts';

/** Finds the addresses in a decoded text, in their order. */
export type FindUrls = (text: string) => readonly Span[];

/**
 * How to read the attributes that the HTML Standard lists with a URL, a srcset or CSS. The name alone decides: custom elements
 * and SVG use the same names for the same things.
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
 * Returns how to find the addresses in an attribute; undefined when it holds none.
 * @param attribute returns the value of another attribute of the element
 */
export function urlsInAttribute(
  element: string,
  name: string,
  attribute: (name: string) => string,
): FindUrls | undefined {
  if (element === 'object' && name === 'data') return wholeText;
  if (element === 'meta' && name === 'content')
    return attribute('http-equiv').toLowerCase() === 'refresh' ? refreshUrl : undefined;
  return FIND.get(name);
}

function wholeText(url: string): Span[] {
  return [{ start: 0, end: url.length }];
}

/** HTML, "parse a srcset attribute": a comma may be part of an address but not end it; parentheses hide commas. */
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

/** HTML, "shared declarative refresh steps": `5; url=/x`, of which `url=` and quotes are optional. */
function refreshUrl(content: string): Span[] {
  const [before, quote = ''] = REFRESH.exec(content) ?? [];
  if (before === undefined) return [];
  const end = quote === '' ? -1 : content.indexOf(quote, before.length);
  return [{ start: before.length, end: end === -1 ? content.length : end }];
}

/** Returns the root-absolute addresses of an import map: its string values. Browsers ignore one that is not valid JSON. */
export function importMapReferences(json: string): RootReference[] {
  if (!isJson(json)) return [];
  const references: RootReference[] = [];
  for (const { 1: string = '', 2: colon, index } of json.matchAll(/("[^"\\]*(?:\\.[^"\\]*)*")\s*(:?)/g)) {
    if (colon) continue;
    const reference = rootReference(JSON.parse(string));
    // An address with white space before it is a bare name there, and maps to nothing.
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
