import { createHash } from 'node:crypto';
import { type DynamoDBDocumentClient, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { ApiError } from '../contract/errors.ts';
import type { Clock } from '../platform/clock.ts';
import { unlessConditionFails } from '../platform/dynamodb.ts';
import { log } from '../platform/log.ts';
import { newVersionName, randomDeploymentId } from '../sites/deployment-id.ts';

/** The id and the version that a deploy will have, unless a projectId says another id. */
export interface Names {
  readonly id: string;
  readonly version: string;
}

export function newNames(): Names {
  return { id: randomDeploymentId(), version: newVersionName() };
}

/** What stands under a key: what was asked for, what it is named, and once it is done, the answer. */
interface Record<Answer> {
  readonly fingerprint: string;
  readonly names: Names;
  readonly answer?: Answer;
}

const KEPT_SECONDS = 86_400;

/**
 * Performs what has a key once, and gives its answer again for a day. The names of what is made are drawn with the
 * claim of the key, so an attempt that follows one that died does the same over again rather than a second time.
 */
export class Once {
  readonly #db: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #clock: Clock;

  constructor(db: DynamoDBDocumentClient, table: string, clock: Clock) {
    this.#db = db;
    this.#table = table;
    this.#clock = clock;
  }

  /**
   * @param key whose and which; only its digest is stored
   * @param fingerprint tells whether a repetition asks for the same
   * @throws ApiError idempotency_mismatch when it does not, or what `perform` throws
   */
  async perform<Answer>(
    key: readonly string[],
    fingerprint: string,
    perform: (names: Names) => Promise<Answer>,
  ): Promise<Answer> {
    const id = `once:${createHash('sha256').update(JSON.stringify(key)).digest('base64url')}`;
    const record = await this.#claim<Answer>(id, { fingerprint, names: newNames() });
    if (record.fingerprint !== fingerprint)
      throw new ApiError(
        'idempotency_mismatch',
        'This Idempotency-Key was used for another request: send a new one',
      );
    if (record.answer !== undefined) return record.answer;
    const answer = await perform(record.names);
    // What was done stays done: without the note the next attempt finds that out by itself.
    await this.#note(id, answer).catch((error: unknown) => log.error('answer not kept', { id, error }));
    return answer;
  }

  async #note(id: string, answer: unknown): Promise<void> {
    await this.#db.send(
      new UpdateCommand({
        TableName: this.#table,
        Key: { id },
        UpdateExpression: 'SET answer = :answer',
        ExpressionAttributeValues: { ':answer': answer },
      }),
    );
  }

  /** The record of who came first. */
  async #claim<Answer>(id: string, record: Record<Answer>): Promise<Record<Answer>> {
    const now = Math.floor(this.#clock() / 1000);
    const claimed = await unlessConditionFails(
      this.#db.send(
        new PutCommand({
          TableName: this.#table,
          Item: { id, ...record, expiresAt: now + KEPT_SECONDS },
          // DynamoDB deletes what has expired within days, not at once.
          ConditionExpression: 'attribute_not_exists(id) OR expiresAt < :now',
          ExpressionAttributeValues: { ':now': now },
        }),
      ),
    );
    if (claimed) return record;
    const { Item } = await this.#db.send(
      new GetCommand({ TableName: this.#table, Key: { id }, ConsistentRead: true }),
    );
    return (Item ?? record) as Record<Answer>;
  }
}
