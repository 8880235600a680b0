import { type Conditions, NEVER_STALE, type SiteResponse } from '../sites/serving/respond.ts';
import type { Deployment } from '../stored/deployment.ts';
import { ANONYMOUS } from '../stored/deployment-owner.ts';
import type { Pointer } from './remembered-pointers.ts';

/** The edge serves what it has for a week while the origin fails. */
const STALE_SECONDS = 604_800;

/**
 * Bounds for how long the edge may serve a file with a hashed name without asking whether the deployment still has it. A
 * revalidation a day costs next to nothing.
 */
const HASHED_EDGE_SECONDS = 86_400;

const NOT_SHARED = /\b(no-store|private)\b/i;

/**
 * Returns the Cache-Control of a response of a site. The edge revalidates: with `s-maxage=0` CloudFront asks for every
 * request, does not collapse simultaneous ones, and keeps the response for revalidation and for outages.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/Expiration.html
 * @param hashed whether this is a file whose name contains the hash of its content
 * @param secondsLeft until the deployment expires, after which no edge may have a copy
 */
export function cacheControl(
  { status, headers }: Pick<SiteResponse, 'status' | 'headers'>,
  { edgeSeconds, current }: Pick<Pointer, 'edgeSeconds' | 'current'>,
  hashed: boolean,
  secondsLeft = Number.POSITIVE_INFINITY,
): string {
  const own = headers['Cache-Control'];
  if (own !== undefined && NOT_SHARED.test(own)) return own;
  const immutable = hashed && status < 400;
  // A remembered pointer may be outdated, and a deletion invalidates only what the edge has already.
  const seconds = immutable && current ? HASHED_EDGE_SECONDS : edgeSeconds;
  const browser = own ?? (immutable ? 'public, max-age=31536000, immutable' : 'public, max-age=0');
  const kept = Math.min(seconds, secondsLeft);
  return `${browser}, s-maxage=${kept}, stale-if-error=${Math.min(STALE_SECONDS, secondsLeft)}`;
}

/** Returns a response that depends on a cookie or a password as one that no cache may keep or reuse. */
export function unshared(response: SiteResponse): SiteResponse {
  return { ...response, headers: { ...response.headers, 'Cache-Control': `private, ${NEVER_STALE}` } };
}

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
