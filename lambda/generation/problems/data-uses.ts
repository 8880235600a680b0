import type { DataUse } from './parts.ts';

/** A URL below `.data/` in a text, up to the end of the collection's name. */
const URL_OF_DATA = /(?<![\w.~-])((?:\.{0,2}\/)*)\.data\/(?:(client\.js)|([\w-]*))/g;

/**
 * Returns the URLs below `.data/` in a string of a script.
 * @param index the offset of the string in the file
 * @param goesOn whether an interpolation follows the string
 */
export function dataUrlsIn(text: string, index: number, goesOn: boolean): DataUse[] {
  if (!text.includes('.data/')) return [];
  return Array.from(text.matchAll(URL_OF_DATA)).flatMap((match): DataUse[] => {
    const [url, , client, name = ''] = match;
    // What `${` cuts off may go on with the name.
    const isOpen = client === undefined && goesOn && text.slice(match.index + url.length) === '${';
    const collection = client === undefined && !isOpen && name !== '' && name !== 'owner' ? name : undefined;
    // The folder alone is what service workers look for.
    if (client === undefined && name === '' && !isOpen) return [];
    return [{ collection, url, isOpen, index: index + match.index }];
  });
}
