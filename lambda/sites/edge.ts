/** The header in which the site function names an answer's cache tag; the distribution's `CacheTagConfig` reads it. */
export const CACHE_TAG_HEADER = 'cache-tag';

/** The tag of everything that is served of a deployment. */
export function cacheTag(id: string): string {
  return `site-${id}`;
}

/**
 * Set by the CloudFront function: `1` when a person navigates, `0` when a page loads a part of itself. It is part of
 * the cache key, since the two get different answers for a path that leads to no file.
 */
export const NAVIGATION_HEADER = 'x-ptp-navigation';
