import { type HttpRequest, type HttpResponse, header, withHeaders } from '../http.ts';
import { type Arrival, Cache, type Entry, readTags, staleLifetime, timeToLive } from './cache.ts';
import { fromCache, keepWhileSending } from './cached-answer.ts';
import { cacheKey } from './origin-request.ts';
import type { CachePolicy } from './policies.ts';
import type { DistributionConfig } from './properties.ts';

/** CloudFront's default error caching minimum TTL in seconds. */
const ERROR_CACHING_MIN_TTL = 10;

/** The caching of a distribution at one edge. */
export class EdgeCache {
  private readonly cache = new Cache();
  private readonly config: DistributionConfig;

  constructor(config: DistributionConfig) {
    this.config = config;
  }

  /** @param at when it takes effect, in Unix milliseconds */
  invalidate(items: readonly string[], at = Date.now()): void {
    this.cache.invalidate(items, at);
  }

  /**
   * Returns the response to GET or HEAD from the cache or the origin, and caches complete responses to GET.
   * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/RangeGETs.html
   * @param viewerPath the path for invalidations
   * @param send sends a request to the origin; returns 502 or 504 if the origin fails or times out
   */
  async fetch(
    request: HttpRequest,
    policy: CachePolicy,
    viewerPath: string,
    send: (request: HttpRequest) => Promise<HttpResponse>,
  ): Promise<HttpResponse> {
    const key = cacheKey(request, policy);
    const stored = this.cache.get(key);
    if (stored && stored.expiresAt > Date.now()) return fromCache(stored, request, 'Hit from cloudfront');

    const arrival = this.cache.begin(viewerPath);
    const response = await send(revalidation(request, stored));
    const renewed = stored && this.renew(stored, response, policy, arrival);
    if (renewed) {
      if (!Buffer.isBuffer(response.body)) response.body.destroy();
      arrival.store(key, renewed);
      arrival.end();
      return fromCache(renewed, request, 'RefreshHit from cloudfront');
    }
    if (request.method === 'HEAD' || [206, 304].includes(response.status)) {
      arrival.end();
      return response;
    }
    return keepWhileSending(response, (body) => {
      const entry = body && this.entry(viewerPath, policy, { ...response, body });
      if (entry && Math.max(entry.expiresAt, entry.staleUntil) > entry.storedAt) arrival.store(key, entry);
      arrival.end();
    });
  }

  /**
   * Returns the cached entry with a new lifetime if the origin revalidates it, or if the origin fails. After a failure, the
   * origin gets no requests for the error caching minimum TTL.
   * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/HTTPStatusCodes.html
   */
  private renew(
    stored: Entry,
    { status, headers }: HttpResponse,
    policy: CachePolicy,
    arrival: Arrival,
  ): Entry | undefined {
    if (status === 304 && header(stored.headers, 'etag')) {
      return this.entry(stored.path, policy, { ...stored, headers: withHeaders(stored.headers, headers) });
    }
    const now = Date.now();
    const replaces = status >= 500 && stored.staleUntil > now && arrival.allows(stored.tags);
    const retryAt = now + this.errorTtl(status) * 1000;
    return replaces ? { ...stored, expiresAt: Math.min(retryAt, stored.staleUntil) } : undefined;
  }

  private entry(
    path: string,
    policy: CachePolicy,
    { status, headers, body }: Pick<Entry, 'status' | 'headers' | 'body'>,
  ): Entry {
    const storedAt = Date.now();
    const ttl = timeToLive(status, headers, policy, this.errorTtl(status));
    return {
      path,
      tags: readTags(headers, this.config.CacheTagConfig?.HeaderName),
      status,
      headers,
      body,
      storedAt,
      expiresAt: storedAt + ttl * 1000,
      staleUntil: storedAt + staleLifetime(status, headers, policy, ttl) * 1000,
    };
  }

  private errorTtl(status: number): number {
    const rule = this.config.CustomErrorResponses.find(({ ErrorCode }) => ErrorCode === status);
    return rule?.ErrorCachingMinTTL ?? ERROR_CACHING_MIN_TTL;
  }
}

function revalidation(request: HttpRequest, stored: Entry | undefined): HttpRequest {
  const etag = stored && header(stored.headers, 'etag');
  if (!etag) return request;
  return { ...request, headers: withHeaders(request.headers, [['If-None-Match', etag]]) };
}
