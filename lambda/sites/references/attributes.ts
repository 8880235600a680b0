import { cssReferences } from './css.ts';
import { type RootReference, rootReference } from './root-reference.ts';

/** Finds the root-absolute references in a decoded text, in their order. */
export type Find = (text: string) => readonly RootReference[];

/**
 * What the attributes hold that the HTML standard lists with a URL, a srcset or CSS. They are told by name alone:
 * custom elements and SVG use the same names for the same things.
 */
const FIND: ReadonlyMap<string, Find> = new Map([
  ...['action', 'background', 'cite', 'formaction', 'href', 'poster', 'src', 'xlink:href'].map(
    (name): [string, Find] => [name, urlReference],
  ),
  ['srcset', srcsetReferences],
  ['imagesrcset', srcsetReferences],
  ['style', cssReferences],
]);

/** How to read an attribute, undefined if it holds no reference. `attribute` gives the others of its element. */
export function findInAttribute(
  element: string,
  name: string,
  attribute: (name: string) => string,
): Find | undefined {
  if (element === 'object' && name === 'data') return urlReference;
  if (element === 'meta' && name === 'content')
    return attribute('http-equiv').toLowerCase() === 'refresh' ? refreshReference : undefined;
  return FIND.get(name);
}

function urlReference(url: string): RootReference[] {
  return listed(rootReference(url));
}

function listed(reference: RootReference | undefined): RootReference[] {
  return reference ? [reference] : [];
}

/** HTML, "parse a srcset attribute": a comma may be part of an address but not end it; parentheses hide commas. */
function srcsetReferences(srcset: string): RootReference[] {
  const references: RootReference[] = [];
  const candidates = /[^\t\n\f\r ,][^\t\n\f\r ]*/g;
  for (let match = candidates.exec(srcset); match !== null; match = candidates.exec(srcset)) {
    let end = candidates.lastIndex;
    if (match[0].endsWith(',')) while (srcset.charAt(end - 1) === ',') end--;
    else candidates.lastIndex = endOfDescriptors(srcset, end);
    references.push(...listed(rootReference(srcset, match.index, end)));
  }
  return references;
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
function refreshReference(content: string): RootReference[] {
  const [before, quote = ''] = REFRESH.exec(content) ?? [];
  if (before === undefined) return [];
  const end = quote === '' ? -1 : content.indexOf(quote, before.length);
  return listed(rootReference(content, before.length, end === -1 ? content.length : end));
}

/** The addresses of an import map: its string values. A browser ignores one that is no JSON. */
export function importMapReferences(json: string): RootReference[] {
  if (!isJson(json)) return [];
  const references: RootReference[] = [];
  for (const { 1: string = '', 2: colon, index } of json.matchAll(/("[^"\\]*(?:\\.[^"\\]*)*")\s*(:?)/g)) {
    if (colon) continue;
    const [reference] = urlReference(JSON.parse(string));
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
