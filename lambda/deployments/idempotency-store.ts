import { createHash } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { ApiError } from '../contract/errors.ts';
import type { Clock } from '../platform/clock.ts';
import { Table, unlessConditionFails } from '../platform/dynamodb.ts';
import { ItemUpdate } from '../platform/item-update.ts';
import { log } from '../platform/log.ts';
import { newVersionName, randomDeploymentId } from '../stored/deployment.ts';

/** The version of a deploy and, without a projectId, its deployment id. */
export interface DeploymentNames {
  readonly id: string;
  readonly version: string;
}

export function newDeploymentNames(): DeploymentNames {
  return { id: randomDeploymentId(), version: newVersionName() };
}

/** The item of a key. `answer` is the result, once there is one. */
interface IdempotencyItem<Result> {
  readonly fingerprint: string;
  readonly names: DeploymentNames;
  readonly answer?: Result;
}

const KEPT_SECONDS = 86_400;

/**
 * Performs an operation once per idempotency key and keeps its result for a day. The names of what it creates are drawn
 * when the key is claimed, so a retry after a crash repeats the same change instead of making a second one.
 */
export class IdempotencyStore {
  readonly #table: Table;
  readonly #clock: Clock;

  constructor(db: DynamoDBDocumentClient, table: string, clock: Clock) {
    this.#table = new Table(db, table);
    this.#clock = clock;
  }

  /**
   * @param key the parts that make it unique, such as caller and header; only a digest is stored
   * @param fingerprint differs between different requests
   * @throws ApiError idempotency_mismatch for a key with another fingerprint, and the errors of `perform`
   */
  async perform<Result>(
    key: readonly string[],
    fingerprint: string,
    perform: (names: DeploymentNames) => Promise<Result>,
  ): Promise<Result> {
    const id = `once:${createHash('sha256').update(JSON.stringify(key)).digest('base64url')}`;
    const claimed = await this.#claim<Result>(id, { fingerprint, names: newDeploymentNames() });
    if (claimed.fingerprint !== fingerprint)
      throw new ApiError('idempotency_mismatch', 'This Idempotency-Key was used for another request: send a new one');
    if (claimed.answer !== undefined) return claimed.answer;
    const result = await perform(claimed.names);
    // Errors are only logged: a retry repeats the same change.
    await this.#table
      .update({ id }, new ItemUpdate().set('answer', result).input)
      .catch((error: unknown) => log.error('result not stored', { id, error }));
    return result;
  }

  /** Claims a key. @returns the item of the first claim */
  async #claim<Result>(id: string, claim: IdempotencyItem<Result>): Promise<IdempotencyItem<Result>> {
    const now = Math.floor(this.#clock() / 1000);
    const item = { id, ...claim, expiresAt: now + KEPT_SECONDS };
    const unclaimed = {
      // DynamoDB deletes expired items within days, not at once.
      ConditionExpression: 'attribute_not_exists(id) OR expiresAt < :now',
      ExpressionAttributeValues: { ':now': now },
    };
    if (await unlessConditionFails(this.#table.put(item, unclaimed))) return claim;
    return (await this.#table.get<IdempotencyItem<Result>>({ id })) ?? claim;
  }
}
