import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../platform/clock.ts';
import { unlessConditionFails } from '../platform/dynamodb.ts';
import { type Quota, quotaOf, type Window } from './quota.ts';

export interface RateLimiterPorts {
  readonly db: DynamoDBDocumentClient;
  readonly table: string;
  readonly clock: Clock;
  readonly windowSeconds: number;
}

/** Callers whose windows an instance caches; the least recently counted is evicted first. */
const CACHED = 10_000;

/** Lost races for a window before the limiter gives up; one request wins each round. */
const ROUNDS = 5;

/**
 * A fixed-window rate limiter in DynamoDB, exact under concurrency. A caller's window opens with its first request and
 * ends `windowSeconds` later. A request costs one conditional write; two if it follows an ended window that this
 * instance did not see; none if this instance knows that the caller is over its limit.
 */
export class RateLimiter {
  readonly #ports: RateLimiterPorts;
  readonly #known = new Map<string, Window>();

  constructor(ports: RateLimiterPorts) {
    this.#ports = ports;
  }

  /**
   * Counts a request of `caller` and returns whether it is within `limit`.
   * @throws the SDK's error if the table cannot be written
   */
  async count(caller: string, limit: number): Promise<Quota> {
    const known = this.#known.get(caller);
    const isLive = known !== undefined && known.start > this.#deadBefore();
    if (isLive && known.count > limit) return this.#quota(known, limit);
    const window = await this.#countInTable(caller, known !== undefined && !isLive);
    this.#remember(caller, window);
    return this.#quota(window, limit);
  }

  /** Returns the quota of `caller` without counting, with an eventually consistent read. */
  async peek(caller: string, limit: number): Promise<Quota> {
    const { db, table, clock } = this.#ports;
    const { Item } = await db.send(new GetCommand({ TableName: table, Key: { caller } }));
    const live = Item && Item.start > this.#deadBefore() ? (Item as Window) : { start: clock(), count: 0 };
    return this.#quota(live, limit);
  }

  /** @param ended whether the caller's last window is known to have ended, so that the first write replaces it */
  async #countInTable(caller: string, ended: boolean): Promise<Window> {
    for (let attempt = 0; attempt < ROUNDS * 2; attempt++) {
      const replaces = ended === (attempt % 2 === 0);
      const window = await (replaces ? this.#replaceWindow(caller) : this.#countInWindow(caller));
      if (window) return window;
    }
    throw new Error(`The rate limit window of ${caller} could not be opened`);
  }

  /** Counts in the current window, or the first one of a new caller; undefined if the window has ended. */
  #countInWindow(caller: string): Promise<Window | undefined> {
    const now = this.#ports.clock();
    return this.#update(caller, now, {
      UpdateExpression:
        'SET #start = if_not_exists(#start, :now), expiresAt = if_not_exists(expiresAt, :expiresAt) ADD #count :one',
      ConditionExpression: 'attribute_not_exists(#start) OR #start > :deadBefore',
    });
  }

  /** Replaces an ended window by a new one; undefined if no window has ended. */
  #replaceWindow(caller: string): Promise<Window | undefined> {
    const now = this.#ports.clock();
    return this.#update(caller, now, {
      UpdateExpression: 'SET #start = :now, expiresAt = :expiresAt, #count = :one',
      ConditionExpression: '#start <= :deadBefore',
    });
  }

  async #update(
    caller: string,
    now: number,
    expressions: { readonly UpdateExpression: string; readonly ConditionExpression: string },
  ): Promise<Window | undefined> {
    const { db, table, windowSeconds } = this.#ports;
    const update = new UpdateCommand({
      TableName: table,
      Key: { caller },
      ...expressions,
      ExpressionAttributeNames: { '#count': 'count', '#start': 'start' },
      ExpressionAttributeValues: {
        ':one': 1,
        ':now': now,
        ':deadBefore': this.#deadBefore(now),
        // DynamoDB's TTL deletes lazily: whether a window has ended is computed from its start.
        ':expiresAt': Math.ceil(now / 1000) + windowSeconds * 2,
      },
      ReturnValues: 'ALL_NEW',
    });
    const output = await unlessConditionFails(db.send(update));
    return output?.Attributes as Window | undefined;
  }

  /** Windows that started at this time or earlier have ended. */
  #deadBefore(now = this.#ports.clock()): number {
    return now - this.#ports.windowSeconds * 1000;
  }

  #quota(window: Window, limit: number): Quota {
    return quotaOf(window, limit, this.#ports.windowSeconds, this.#ports.clock());
  }

  #remember(caller: string, window: Window): void {
    this.#known.delete(caller);
    this.#known.set(caller, window);
    const [oldest] = this.#known.keys();
    if (this.#known.size > CACHED && oldest !== undefined) this.#known.delete(oldest);
  }
}
