/** Below `.data/`, at any depth of a site, are its data and their client: no file is there. */
const DATA = /(?:^|\/)\.data\/(.*)$/s;

/** Returns what a path or a URL names of a site's data, such as `client.js` or `messages`; undefined if it is another one. */
export function dataPathOf(url: string): string | undefined {
  return DATA.exec(url.replace(/[?#].*$/s, ''))?.[1];
}

/** The client of the data, below `.data/`. */
export const DATA_CLIENT = 'client.js';
