import { readFileSync } from 'node:fs';

/**
 * Returns the code of a CloudFront function, which has no modules: that of files in `edge/`, after a table of the pages.
 *
 * @param pages keys of the service's own pages
 */
export function edgeCode(files: readonly string[], pages: readonly string[] = []): string {
  const table = pages.length > 0 ? [`const PAGES = ${JSON.stringify(pagePaths(pages))};`] : [];
  return [...table, ...files.map((name) => readFileSync(`lib/front-door/edge/${name}.js`, 'utf8'))].join(
    '\n',
  );
}

/** Returns the key of each path. An index has the path of its folder, with and without a slash at the end. */
function pagePaths(keys: readonly string[]): Readonly<Record<string, string>> {
  const pathsOf = (key: string) => {
    const [, folder] = /^(.*?)\/?index\.html$/.exec(key) ?? [];
    if (folder === undefined) return [`/${key}`];
    return folder === '' ? ['/'] : [`/${folder}`, `/${folder}/`];
  };
  return Object.fromEntries(keys.flatMap((key) => pathsOf(key).map((path) => [path, `/${key}`])));
}
