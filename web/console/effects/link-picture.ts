import { withLinkPicture } from '../../../lambda/sites/link-picture.ts';
import { entryOf } from '../../../lambda/sites/paths.ts';
import type { OpenProject } from '../state/types.ts';
import type { Context } from './context.ts';

/** Returns the page of a published project with a picture for links to it; undefined if it has one, or there is nothing to show. */
export function linkPicture({ files, site }: OpenProject) {
  if (!site || !['looking', 'looked'].includes(site.look?.state ?? '')) return undefined;
  // Those who get the link could not see it.
  if (site.access !== undefined && site.access !== 'public') return undefined;
  const path = entryOf([...files.keys()]);
  const html = files.get(path);
  if (typeof html !== 'string') return undefined;
  const changed = withLinkPicture(html, `${site.url.replace(/\/$/, '')}.png`);
  return changed && { path, ...changed };
}

/** Adds the line to the page and shows it in the editor, as a change that is not published yet. */
export function addLinkPicture({ project, store: { dispatch } }: Context): void {
  const changed = project && linkPicture(project);
  if (!changed) return;
  const { path, html, line } = changed;
  dispatch({ type: 'edited', path, content: html });
  dispatch({ type: 'selected', path, place: { line } });
  dispatch({ type: 'status', text: `Added the picture to ${path}. Deploy to publish it.` });
}
