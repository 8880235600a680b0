import { RATE_LIMIT } from '../contract/limits.ts';
import { type Clock, DAY_MS, dayOf } from '../platform/clock.ts';
import { Table, unlessConditionFails } from '../platform/dynamodb.ts';
import { RecentlyUsed } from '../platform/recently-used.ts';
import { keptUntil, type LimitsTable, SharedCounter, type Tally } from './shared-counter.ts';

/** A caller's remaining rate limit in the current window. */
export interface Quota {
  readonly limit: number;
  readonly windowSeconds: number;
  /** True if the counted request is within the limit. */
  readonly allowed: boolean;
  readonly remaining: number;
  /** Unix milliseconds when the window ends. */
  readonly resetAt: number;
  /** Whole seconds until then, rounded up, at least 1. */
  readonly secondsLeft: number;
}

/** The quota after a request, and the bytes that the caller has stored in the UTC day, with those of the request. */
interface Counted extends Quota {
  readonly bytesToday: number;
}

/** A fixed window: the time of its first request (Unix milliseconds), and the number of its requests. */
interface Window {
  readonly start: number;
  readonly count: number;
}

/** A window as it is stored, with the bytes of days. */
type StoredWindow = Window & { readonly [name: `bytes#${string}`]: number | undefined };

/** Counts in the current window, or in the first one of a new caller. */
const COUNT = {
  UpdateExpression: 'SET #start = if_not_exists(#start, :now), expiresAt = :expiresAt ADD #count :one, #bytes :bytes',
  ConditionExpression: 'attribute_not_exists(#start) OR #start > :deadBefore',
};

/** Replaces an ended window by a new one. */
const REPLACE = {
  UpdateExpression: 'SET #start = :now, expiresAt = :expiresAt, #count = :one REMOVE #yesterday ADD #bytes :bytes',
  ConditionExpression: '#start <= :deadBefore',
};

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
  readonly #table: Table;
  readonly #clock: Clock;
  readonly #windowSeconds: number;
  readonly #known = new RecentlyUsed<StoredWindow>(CACHED);
  readonly #readLimit: number;
  readonly #reads: SharedCounter;

  /** @param reads how many requests that do not count otherwise a caller may send per window */
  constructor(
    limits: LimitsTable,
    { windowSeconds, reads = RATE_LIMIT.reads }: { readonly windowSeconds: number; readonly reads?: number },
  ) {
    this.#table = new Table(limits.db, limits.table);
    this.#clock = limits.clock;
    this.#windowSeconds = windowSeconds;
    this.#readLimit = reads;
    const batch = Math.min(READS_BATCH, reads);
    this.#reads = new SharedCounter(limits, { name: 'reads', windowSeconds, limit: reads, batch });
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
    this.#known.set(caller, window);
    return this.#counted(window, limit);
  }

  /**
   * Counts bytes that a request is going to store beyond those with which it was counted.
   * @returns the bytes of the UTC day
   * @throws the SDK's error if the table cannot be written
   */
  async addBytes(caller: string, bytes: number): Promise<number> {
    const now = this.#clock();
    const counted = await this.#table.update(
      { caller },
      {
        UpdateExpression: 'SET expiresAt = :expiresAt ADD #bytes :bytes',
        ExpressionAttributeNames: { '#bytes': bytesOn(now) },
        ExpressionAttributeValues: { ':bytes': bytes, ':expiresAt': keptUntil(now, this.#windowSeconds) },
        ReturnValues: 'UPDATED_NEW',
      },
    );
    return Number(counted[bytesOn(now)]);
  }

  /**
   * Counts a request that does not count against `limit`, and returns the quota of the requests that do. With too many
   * reads, `allowed` is false, and the quota is that of reads. Reads the table, eventually consistent, unless this
   * instance knows that the caller is over the limit of reads.
   */
  async read(caller: string, limit: number): Promise<Quota> {
    const counted = await this.#reads.count(caller);
    if (!counted.allowed) return this.#quotaOfReads(counted);
    const window = await this.#table.get<Window & Record<string, unknown>>({ caller }, false);
    const known = this.#reads.note(caller, window);
    if (!known.allowed) return this.#quotaOfReads(known);
    const live = window && window.start > this.#deadBefore() ? window : { start: this.#clock(), count: 0 };
    return { ...this.#quota(live, limit), allowed: true };
  }

  /** @param ended true if the caller's last window is known to have ended, so that the first write replaces it */
  async #countInTable(caller: string, ended: boolean, bytes: number): Promise<StoredWindow> {
    for (let attempt = 0; attempt < ROUNDS * 2; attempt++) {
      const replaces = ended === (attempt % 2 === 0);
      const window = await this.#update(caller, bytes, replaces ? REPLACE : COUNT);
      if (window) return window;
    }
    throw new Error(`The rate limit window of ${caller} could not be opened`);
  }

  /** Returns the window after the update; undefined if the condition of the update fails. */
  async #update(caller: string, bytes: number, expressions: typeof COUNT): Promise<StoredWindow | undefined> {
    const now = this.#clock();
    const names = { '#count': 'count', '#start': 'start', '#bytes': bytesOn(now) };
    const update = this.#table.update(
      { caller },
      {
        ...expressions,
        // DynamoDB rejects names that no expression uses.
        ExpressionAttributeNames: expressions === REPLACE ? { ...names, '#yesterday': bytesOn(now - DAY_MS) } : names,
        ExpressionAttributeValues: {
          ':one': 1,
          ':now': now,
          ':bytes': bytes,
          ':deadBefore': this.#deadBefore(now),
          // DynamoDB's TTL deletes lazily: whether a window has ended is computed from its start.
          ':expiresAt': keptUntil(now, this.#windowSeconds),
        },
        ReturnValues: 'ALL_NEW',
      },
    );
    return (await unlessConditionFails(update)) as StoredWindow | undefined;
  }

  /** Windows that started at this time or earlier have ended. */
  #deadBefore(now = this.#clock()): number {
    return now - this.#windowSeconds * 1000;
  }

  #counted(window: StoredWindow, limit: number): Counted {
    const bytesToday = window[bytesOn(this.#clock())] ?? 0;
    return { ...this.#quota(window, limit), bytesToday };
  }

  #quotaOfReads({ total, resetAt }: Tally): Quota {
    const window = { start: resetAt - this.#windowSeconds * 1000, count: total };
    return this.#quota(window, this.#readLimit);
  }

  #quota({ start, count }: Window, limit: number): Quota {
    const resetAt = start + this.#windowSeconds * 1000;
    return {
      limit,
      windowSeconds: this.#windowSeconds,
      allowed: count <= limit,
      remaining: Math.max(0, limit - count),
      resetAt,
      secondsLeft: Math.max(1, Math.ceil((resetAt - this.#clock()) / 1000)),
    };
  }
}

/** Returns the attribute with the bytes of the UTC day of a time. */
const bytesOn = (now: number) => `bytes#${dayOf(now)}` as const;
