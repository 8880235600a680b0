/** The response header with the cache tag; the distribution's `CacheTagConfig` reads it. */
export const CACHE_TAG_HEADER = 'cache-tag';

/** Returns the cache tag of all responses for a deployment. */
export function cacheTag(id: string): string {
  return `site-${id}`;
}

/**
 * Set by the CloudFront function: `1` for a navigation, `0` for a subresource. It is part of the cache key, because the
 * two get different responses for a path that has no file.
 */
export const NAVIGATION_HEADER = 'x-ptp-navigation';

/** Set by the CloudFront function: the query as it was sent, without the `?`, which the site function repeats in redirects. */
export const QUERY_HEADER = 'x-ptp-query';

/** A path that the CloudFront function replaced, because CloudFront could not sign it: see `handOver` in `navigation.js`. */
const SIGNABLE = /^(\/d|\/own\/[^/]+)\/~\/([\w~-]*)$/;

/** Returns the path as the visitor sent it. @param path of an event of the site function */
export function sentPath(path: string): string {
  const [, prefix, replaced] = SIGNABLE.exec(path) ?? [];
  if (prefix === undefined || replaced === undefined) return path;
  return prefix + replaced.replace(/~([0-9a-f]{2})/g, (_, code) => String.fromCharCode(Number(`0x${code}`)));
}

/** Carries a secret in the service's own visits of pages, which its web ACL does not count, nor are they views. */
export const OWN_CALL_HEADER = 'x-ptp-own-call';

/** The cookie of a private page, on its own origin. Without TLS, as on a laptop, browsers refuse the name with the prefix. */
export const ACCESS_COOKIES = { https: '__Host-ptp-access', http: 'ptp-access' } as const;

/** The cookies of the data of a site, on its own origin: who a visitor is, and that the browser is the owner's. */
export const DATA_COOKIES = {
  visitor: { https: '__Host-ptp-visitor', http: 'ptp-visitor' },
  owner: { https: '__Host-ptp-owner', http: 'ptp-owner' },
} as const;

/**
 * The base URL of the service, which the distribution adds to visits of pages on other origins: the function that serves them cannot
 * have it in its environment, since the distribution depends on the function.
 */
export const BASE_URL_HEADER = 'x-ptp-base-url';

/** The parameter of a tenant of the distribution for custom domains: the id of the deployment whose pages it serves. */
export const TENANT_PARAMETER = 'deployment';
