import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type Clock, endOfDay } from '../platform/clock.ts';
import { Table, unlessConditionFails } from '../platform/dynamodb.ts';
import { log } from '../platform/log.ts';
import { RecentlyUsed } from '../platform/recently-used.ts';

/** The table of rate limits. */
export interface LimitsTable {
  readonly db: DynamoDBDocumentClient;
  readonly table: string;
  readonly clock: Clock;
}

export interface SharedCounterOptions {
  /** The attribute of the item that has the count of all instances; `<name>Window` has its window. */
  readonly name: string;
  /** Windows are aligned with the clock, so that instances agree on them without a call. */
  readonly windowSeconds: number;
  readonly limit: number;
  /** The amount that an instance counts before it shares the count. */
  readonly batch: number;
}

/** The state of a caller's count in the current window, as far as an instance knows it. */
export interface Tally {
  readonly total: number;
  readonly allowed: boolean;
  /** Unix milliseconds when the window ends. */
  readonly resetAt: number;
}

interface Counting {
  readonly window: number;
  /** The count of all instances when this one last knew it. */
  shared: number;
  /** The amount that this instance counted and has not shared. */
  pending: number;
}

/** Callers that an instance counts; the one that was counted least recently is evicted first. */
const CACHED = 10_000;

/** Lost races for a window before the counter gives up. */
const ROUNDS = 2;

/**
 * Returns until when an item of the table of rate limits is needed, in Unix seconds: to the end of its windows and of the
 * UTC day, whose bytes it has as well.
 */
export function keptUntil(now: number, windowSeconds: number): number {
  return Math.ceil(endOfDay(now) / 1000) + windowSeconds * 2;
}

/**
 * Counts what must not cost a write each. An instance counts in memory, and adds each full batch to the count of all
 * instances, in an item per caller. Beyond the limit it refuses from memory until the window ends.
 *
 * Exact for a caller whose requests reach one instance. One that spreads them over many instances gets at most `batch`
 * more per instance, and what an instance counts while a write is on its way. A caller below `batch` costs no write, and
 * others one per batch and one more per window.
 */
export class SharedCounter {
  readonly #table: Table;
  readonly #clock: Clock;
  readonly #options: SharedCounterOptions;
  readonly #counted = new RecentlyUsed<Counting>(CACHED);

  constructor({ db, table, clock }: LimitsTable, options: SharedCounterOptions) {
    this.#table = new Table(db, table);
    this.#clock = clock;
    this.#options = options;
  }

  /** Counts for `caller`, unless it is known to be over the limit. Errors of the table are only logged: each instance counts on. */
  async count(caller: string, amount = 1): Promise<Tally> {
    const counting = this.#of(caller);
    if (!this.#tally(counting).allowed) return this.#tally(counting);
    counting.pending += amount;
    if (counting.pending >= this.#options.batch) await this.#share(caller, counting);
    return this.#tally(counting);
  }

  /** Takes over the count of all instances from the caller's item, and returns what is known then. */
  note(caller: string, item: Readonly<Record<string, unknown>> = {}): Tally {
    const counting = this.#of(caller);
    const { name } = this.#options;
    if (item[`${name}Window`] === counting.window) this.#learn(counting, Number(item[name]));
    return this.#tally(counting);
  }

  async #share(caller: string, counting: Counting): Promise<void> {
    const amount = counting.pending;
    // Concurrent requests go on counting while the write is on its way.
    counting.pending = 0;
    counting.shared += amount;
    try {
      this.#learn(counting, await this.#add(caller, amount, counting.window));
    } catch (error) {
      counting.shared -= amount;
      counting.pending += amount;
      log.error('count not shared', { caller, name: this.#options.name, error });
    }
  }

  /** Adds to the count of all instances, and returns it. The first one in a window replaces that of the last window. */
  async #add(caller: string, amount: number, window: number): Promise<number> {
    for (let round = 0; round < ROUNDS; round++) {
      const total =
        (await this.#update(caller, amount, window, {
          UpdateExpression: 'SET expiresAt = :expiresAt ADD #total :amount',
          ConditionExpression: '#window = :window',
        })) ??
        (await this.#update(caller, amount, window, {
          UpdateExpression: 'SET #total = :amount, #window = :window, expiresAt = :expiresAt',
          ConditionExpression: 'attribute_not_exists(#window) OR #window < :window',
        }));
      if (total !== undefined) return total;
    }
    throw new Error(`The window of ${this.#options.name} could not be opened`);
  }

  async #update(
    caller: string,
    amount: number,
    window: number,
    expressions: { readonly UpdateExpression: string; readonly ConditionExpression: string },
  ): Promise<number | undefined> {
    const { name, windowSeconds } = this.#options;
    const update = this.#table.update(
      { caller },
      {
        ...expressions,
        ExpressionAttributeNames: { '#total': name, '#window': `${name}Window` },
        ExpressionAttributeValues: {
          ':amount': amount,
          ':window': window,
          ':expiresAt': keptUntil(this.#clock(), windowSeconds),
        },
        ReturnValues: 'UPDATED_NEW',
      },
    );
    return (await unlessConditionFails(update))?.[name] as number | undefined;
  }

  /** Responses of the table may come out of order, and a read may be a little old: a count never falls. */
  #learn(counting: Counting, total: number): void {
    counting.shared = Math.max(counting.shared, total);
  }

  #tally({ window, shared, pending }: Counting): Tally {
    const { limit, windowSeconds } = this.#options;
    const total = shared + pending;
    return { total, allowed: total <= limit, resetAt: (window + 1) * windowSeconds * 1000 };
  }

  #of(caller: string): Counting {
    const window = Math.floor(this.#clock() / 1000 / this.#options.windowSeconds);
    const known = this.#counted.get(caller);
    if (known?.window === window) return known;
    const counting = { window, shared: 0, pending: 0 };
    this.#counted.set(caller, counting);
    return counting;
  }
}
