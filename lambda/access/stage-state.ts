import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../platform/clock.ts';
import { Table, unlessConditionFails } from '../platform/dynamodb.ts';
import { STAGE_KEY } from '../platform/env.ts';

/**
 * What a stage refuses: an operation that its operator closed, or a caller that has used up what it may spend or store in a
 * day. `<caller>` is a caller's id, `anonymous` for all callers without a credential, or `service` for everyone.
 */
export type Closure = 'all' | 'generate' | 'deploy' | 'data' | `budget/${string}` | `bytes/${string}`;

/** Reports what a stage refuses at the moment. */
export interface Closures {
  /** Returns until when something is closed, in Unix milliseconds; undefined if it is open. */
  closedUntil(closure: Closure): Promise<number | undefined>;
}

export interface StageItem {
  /** Until when, by `closed#<closure>`. */
  readonly [name: `closed#${string}`]: number | undefined;
  /** The SHA-256 of each secret that the distribution may send, in hexadecimal, once it has been rotated. */
  readonly originSecrets?: readonly string[];
  /** The SHA-256 of each secret that it may no longer send, even if a function has it from an earlier deployment. */
  readonly retiredOriginSecrets?: readonly string[];
  /** Counts the changes of both. */
  readonly originRevision?: number;
}

/** The digests of the secrets that the distribution may send, and of those that it may not send any more. */
export interface OriginSecretState {
  readonly accepted: readonly string[];
  readonly retired: readonly string[];
}

/** The item in the table of rate limits. */
const KEY = { caller: STAGE_KEY };

/** How old the state may be that an instance works with: a change is in effect everywhere within this time. */
const FRESH_MS = 10_000;

/**
 * The state of a stage that changes without a deployment, in one item of the table of rate limits. Each instance reads it at
 * most every ten seconds.
 */
export class StageState implements Closures {
  readonly #table: Table;
  readonly #clock: Clock;
  #read: Promise<StageItem> | undefined;
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(db: DynamoDBDocumentClient, table: string, clock: Clock) {
    this.#table = new Table(db, table);
    this.#clock = clock;
  }

  async closedUntil(closure: Closure): Promise<number | undefined> {
    const until = (await this.current())[`closed#${closure}`];
    return until !== undefined && until > this.#clock() ? until : undefined;
  }

  /** Returns the state, which is at most ten seconds old. @throws the SDK's error if the table cannot be read */
  current(): Promise<StageItem> {
    const now = this.#clock();
    if (this.#read === undefined || now - this.#readAt >= FRESH_MS) {
      this.#readAt = now;
      const read = this.read();
      this.#read = read;
      read.catch(() => {
        if (this.#read === read) this.#read = undefined;
      });
    }
    return this.#read;
  }

  /** Reads the state. @param consistent whether it includes writes of the last second for sure */
  async read(consistent = false): Promise<StageItem> {
    return (await this.#table.get<StageItem>(KEY, consistent)) ?? {};
  }

  /** Closes something until a time in Unix milliseconds. */
  async close(closure: Closure, until: number): Promise<void> {
    await this.#update('SET #name = :value', `closed#${closure}`, { ':value': until });
    this.#read = undefined;
  }

  /** Opens something that was closed. */
  async open(closure: Closure): Promise<void> {
    await this.#update('REMOVE #name', `closed#${closure}`);
    this.#read = undefined;
  }

  /**
   * Replaces the secrets that the distribution may send.
   * @param revision of the state that the caller has read
   * @returns false if it has changed since then
   */
  async replaceOriginSecrets(revision: number, { accepted, retired }: OriginSecretState): Promise<boolean> {
    const update = this.#table.update(KEY, {
      UpdateExpression: 'SET originSecrets = :accepted, retiredOriginSecrets = :retired, originRevision = :next',
      ConditionExpression: revision === 0 ? 'attribute_not_exists(originRevision)' : 'originRevision = :revision',
      ExpressionAttributeValues: {
        ':accepted': accepted,
        ':retired': retired,
        ':next': revision + 1,
        ...(revision > 0 && { ':revision': revision }),
      },
    });
    this.#read = undefined;
    return (await unlessConditionFails(update)) !== undefined;
  }

  async #update(expression: string, name: string, values?: Record<string, unknown>): Promise<void> {
    await this.#table.update(KEY, {
      UpdateExpression: expression,
      ExpressionAttributeNames: { '#name': name },
      ExpressionAttributeValues: values,
    });
  }
}
