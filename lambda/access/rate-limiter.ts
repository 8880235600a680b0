import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { RATE_LIMIT } from '../contract/limits.ts';
import type { Clock } from '../platform/clock.ts';
import { unlessConditionFails } from '../platform/dynamodb.ts';
import { keptUntil } from './kept-until.ts';
import { SharedCounter, type Tally } from './shared-counter.ts';

/** A caller's remaining rate limit in the current window. */
export interface Quota {
  readonly limit: number;
  readonly windowSeconds: number;
  /** Whether the counted request is within the limit. */
  readonly allowed: boolean;
  readonly remaining: number;
  /** Unix milliseconds when the window ends. */
  readonly resetAt: number;
  /** Whole seconds until then, rounded up, at least 1. */
  readonly secondsLeft: number;
}

/** A fixed window: the time of its first request (Unix milliseconds), and the number of its requests. */
export interface Window {
  readonly start: number;
  readonly count: number;
}

/** Computes the quota that a window leaves of `limit` at the time `now`. */
export function quotaOf({ start, count }: Window, limit: number, windowSeconds: number, now: number): Quota {
  const resetAt = start + windowSeconds * 1000;
  return {
    limit,
    windowSeconds,
    allowed: count <= limit,
    remaining: Math.max(0, limit - count),
    resetAt,
    secondsLeft: Math.max(1, Math.ceil((resetAt - now) / 1000)),
  };
}

export interface WindowPorts {
  readonly db: DynamoDBDocumentClient;
  readonly table: string;
  readonly clock: Clock;
  readonly windowSeconds: number;
}

/** A window as it is stored, with the bytes of days by `bytes#<day>`. */
export type StoredWindow = Window & { readonly [name: `bytes#${string}`]: number | undefined };

/** The clauses of an update of a window. */
interface WindowUpdate {
  readonly SET: string;
  readonly REMOVE?: string;
  readonly ADD: readonly string[];
  readonly condition: string;
}

const DAY_MS = 86_400_000;

/** Returns the attribute with the bytes of the UTC day of a time. */
export function bytesOn(now: number): `bytes#${string}` {
  return `bytes#${new Date(now).toISOString().slice(0, 10)}`;
}

/** Counts in the current window, or the first one of a new caller; undefined if the window has ended. */
export function countInWindow(
  caller: string,
  bytes: number,
  ports: WindowPorts,
): Promise<StoredWindow | undefined> {
  const update = {
    SET: '#start = if_not_exists(#start, :now), expiresAt = :expiresAt',
    ADD: ['#count :one'],
    condition: 'attribute_not_exists(#start) OR #start > :deadBefore',
  };
  return updateWindow(caller, bytes, update, ports);
}

/** Replaces an ended window by a new one; undefined if no window has ended. */
export function replaceWindow(
  caller: string,
  bytes: number,
  ports: WindowPorts,
): Promise<StoredWindow | undefined> {
  const update = {
    SET: '#start = :now, expiresAt = :expiresAt, #count = :one',
    REMOVE: '#yesterday',
    ADD: [],
    condition: '#start <= :deadBefore',
  };
  return updateWindow(caller, bytes, update, ports);
}

async function updateWindow(
  caller: string,
  bytes: number,
  { SET, REMOVE, ADD, condition }: WindowUpdate,
  { db, table, windowSeconds, clock }: WindowPorts,
): Promise<StoredWindow | undefined> {
  const now = clock();
  const added = bytes > 0 ? [...ADD, '#bytes :bytes'] : ADD;
  const clauses = [
    `SET ${SET}`,
    ...(REMOVE === undefined ? [] : [`REMOVE ${REMOVE}`]),
    ...(added.length > 0 ? [`ADD ${added.join(', ')}`] : []),
  ];
  const update = new UpdateCommand({
    TableName: table,
    Key: { caller },
    UpdateExpression: clauses.join(' '),
    ConditionExpression: condition,
    // DynamoDB rejects names and values that no expression uses.
    ExpressionAttributeNames: {
      '#count': 'count',
      '#start': 'start',
      ...(bytes > 0 && { '#bytes': bytesOn(now) }),
      ...(REMOVE !== undefined && { '#yesterday': bytesOn(now - DAY_MS) }),
    },
    ExpressionAttributeValues: {
      ':one': 1,
      ':now': now,
      ...(bytes > 0 && { ':bytes': bytes }),
      ':deadBefore': now - windowSeconds * 1000,
      // DynamoDB's TTL deletes lazily: whether a window has ended is computed from its start.
      ':expiresAt': keptUntil(now, windowSeconds),
    },
    ReturnValues: 'ALL_NEW',
  });
  const output = await unlessConditionFails(db.send(update));
  return output?.Attributes as StoredWindow | undefined;
}

