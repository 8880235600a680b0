import { type HeaderList, header } from '../http.ts';
import type { CachePolicy } from './policies.ts';

/** A stored answer. Times are Unix milliseconds. */
export interface Entry {
  /** Path of the viewer's request, for invalidations. */
  readonly path: string;
  /** In lower case. */
  readonly tags: readonly string[];
  readonly status: number;
  readonly headers: HeaderList;
  readonly body: Buffer;
  readonly storedAt: number;
  readonly expiresAt: number;
  /** Until then it may stand in for an origin that fails. */
  readonly staleUntil: number;
}

/**
 * Errors that CloudFront always keeps for a while, and those that it keeps if they say how long; no others.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/HTTPStatusCodes.html
 */
const CACHED_ERRORS = [404, 405, 414, 500, 501, 502, 503, 504];
const CACHEABLE_ERRORS = [400, 403, 412, 415];

/** An answer on its way from the origin. */
export interface Arrival {
  /** Whether nothing with these tags was invalidated since the origin was asked. */
  allows(tags: readonly string[]): boolean;
  /** Keeps the answer, unless it was invalidated since. */
  store(key: string, entry: Entry): void;
  /** To be called when there is nothing more to come. */
  end(): void;
}

/** Bytes of all stored bodies together. */
const CAPACITY = 64 * 1024 * 1024;

/** CloudFront reads that many tags of one answer. */
const MAX_TAGS = 50;

/** What was invalidated since the origin was asked: it concerns the answer as well. */
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

/** The edge cache of one distribution, in memory; what was used longest ago goes first. */
export class Cache {
  // In order of use.
  private readonly entries = new Map<string, Entry>();
  private readonly fetches = new Set<Fetch>();
  private size = 0;

  /** The entry, also one that has expired: its ETag may still be good. */
  get(key: string): Entry | undefined {
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    this.entries.delete(key);
    this.entries.set(key, entry);
    return entry;
  }

  /** To be called before the origin is asked. */
  begin(path: string): Arrival {
    const fetch = new Fetch(path);
    this.fetches.add(fetch);
    return {
      allows: (tags) => fetch.allows(tags),
      store: (key, entry) => {
        if (fetch.allows(entry.tags)) this.put(key, entry);
      },
      end: () => this.fetches.delete(fetch),
    };
  }

  /**
   * Drops entries at once. Items are paths (`/a/*`) or tags (`#tag`).
   * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/invalidation-specifying-tags.html
   */
  invalidate(items: readonly string[]): void {
    for (const fetch of this.fetches) fetch.invalidate(items);
    const tags = items.filter((item) => item.startsWith('#')).map((item) => item.slice(1).toLowerCase());
    for (const [key, entry] of this.entries) {
      const concerned =
        entry.tags.some((tag) => tags.includes(tag)) || items.some((item) => pathMatches(item, entry.path));
      if (concerned) this.delete(key);
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

/** The tags of an answer, from the field that the distribution's `CacheTagConfig` names. */
export function readTags(headers: HeaderList, tagHeader: string | undefined): string[] {
  const value = tagHeader === undefined ? undefined : header(headers, tagHeader);
  const tags = (value ?? '').split(',').map((tag) => tag.trim().toLowerCase());
  return tags.filter((tag) => tag !== '').slice(0, MAX_TAGS);
}

/**
 * How long an answer may be kept, in seconds.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/Expiration.html
 * @param errorTtl the error caching minimum TTL of the answer's status
 */
export function timeToLive(
  status: number,
  headers: HeaderList,
  policy: CachePolicy,
  errorTtl: number,
): number {
  const { forbidden, age } = readCacheControl(headers);
  if (policy.maxTtl === 0) return 0;
  if (status >= 400) {
    const kept = CACHED_ERRORS.includes(status) || (CACHEABLE_ERRORS.includes(status) && age !== undefined);
    return kept ? Math.max(errorTtl, forbidden ? 0 : (age ?? 0)) : 0;
  }
  if (forbidden) return policy.minTtl;
  if (age === undefined) return policy.defaultTtl;
  return Math.min(Math.max(age, policy.minTtl), policy.maxTtl);
}

/**
 * How long after its arrival an answer may be served in place of an error of the origin, in seconds. Without
 * `stale-if-error` CloudFront does that for as long as it has the answer, which is never longer than the maximum TTL,
 * and also if the answer says `no-store`. What RFC 9111 says of `must-revalidate`, `proxy-revalidate` and `s-maxage`
 * makes no difference; `stale-if-error=0` is the way to forbid it.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/Expiration.html
 * @param ttl how long the answer is fresh
 */
export function staleLifetime(status: number, headers: HeaderList, policy: CachePolicy, ttl: number): number {
  // An error is no object that could stand in for another one.
  if (status >= 400) return 0;
  const { staleIfError = Number.POSITIVE_INFINITY } = readCacheControl(headers);
  return Math.min(ttl + staleIfError, policy.maxTtl);
}

function readCacheControl(headers: HeaderList) {
  const control = (header(headers, 'cache-control') ?? '').toLowerCase();
  const seconds = (directive: string): number | undefined => {
    const value = new RegExp(`(?:^|[\\s,])${directive}=(\\d+)`).exec(control)?.[1];
    return value === undefined ? undefined : Number(value);
  };
  return {
    forbidden: /\b(no-store|no-cache|private)\b/.test(control),
    age: seconds('s-maxage') ?? seconds('max-age'),
    staleIfError: seconds('stale-if-error'),
  };
}

function pathMatches(item: string, path: string): boolean {
  return item.endsWith('*') ? path.startsWith(item.slice(0, -1)) : item === path;
}
