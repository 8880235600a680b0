import { readCss } from './css.ts';
import { htmlReferences } from './html.ts';
import { rootReferences } from './root-reference.ts';

/**
 * Returns a page or a style sheet with `base` before each root-absolute reference (`/app.js`) to a path of the site.
 * Nothing else changes; without such a reference, returns the same string. Never throws, and takes linear time.
 *
 * @param base where the site is served, with a slash at both ends: `/d/<id>/`
 * @param exists returns whether the site has a path: relative to its root, percent-decoded, without query and
 * fragment; `''` is the root itself
 */
export function rewriteReferences(
  kind: 'html' | 'css',
  text: string,
  base: string,
  exists: (path: string) => boolean,
): string {
  const references = kind === 'html' ? htmlReferences(text) : rootReferences(text, readCss(text).urls);
  const prefix = base.slice(0, -1);
  let rewritten = '';
  let end = 0;
  for (const { at, path } of references) {
    if (!exists(path)) continue;
    rewritten += text.slice(end, at) + prefix;
    end = at;
  }
  return end === 0 ? text : rewritten + text.slice(end);
}
