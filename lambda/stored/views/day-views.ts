import { VIEWS_DAYS } from '../../contract/limits.ts';
import { visitorHash } from './visitors.ts';

/** The views of a page in a UTC day are one item: the id of the deployment, and the day as `YYYY-MM-DD`. */
export interface DayKey {
  readonly page: string;
  readonly day: string;
}

/** For how long the views of a day are kept. */
export const VIEWS_KEPT_DAYS = VIEWS_DAYS.most;

/** The names that an item counts one by one, each list with its own room; views of other names are counted together. */
export const LISTS = {
  /** Paths that name a file of the site. */
  pages: { prefix: 'p:', room: 50 },
  /** Other paths, which strangers can invent: a fallback of the site responded. */
  fallbacks: { prefix: 'f:', room: 25 },
  /** Hosts of the sites that refer to the page. */
  referrers: { prefix: 'r:', room: 50 },
} as const;

export type ListName = keyof typeof LISTS;

/** The name in a list under which all other names are counted. */
export const OTHER = '';

/** Prefixes of the other attributes that an item can have several of. */
export const PREFIX = {
  /** Views by status. */
  status: 's:',
  /** How many names an address introduced, by the hash of the address. */
  introduced: 'i:',
  /** The last write of the instances that share a slot. */
  write: 'w:',
} as const;

export type Counts = ReadonlyMap<string, number>;

/** The views of a page in a day, as they are stored. */
export interface DayViews {
  readonly day: string;
  /** Without those of bots. */
  readonly views: number;
  readonly bots: number;
  /** Hashes of visitors, and the level of the sample. An instance that knew an earlier level may have added others. */
  readonly visitors: ReadonlySet<number>;
  readonly level: number;
  readonly statuses: Counts;
  readonly lists: Readonly<Record<ListName, Counts>>;
  readonly introduced: Counts;
  /** Names that were introduced in all lists, also those that others replaced. Each write that changes names requires it. */
  readonly names: number;
  readonly writes: ReadonlyMap<string, string>;
}

/** Returns the views that an item has; none without one. */
export function toDayViews(item: Readonly<Record<string, unknown>> = {}): DayViews {
  const named = <Value = number>(prefix: string) =>
    new Map(
      Object.entries(item).flatMap(([name, value]) =>
        name.startsWith(prefix) ? [[name.slice(prefix.length), value as Value]] : [],
      ),
    );
  const { day = '', views = 0, bots = 0, level = 0, names = 0 } = item as Partial<DayViews>;
  return {
    day,
    views,
    bots,
    level,
    names,
    visitors: new Set([...((item.visitors ?? []) as Iterable<Uint8Array>)].map(visitorHash)),
    statuses: named(PREFIX.status),
    lists: {
      pages: named(LISTS.pages.prefix),
      fallbacks: named(LISTS.fallbacks.prefix),
      referrers: named(LISTS.referrers.prefix),
    },
    introduced: named(PREFIX.introduced),
    writes: named<string>(PREFIX.write),
  };
}

/** Returns when DynamoDB may delete the views of a day, in Unix seconds. */
export function viewsExpireAt(day: string): number {
  return Date.parse(day) / 1_000 + (VIEWS_KEPT_DAYS + 1) * 86_400;
}
