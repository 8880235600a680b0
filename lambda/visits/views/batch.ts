import { createHmac } from 'node:crypto';
import { type ListName, OTHER, visitorHash } from '../../stored/views.ts';
import type { Seen, View } from './view.ts';

/** The most names of a list that wait for a write: an expression of DynamoDB has at most 4 KB. */
const WAITING_NAMES = 40;

/** The most visitors that wait for a write. More than a batch has, unless the table cannot be reached. */
const WAITING_VISITORS = 100;

/** The counted properties of a view. */
export interface CountedView {
  readonly isBot: boolean;
  readonly status: number;
  readonly names: readonly (readonly [list: ListName, name: string])[];
  /** The hash of the visitor; undefined if the salt could not be read. */
  readonly visitor: number | undefined;
  /** The hash of the visitor's address. */
  readonly by: string | undefined;
}

/** Views of a page and day that are written together. Whatever is added, its size is bounded. */
export class Batch {
  views = 0;
  bots = 0;
  readonly visitors = new Set<number>();
  readonly statuses = new Map<string, number>();
  readonly lists: Readonly<Record<ListName, Map<string, Seen>>> = {
    pages: new Map(),
    fallbacks: new Map(),
    referrers: new Map(),
  };

  get size(): number {
    return this.views + this.bots;
  }

  /** Adds a view. A bot's view has no visitor, status or names. */
  add({ isBot, status, names, visitor, by }: CountedView): void {
    if (isBot) {
      this.bots++;
      return;
    }
    this.views++;
    this.statuses.set(String(status), (this.statuses.get(String(status)) ?? 0) + 1);
    if (visitor !== undefined && this.visitors.size < WAITING_VISITORS) this.visitors.add(visitor);
    for (const [list, name] of names) addName(this.lists[list], name, by);
  }
}

function addName(seen: Map<string, Seen>, name: string, by: string | undefined): void {
  const counted = seen.has(name) || seen.size < WAITING_NAMES ? name : OTHER;
  const known = seen.get(counted);
  seen.set(counted, { views: (known?.views ?? 0) + 1, by: known?.by ?? by });
}

/**
 * Returns what is counted of a view. Its address and user agent end here: without the salt of the day, which is deleted, the hashes say
 * nothing about them, and those of two pages or two days cannot be compared.
 */
export function countedView(view: View, salt: Uint8Array | undefined): CountedView {
  const { page, address, userAgent, isBot, status, names } = view;
  const digest = (...parts: readonly string[]) =>
    salt && createHmac('sha256', salt).update(JSON.stringify(parts)).digest();
  const visitor = digest(page, address, userAgent);
  return {
    isBot,
    status,
    names,
    visitor: visitor && visitorHash(visitor),
    by: digest(page, address)?.toString('base64url').slice(0, 8),
  };
}
