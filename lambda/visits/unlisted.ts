import type { Conditions } from '../sites/serving/conditions.ts';
import type { SiteResponse } from '../sites/serving/site-response.ts';
import type { Deployment } from '../stored/deployment.ts';
import { ANONYMOUS } from '../stored/deployment-owner.ts';

/** Ends the entity tags of such pages, so that the next visit after a claim replaces the copies at the edge, header and all. */
const MARK = '-noindex"';

/** Whether search engines are kept from a page: nobody has claimed it, or it is private. */
export function isUnlisted({ owner, access }: Pick<Deployment, 'owner' | 'access'>): boolean {
  return owner === ANONYMOUS || access !== undefined;
}

/** Returns the conditions of a request for such a page as the site knows its entity tags. */
export function unmarked({ ifNoneMatch, ifRange, range }: Conditions): Conditions {
  const plain = (tags: string | undefined) => tags?.replaceAll(MARK, '"');
  return { ifNoneMatch: plain(ifNoneMatch), ifRange: plain(ifRange), range };
}

/** Returns the headers of such a page, which its own cannot replace. */
export function unlistedHeaders(headers: SiteResponse['headers']): SiteResponse['headers'] {
  const { ETag: etag, ...rest } = headers;
  const others = Object.entries(rest).filter(([name]) => name.toLowerCase() !== 'x-robots-tag');
  return {
    ...Object.fromEntries(others),
    ...(etag === undefined ? {} : { ETag: etag.replace(/"$/, MARK) }),
    'X-Robots-Tag': 'noindex',
  };
}
