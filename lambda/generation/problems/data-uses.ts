import type { DataUse } from './parts.ts';

/** A URL below `.data/` in a text, up to the end of the collection's name. */
const DATA = /(?<![\w.~-])\.data\/(?:(client\.js)|([\w-]*))/g;
/** What comes before it in a URL that leads up, or to the root; of a longer one, its end. */
const ABOVE = /(?:^|[^\w.~/-])((?:\.{0,2}\/)+)$/;
const LONGEST_ABOVE = 60;

/**
 * Returns the URLs below `.data/` in a string of a script.
 * @param index the offset of the string in the file
 * @param goesOn whether an interpolation follows the string
 */
export function dataUrlsIn(text: string, index: number, goesOn: boolean): DataUse[] {
  if (!text.includes('.data/')) return [];
  return Array.from(text.matchAll(DATA)).flatMap((match): DataUse[] => {
    const [found, client, name = ''] = match;
    // What `${` cuts off may go on with the name.
    const isOpen = client === undefined && goesOn && text.slice(match.index + found.length) === '${';
    // The folder alone is what service workers look for.
    if (client === undefined && name === '' && !isOpen) return [];
    const before = text.slice(Math.max(0, match.index - LONGEST_ABOVE), match.index);
    const above = ABOVE.exec(before)?.[1] ?? '';
    const isNamed = client === undefined && !isOpen && name !== 'owner';
    const collection = isNamed ? name : undefined;
    return [{ collection, url: above + found, isOpen, index: index + match.index - above.length }];
  });
}
