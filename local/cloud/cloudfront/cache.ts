import { type HeaderList, header } from '../http.ts';
import type { CachePolicy } from './policies.ts';

/** A cached response. Times are Unix milliseconds. */
export interface Entry {
  /** The path of the viewer's request, for invalidations. */
  readonly path: string;
  /** In lower case. */
  readonly tags: readonly string[];
  readonly status: number;
  readonly headers: HeaderList;
  readonly body: Buffer;
  readonly storedAt: number;
  readonly expiresAt: number;
  /** Until then it may replace an error of the origin. */
  readonly staleUntil: number;
}

/**
 * Errors that CloudFront always caches, and errors that it caches only with a max-age.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/HTTPStatusCodes.html
 */
const CACHED_ERRORS = [404, 405, 414, 500, 501, 502, 503, 504];
const CACHEABLE_ERRORS = [400, 403, 412, 415];

/** A pending response of the origin. */
export interface Arrival {
  /** Reports whether nothing with these tags was invalidated since the request to the origin. */
  allows(tags: readonly string[]): boolean;
  /** Caches the response, unless it was invalidated since the request. */
  store(key: string, entry: Entry): void;
  /** Must be called at the end of the response. */
  end(): void;
}

/** The total size of cached bodies in bytes. */
const CAPACITY = 64 * 1024 * 1024;

/** CloudFront reads at most this many tags of a response. */
const MAX_TAGS = 50;

/** The invalidations since a request to the origin, which apply to its response as well. */
class Fetch {
  readonly path: string;
  private dropped = false;
  private readonly tags = new Set<string>();

  constructor(path: string) {
    this.path = path;
  }

  invalidate(items: readonly string[]): void {
    if (items.some((item) => pathMatches(item, this.path))) this.dropped = true;
    for (const item of items) if (item.startsWith('#')) this.tags.add(item.slice(1).toLowerCase());
  }

  allows(tags: readonly string[]): boolean {
    return !this.dropped && !tags.some((tag) => this.tags.has(tag));
  }
}

/** The cache of a distribution at one edge, in memory, with least recently used eviction. */
export class Cache {
  // The least recently used entry first.
  private readonly entries = new Map<string, Entry>();
  private readonly fetches = new Set<Fetch>();
  private invalidations: { readonly items: readonly string[]; readonly at: number }[] = [];
  private size = 0;

  /** Returns an entry, even if it is expired: it may be revalidated. */
  get(key: string): Entry | undefined {
    this.applyInvalidations();
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    this.entries.delete(key);
    this.entries.set(key, entry);
    return entry;
  }

  /** Must be called before a request to the origin. */
  begin(path: string): Arrival {
    this.applyInvalidations();
    const fetch = new Fetch(path);
    this.fetches.add(fetch);
    const allows = (tags: readonly string[]) => {
      this.applyInvalidations();
      return fetch.allows(tags);
    };
    return {
      allows,
      store: (key, entry) => {
        if (allows(entry.tags)) this.put(key, entry);
      },
      end: () => this.fetches.delete(fetch),
    };
  }

  /**
   * Removes entries. Items are paths (`/a/*`) or tags (`#tag`).
   * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/invalidation-specifying-tags.html
   * @param at when it takes effect, in Unix milliseconds
   */
  invalidate(items: readonly string[], at: number): void {
    this.invalidations.push({ items, at });
    this.applyInvalidations();
  }

  /** Applies the invalidations that take effect by now. Without timers, closing the cloud leaves nothing behind. */
  private applyInvalidations(): void {
    const now = Date.now();
    const due = this.invalidations.filter(({ at }) => at <= now);
    if (due.length === 0) return;
    this.invalidations = this.invalidations.filter(({ at }) => at > now);
    this.remove(due.flatMap(({ items }) => items));
  }

