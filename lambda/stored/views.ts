import { randomBytes } from 'node:crypto';
import { type DynamoDBDocumentClient, paginateQuery, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { VIEWS_DAYS } from '../contract/limits.ts';
import { dayOf } from '../platform/clock.ts';
import { Table } from '../platform/dynamodb.ts';
import { ItemUpdate } from '../platform/item-update.ts';

/** The views of a page in a UTC day are one item: the id of the deployment, and the day as `YYYY-MM-DD`. */
export interface DayKey {
  readonly page: string;
  readonly day: string;
}

/** For how long the views of a day are kept. */
const VIEWS_KEPT_DAYS = VIEWS_DAYS.most;

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

/**
 * Visitors are counted by a sample of their hashes, so that an item has room for any number of them. At level 0 every hash is
 * kept. When there are more than `CAPACITY`, the level rises, and with each level half of the hashes are kept: those that begin
 * with as many zero bits. Each hash of the sample then stands for 2^level visitors.
 *
 * Exact up to `CAPACITY` visitors, except for equal hashes. Beyond, the sample has between half of `CAPACITY` and all of it, and the
 * standard error is that of its size: 3.1 to 4.4 %.
 */
export const CAPACITY = 1_024;

const HASH_BITS = 48;
const HASH_BYTES = HASH_BITS / 8;

/** Returns the part of a digest that identifies a visitor, as a number of 48 bits. */
export function visitorHash(digest: Uint8Array): number {
  return Buffer.from(digest.buffer, digest.byteOffset, HASH_BYTES).readUIntBE(0, HASH_BYTES);
}

export function hashBytes(hash: number): Uint8Array {
  const bytes = Buffer.alloc(HASH_BYTES);
  bytes.writeUIntBE(hash, 0, HASH_BYTES);
  return bytes;
}

/** Returns whether a hash is in the sample of a level. */
export function isKept(hash: number, level: number): boolean {
  return hash < 2 ** (HASH_BITS - level);
}

/** Returns the lowest level, not below `level`, whose sample of the hashes fits. */
export function fittingLevel(hashes: Iterable<number>, level: number): number {
  const kept = [...hashes].filter((hash) => isKept(hash, level));
  return kept.length <= CAPACITY ? level : fittingLevel(kept, level + 1);
}

/** Returns the number of visitors that a sample stands for. */
export function estimatedVisitors(hashes: Iterable<number>, level: number): number {
  return [...hashes].filter((hash) => isKept(hash, level)).length * 2 ** level;
}

/** Returns the views of a page by day, earliest first, with an eventually consistent query. @param from, to both inclusive */
export async function readViews(
  db: DynamoDBDocumentClient,
  table: string,
  page: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<DayViews[]> {
  const days: DayViews[] = [];
  const pages = paginateQuery(
    { client: db },
    {
      TableName: table,
      KeyConditionExpression: 'page = :page AND #day BETWEEN :from AND :to',
      ExpressionAttributeNames: { '#day': 'day' },
      ExpressionAttributeValues: { ':page': page, ':from': from, ':to': to },
    },
  );
  for await (const { Items = [] } of pages) days.push(...Items.map(toDayViews));
  return days;
}

/** The partition of the salts, in the table of views. No deployment has this id. */
const SALTS = '#salt';

/** After the end of its day, for a day that nothing else deletes it. */
const KEPT_SECONDS = 3_600;

/**
 * Returns the salt of a day, which all instances share: the first one that asks creates it. It makes hashes of visitors that nobody
 * can compute again, or compare with those of another day, once it is deleted.
 */
export async function saltOf(db: DynamoDBDocumentClient, table: string, day: string): Promise<Uint8Array> {
  const { input } = new ItemUpdate()
    .setOnce('salt', randomBytes(32))
    .set('expiresAt', Date.parse(day) / 1_000 + 86_400 + KEPT_SECONDS);
  const salts = await new Table(db, table).update({ page: SALTS, day }, { ...input, ReturnValues: 'ALL_NEW' });
  return salts.salt as Uint8Array;
}

/**
 * Deletes the salts of the days before the current one (UTC). DynamoDB may take days to delete what has expired, so this is called
 * every hour.
 * @returns their number
 */
export async function deletePastSalts(db: DynamoDBDocumentClient, table: string, now: number): Promise<number> {
  const { Items = [] } = await db.send(
    new QueryCommand({
      TableName: table,
      KeyConditionExpression: 'page = :salts AND #day < :today',
      ProjectionExpression: '#day',
      ExpressionAttributeNames: { '#day': 'day' },
      ExpressionAttributeValues: { ':salts': SALTS, ':today': dayOf(now) },
      ConsistentRead: true,
    }),
  );
  await Promise.all(Items.map(({ day }) => new Table(db, table).delete({ page: SALTS, day })));
  return Items.length;
}
