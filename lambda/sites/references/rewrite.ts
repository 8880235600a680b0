import { readCss } from './css.ts';
import { htmlReferences } from './html.ts';
import { rootReferences } from './root-reference.ts';

/**
 * Rewrites root-absolute references (`/app.js`) of a page or a style sheet that name something of the site, so that
 * they work below `base`; nothing else of the text changes. Returns the same string when there is nothing to rewrite.
 * Never throws, and takes time linear in the text.
 *
 * @param base where the site is served, with a slash at both ends: `/d/<id>/`
 * @param exists whether a path leads to something of the site: relative to its root, percent-decoded, without query
 * and fragment; `''` is the root itself
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
