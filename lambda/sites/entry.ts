import { decodeHtml } from './charset.ts';
import type { SiteFile } from './site-file.ts';
import { titleOf } from './title.ts';

const HTML = /\.html?$/i;
const INDEX = /(?:^|\/)index\.html?$/i;
const INDEX_HTML = /(?:^|\/)index\.html$/;

/**
 * Returns the HTML file that a visitor sees first: the shallowest `index.html`, else the shallowest HTML file. The first
 * path in code unit order wins a tie. `index.htm` and `INDEX.HTML` count as an index too, as in web servers, but an
 * `index.html` of the same depth takes precedence. Returns `''` if there is no HTML file.
 */
export function entryOf(paths: readonly string[]): string {
  const [entry = ''] = paths
    .filter(isHtml)
    .toSorted(
      (a, b) =>
        Number(INDEX.test(b)) - Number(INDEX.test(a)) ||
        a.split('/').length - b.split('/').length ||
        Number(INDEX_HTML.test(b)) - Number(INDEX_HTML.test(a)) ||
        byPath(a, b),
    );
  return entry;
}

/** Returns the title of the entry, else of the first HTML file by path that has one, else null. */
export function siteTitle(
  files: readonly Pick<SiteFile, 'path' | 'content'>[],
  entry: string,
): string | null {
  const pages = files
    .filter(({ path }) => isHtml(path))
    .toSorted((a, b) => Number(b.path === entry) - Number(a.path === entry) || byPath(a.path, b.path));
  for (const { content } of pages) {
    const title = titleOf(decodeHtml(content));
    if (title) return title;
  }
  return null;
}

export function isHtml(path: string): boolean {
  return HTML.test(path);
}

function byPath(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
