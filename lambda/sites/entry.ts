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

export function isHtml(path: string): boolean {
  return HTML.test(path);
}

export function byPath(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
