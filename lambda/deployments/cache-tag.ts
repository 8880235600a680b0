/** The header in which the site function names an answer's cache tag; the distribution's `CacheTagConfig` reads it. */
export const CACHE_TAG_HEADER = 'cache-tag';

/** The tag of everything that is served of a deployment. */
export function cacheTag(id: string): string {
  return `site-${id}`;
}
