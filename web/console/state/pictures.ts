import type { Look } from '../../../client/client.ts';
import { LOOK_WIDTHS, type LookWidth } from '../../../lambda/contract/looks.ts';
import { siteEnd } from './site.ts';
import { KEPT_MS } from './turn.ts';
import type { GalleryEntry, PublishedSite } from './types.ts';

/**
 * Where the pictures of a page are. Those of a generation and of a private deployment need the credentials of this page, those of
 * another deployment are public. If only the id of a deployment is known, its live version has to be asked for.
 */
export type PictureSource =
  | { readonly generation: string; readonly attempt?: number | undefined }
  | { readonly deployment: string }
  | { readonly site: string; readonly version: string; readonly token?: string | undefined }
  | { readonly paths: { readonly [Width in LookWidth]?: string } };

type Seen = Pick<Look, 'screenshots'> | undefined;

/** Returns whether a look took any picture. */
export const hasPictures = (look: Seen) =>
  LOOK_WIDTHS.some((width) => look?.screenshots?.[width] !== undefined);

/** Returns the pictures of a generation; undefined without any. */
export function picturesOfGeneration(id: string | undefined, look: Seen): PictureSource | undefined {
  return id !== undefined && hasPictures(look) ? { generation: id } : undefined;
}

/** Returns the pictures of a version of a page; undefined without any. */
export function picturesOfSite(
  { id, access, token }: Pick<PublishedSite, 'id' | 'access' | 'token'>,
  version: string,
  look: Seen,
): PictureSource | undefined {
  if (!hasPictures(look)) return undefined;
  return isPrivate(access) ? { site: id, version, token } : picturesOfDeployment(look);
}

/** Returns the pictures of a public deployment; undefined without any. Paths, because this page may have another host than the URLs. */
function picturesOfDeployment(look: Seen): PictureSource | undefined {
  if (!hasPictures(look)) return undefined;
  const known = Object.entries(look?.screenshots ?? {}).map(([width, url]) => {
    const { pathname, search } = new URL(url, 'https://service.invalid');
    return [width, pathname + search];
  });
  return { paths: Object.fromEntries(known) };
}

/** Returns the pictures of an entry of the gallery; undefined without any, and if they need a key. @param now in Unix milliseconds */
export function picturesOfEntry(
  entry: GalleryEntry,
  hasKey: boolean,
  now: number,
): PictureSource | undefined {
  const { seen, site, generation, keyed, at, keptAt } = entry;
  const isReadable = !keyed || hasKey;
  if (seen === 'site' && site && siteEnd(site, now) === undefined) {
    const { id, access, version, token } = site;
    if (isPrivate(access)) return isReadable ? { site: id, version, token } : undefined;
    const path = `/d/${encodeURIComponent(id)}.png?width=`;
    return { paths: { 390: `${path}390`, 1280: `${path}1280` } };
  }
  const isThere = now - Math.max(at, keptAt ?? 0) < KEPT_MS;
  return seen === 'generation' && generation !== undefined && isReadable && isThere
    ? { generation }
    : undefined;
}

const isPrivate = (access: PublishedSite['access'] = 'public') => access !== 'public';
