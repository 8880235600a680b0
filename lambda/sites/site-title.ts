import { decodeHtml } from './charset.ts';
import { byPath, isHtml } from './entry.ts';
import type { SiteFile } from './site-file.ts';
import { titleOf } from './title.ts';

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
