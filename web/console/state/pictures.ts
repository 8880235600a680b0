import type { Look } from '../../../client/client.ts';
import { LOOK_WIDTHS, type LookWidth } from '../../../lambda/contract/looks.ts';
import type { GalleryEntry } from './types.ts';

/**
 * Where the pictures of a page are. Those of a generation need the credentials of this page, those of a deployment are public. If only
 * the id of a deployment is known, its live version has to be asked for.
 */
export type PictureSource =
  | { readonly generation: string; readonly attempt?: number | undefined }
  | { readonly deployment: string }
  | { readonly paths: { readonly [Width in LookWidth]?: string } };

type Seen = Pick<Look, 'screenshots'> | undefined;

/** Returns whether a look took any picture. */
export const hasPictures = (look: Seen) =>
  LOOK_WIDTHS.some((width) => look?.screenshots?.[width] !== undefined);

/** Returns the pictures of a generation; undefined without any. */
export function picturesOfGeneration(id: string | undefined, look: Seen): PictureSource | undefined {
  return id !== undefined && hasPictures(look) ? { generation: id } : undefined;
}

/** Returns the pictures of a deployment; undefined without any. Paths, because this page may have another host than the URLs. */
export function picturesOfDeployment(look: Seen): PictureSource | undefined {
  if (!hasPictures(look)) return undefined;
  const known = Object.entries(look?.screenshots ?? {}).map(([width, url]) => {
    const { pathname, search } = new URL(url, 'https://service.invalid');
    return [width, pathname + search];
  });
  return { paths: Object.fromEntries(known) };
}

/** Returns the pictures of an entry of the gallery; undefined without any, and if they need a key. */
export function picturesOfEntry(entry: GalleryEntry, hasKey: boolean): PictureSource | undefined {
  const { seen, site, generation, keyed } = entry;
  if (seen === 'site' && site) {
    const path = `/d/${encodeURIComponent(site.id)}.png?width=`;
    return { paths: { 390: `${path}390`, 1280: `${path}1280` } };
  }
  return seen === 'generation' && generation !== undefined && (!keyed || hasKey) ? { generation } : undefined;
}