  private remove(items: readonly string[]): void {
    for (const fetch of this.fetches) fetch.invalidate(items);
    const tags = items.filter((item) => item.startsWith('#')).map((item) => item.slice(1).toLowerCase());
    for (const [key, entry] of this.entries) {
      const invalidated =
        entry.tags.some((tag) => tags.includes(tag)) || items.some((item) => pathMatches(item, entry.path));
      if (invalidated) this.delete(key);
    }
  }

  private put(key: string, entry: Entry): void {
    this.delete(key);
    if (entry.body.length > CAPACITY) return;
    this.entries.set(key, entry);
    this.size += entry.body.length;
    for (const oldest of this.entries.keys()) {
      if (this.size <= CAPACITY) break;
      this.delete(oldest);
    }
  }

  private delete(key: string): void {
    this.size -= this.entries.get(key)?.body.length ?? 0;
    this.entries.delete(key);
  }
}

/** Returns the tags of a response, from the field that the distribution's `CacheTagConfig` names. */
export function readTags(headers: HeaderList, tagHeader: string | undefined): string[] {
  const value = tagHeader === undefined ? undefined : header(headers, tagHeader);
  const tags = (value ?? '').split(',').map((tag) => tag.trim().toLowerCase());
  return tags.filter((tag) => tag !== '').slice(0, MAX_TAGS);
}

/**
 * Returns for how many seconds a response may be cached.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/Expiration.html
 * @param errorTtl the error caching minimum TTL of the response's status
 */
export function timeToLive(status: number, headers: HeaderList, policy: CachePolicy, errorTtl: number): number {
  const { forbidden, age } = readCacheControl(headers);
  if (status >= 400) {
    const kept = CACHED_ERRORS.includes(status) || (CACHEABLE_ERRORS.includes(status) && age !== undefined);
    return kept ? Math.max(errorTtl, forbidden ? 0 : (age ?? 0)) : 0;
  }
  if (forbidden) return policy.minTtl;
  if (age === undefined) return policy.defaultTtl;
  return Math.min(Math.max(age, policy.minTtl), policy.maxTtl);
}

/**
 * Returns for how many seconds after its arrival a response may replace an error of the origin. Without
 * `stale-if-error` CloudFront allows it for as long as it has the response, up to the maximum TTL, even with
 * `no-store`, and regardless of `must-revalidate`, `proxy-revalidate` and `s-maxage` (RFC 9111). Only
 * `stale-if-error=0` prevents it.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/Expiration.html
 * @param ttl freshness lifetime of the response in seconds
 */
export function staleLifetime(status: number, headers: HeaderList, policy: CachePolicy, ttl: number): number {
  // An error cannot replace another error.
  if (status >= 400) return 0;
  const { staleIfError = Number.POSITIVE_INFINITY } = readCacheControl(headers);
  return Math.min(ttl + staleIfError, policy.maxTtl);
}

/**
 * Reports whether simultaneous requests share a response that is not cached. Without a Cache-Control they do.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/RequestAndResponseBehaviorCustomOrigin.html
 */
export function mayCollapse(headers: HeaderList): boolean {
  const { forbidden, zero } = readCacheControl(headers);
  return !forbidden && !zero;
}

function readCacheControl(headers: HeaderList) {
  const control = (header(headers, 'cache-control') ?? '').toLowerCase();
  const seconds = (directive: string): number | undefined => {
    const value = new RegExp(`(?:^|[\\s,])${directive}=(\\d+)`).exec(control)?.[1];
    return value === undefined ? undefined : Number(value);
  };
  return {
    forbidden: /\b(no-store|no-cache|private)\b/.test(control),
    zero: seconds('s-maxage') === 0 || seconds('max-age') === 0,
    age: seconds('s-maxage') ?? seconds('max-age'),
    staleIfError: seconds('stale-if-error'),
  };
}

function pathMatches(item: string, path: string): boolean {
  return item.endsWith('*') ? path.startsWith(item.slice(0, -1)) : item === path;
}