export interface RateLimiterPorts extends WindowPorts {
  /** How many requests that do not count otherwise a caller may send per window. Default: that of a stage. */
  readonly reads?: number;
}

/** What a request counts, and how many bytes the caller has stored in the UTC day, with those of the request. */
export interface Counted extends Quota {
  readonly bytesToday: number;
}

/** Callers whose windows an instance caches; the least recently counted is evicted first. */
const CACHED = 10_000;

/** Reads that an instance counts before it shares them: a 30th of the limit of a stage. */
const READS_BATCH = 20;

/** Lost races for a window before the limiter gives up; one request wins each round. */
const ROUNDS = 5;

/**
 * A fixed-window rate limiter in DynamoDB, exact under concurrency. A caller's window opens with its first request and
 * ends `windowSeconds` later. A request costs one conditional write; two if it follows an ended window that this
 * instance did not see; none if this instance knows that the caller is over its limit.
 */
export class RateLimiter {
  readonly #ports: RateLimiterPorts;
  readonly #known = new Map<string, StoredWindow>();
  readonly #readLimit: number;
  readonly #reads: SharedCounter;

  constructor(ports: RateLimiterPorts) {
    this.#ports = ports;
    const { windowSeconds, reads = RATE_LIMIT.reads } = ports;
    this.#readLimit = reads;
    const batch = Math.min(READS_BATCH, reads);
    this.#reads = new SharedCounter(ports, { name: 'reads', windowSeconds, limit: reads, batch });
  }

  /**
   * Counts a request of `caller` and returns whether it is within `limit`.
   * @param bytes how many the request is going to store
   * @throws the SDK's error if the table cannot be written
   */
  async count(caller: string, limit: number, bytes = 0): Promise<Counted> {
    const known = this.#known.get(caller);
    const isLive = known !== undefined && known.start > this.#deadBefore();
    if (isLive && known.count > limit) return this.#counted(known, limit);
    const window = await this.#countInTable(caller, known !== undefined && !isLive, bytes);
    this.#remember(caller, window);
    return this.#counted(window, limit);
  }

  /**
   * Counts a request that does not count against `limit`, and returns the quota of the requests that do. With too many
   * reads, `allowed` is false, and the quota is that of reads. Reads the table, eventually consistent, unless this instance knows
   * that the caller is over the limit of reads.
   */
  async read(caller: string, limit: number): Promise<Quota> {
    const { db, table, clock } = this.#ports;
    const counted = await this.#reads.count(caller);
    if (!counted.allowed) return this.#quotaOfReads(counted);
    const { Item } = await db.send(new GetCommand({ TableName: table, Key: { caller } }));
    const known = this.#reads.note(caller, Item);
    if (!known.allowed) return this.#quotaOfReads(known);
    const live = Item && Item.start > this.#deadBefore() ? (Item as Window) : { start: clock(), count: 0 };
    return { ...this.#quota(live, limit), allowed: true };
  }

  /** @param ended whether the caller's last window is known to have ended, so that the first write replaces it */
  async #countInTable(caller: string, ended: boolean, bytes: number): Promise<StoredWindow> {
    for (let attempt = 0; attempt < ROUNDS * 2; attempt++) {
      const replaces = ended === (attempt % 2 === 0);
      const window = await (replaces ? replaceWindow : countInWindow)(caller, bytes, this.#ports);
      if (window) return window;
    }
    throw new Error(`The rate limit window of ${caller} could not be opened`);
  }

  /** Windows that started at this time or earlier have ended. */
  #deadBefore(now = this.#ports.clock()): number {
    return now - this.#ports.windowSeconds * 1000;
  }

  #counted(window: StoredWindow, limit: number): Counted {
    const bytesToday = window[bytesOn(this.#ports.clock())] ?? 0;
    return { ...this.#quota(window, limit), bytesToday };
  }

  #quotaOfReads({ total, resetAt }: Tally): Quota {
    const { windowSeconds, clock } = this.#ports;
    const window = { start: resetAt - windowSeconds * 1000, count: total };
    return quotaOf(window, this.#readLimit, windowSeconds, clock());
  }

  #quota(window: Window, limit: number): Quota {
    return quotaOf(window, limit, this.#ports.windowSeconds, this.#ports.clock());
  }

  #remember(caller: string, window: StoredWindow): void {
    this.#known.delete(caller);
    this.#known.set(caller, window);
    const [oldest] = this.#known.keys();
    if (this.#known.size > CACHED && oldest !== undefined) this.#known.delete(oldest);
  }
}
