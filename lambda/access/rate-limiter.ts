import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../platform/clock.ts';
import { type Quota, quotaOf, type Window } from './quota.ts';

export interface RateLimiterPorts {
  readonly db: DynamoDBDocumentClient;
  readonly table: string;
  readonly clock: Clock;
  readonly windowSeconds: number;
}

/** How many callers over their limit are remembered; the oldest is forgotten first and counted by the table again. */
const REMEMBERED = 10_000;

/** Races to open one window that are retried before the limiter gives up; each round one of the racers wins. */
const ROUNDS = 5;

/**
 * A fixed-window rate limiter in DynamoDB, exact under concurrency. A caller's window opens with its first
 * request and ends `windowSeconds` later. A request in a live window costs one conditional write; one that
 * opens a window costs a second; one of a caller that is known to be over its limit costs none.
 */
export class RateLimiter {
  readonly #ports: RateLimiterPorts;
  readonly #exceeded = new Map<string, Window>();

  constructor(ports: RateLimiterPorts) {
    this.#ports = ports;
  }

  /**
   * Counts a request of `caller` and says whether it is within `limit`.
   * @throws the SDK's error when the table cannot be written, except for the conditions that are part of counting
   */
  async count(caller: string, limit: number): Promise<Quota> {
    const remembered = this.#exceededWindow(caller, limit);
    const window = remembered ?? (await this.#countInTable(caller));
    if (window.count > limit) this.#remember(caller, window);
    return this.#quota(window, limit);
  }

  /** What `caller` has left, without counting; one eventually consistent read. */
  async peek(caller: string, limit: number): Promise<Quota> {
    const { db, table, clock } = this.#ports;
    const { Item } = await db.send(new GetCommand({ TableName: table, Key: { caller } }));
    const live = Item && Item.start > this.#deadBefore() ? (Item as Window) : { start: clock(), count: 0 };
    return this.#quota(live, limit);
  }

  async #countInTable(caller: string): Promise<Window> {
    for (let round = 1; ; round++) {
      const window = (await this.#countInLiveWindow(caller)) ?? (await this.#openWindow(caller));
      if (window) return window;
      if (round === ROUNDS) throw new Error(`The rate limit window of ${caller} could not be opened`);
    }
  }

  /** The window with this request in it; undefined when none is live. */
  #countInLiveWindow(caller: string): Promise<Window | undefined> {
    return this.#update(caller, {
      UpdateExpression: 'ADD #count :one',
      ConditionExpression: '#start > :deadBefore',
      ExpressionAttributeNames: { '#count': 'count', '#start': 'start' },
      ExpressionAttributeValues: { ':one': 1, ':deadBefore': this.#deadBefore() },
    });
  }

  /** A new window with this request as its first; undefined when another request opened one meanwhile. */
  #openWindow(caller: string): Promise<Window | undefined> {
    const now = this.#ports.clock();
    return this.#update(caller, {
      UpdateExpression: 'SET #count = :one, #start = :now, expiresAt = :expiresAt',
      ConditionExpression: 'attribute_not_exists(#start) OR #start <= :deadBefore',
      ExpressionAttributeNames: { '#count': 'count', '#start': 'start' },
      ExpressionAttributeValues: {
        ':one': 1,
        ':now': now,
        ':deadBefore': this.#deadBefore(now),
        // DynamoDB's TTL is in seconds and lazy; a window is dead by its start, long before it is deleted.
        ':expiresAt': Math.ceil(now / 1000) + this.#ports.windowSeconds * 2,
      },
    });
  }

  async #update(caller: string, update: Partial<ConstructorParameters<typeof UpdateCommand>[0]>) {
    try {
      const { Attributes } = await this.#ports.db.send(
        new UpdateCommand({
          TableName: this.#ports.table,
          Key: { caller },
          ReturnValues: 'ALL_NEW',
          ...update,
        }),
      );
      return Attributes as Window;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return undefined;
      throw error;
    }
  }

  /** A window that started at this time or earlier has ended. */
  #deadBefore(now = this.#ports.clock()): number {
    return now - this.#ports.windowSeconds * 1000;
  }

  #quota(window: Window, limit: number): Quota {
    return quotaOf(window, limit, this.#ports.windowSeconds, this.#ports.clock());
  }

  #exceededWindow(caller: string, limit: number): Window | undefined {
    const window = this.#exceeded.get(caller);
    if (!window) return undefined;
    if (window.start > this.#deadBefore() && window.count > limit) return window;
    this.#exceeded.delete(caller);
    return undefined;
  }

  #remember(caller: string, window: Window): void {
    this.#exceeded.set(caller, window);
    const [oldest] = this.#exceeded.keys();
    if (this.#exceeded.size > REMEMBERED && oldest !== undefined) this.#exceeded.delete(oldest);
  }
}
