import type { SiteFile } from './files.ts';
import { titleOf } from './title.ts';

/**
 * The HTML file that a visitor sees first: `index.html` at the root, else the shallowest one, else the shallowest
 * HTML file; ties go to the first by path. Empty when there is no HTML file.
 */
export function entryOf(paths: readonly string[]): string {
  const rank = (path: string) => [isIndex(path) ? 0 : 1, path.split('/').length] as const;
  const [entry = ''] = paths.filter(isHtml).toSorted((a, b) => {
    const [aKind, aDepth] = rank(a);
    const [bKind, bDepth] = rank(b);
    return aKind - bKind || aDepth - bDepth || (a < b ? -1 : 1);
  });
  return entry;
}

/** The title of the entry, else of the first HTML file by path that has one; null when none has. */
export function siteTitle(files: readonly SiteFile[], entry: string): string | null {
  const pages = files
    .filter(({ path }) => isHtml(path))
    .toSorted((a, b) => Number(b.path === entry) - Number(a.path === entry) || (a.path < b.path ? -1 : 1));
  for (const { bytes } of pages) {
    const title = titleOf(new TextDecoder().decode(bytes));
    if (title) return title;
  }
  return null;
}

export function isHtml(path: string): boolean {
  return /\.html?$/i.test(path);
}

function isIndex(path: string): boolean {
  return /(^|\/)index\.html?$/i.test(path);
}
