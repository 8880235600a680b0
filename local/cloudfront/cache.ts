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
}

/** Bytes of all stored bodies together. */
const CAPACITY = 64 * 1024 * 1024;

/** CloudFront reads that many tags of one answer. */
const MAX_TAGS = 50;

/** An answer on its way from the origin: an invalidation that comes meanwhile concerns it as well. */
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

  /** Whether what is fetched may be stored. */
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

  /** To be called before the origin is asked. `store` keeps the answer unless it was invalidated since; `end` forgets it. */
  begin(path: string): { store: (key: string, entry: Entry) => void; end: () => void } {
    const fetch = new Fetch(path);
    this.fetches.add(fetch);
    return {
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
  const control = (header(headers, 'cache-control') ?? '').toLowerCase();
  const forbidden = /\b(no-store|no-cache|private)\b/.test(control);
  const age = /\bs-maxage=(\d+)/.exec(control)?.[1] ?? /\bmax-age=(\d+)/.exec(control)?.[1];
  if (policy.maxTtl === 0) return 0;
  if (status >= 400) return Math.max(errorTtl, forbidden ? 0 : Number(age ?? 0));
  if (forbidden) return policy.minTtl;
  if (age === undefined) return policy.defaultTtl;
  return Math.min(Math.max(Number(age), policy.minTtl), policy.maxTtl);
}

function pathMatches(item: string, path: string): boolean {
  return item.endsWith('*') ? path.startsWith(item.slice(0, -1)) : item === path;
}
