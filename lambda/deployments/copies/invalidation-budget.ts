import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unlessConditionFails } from '../../platform/dynamodb.ts';
import { emitMetrics } from '../../platform/log.ts';

/** After the month that an item counts, in seconds. */
const KEPT_SECONDS = 62 * 86_400;

/**
 * The invalidations that deletions may make in a calendar month, in UTC. AWS charges for each beyond 1,000 a month in an
 * account, and anybody can create and delete deployments.
 * https://aws.amazon.com/cloudfront/pricing/
 */
export class InvalidationBudget {
  readonly #db: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #limit: number;
  /** The last month of which this instance knows that nothing is left. */
  #spent = '';

  /** @param table of deployments, whose ids have no colon */
  constructor(db: DynamoDBDocumentClient, table: string, limit: number) {
    this.#db = db;
    this.#table = table;
    this.#limit = limit;
  }

  /**
   * Takes invalidations with one write.
   * @param now in Unix milliseconds
   * @param count each cache tag of each distribution and tenant is one
   * @returns whether as many were left
   */
  async take(now: number, count = 1): Promise<boolean> {
    const month = new Date(now).toISOString().slice(0, 7);
    if (this.#spent === month || this.#limit < count) return false;
    const taken = await unlessConditionFails(
      this.#db.send(
        new UpdateCommand({
          TableName: this.#table,
          Key: { id: `invalidations:${month}` },
          UpdateExpression: 'SET expiresAt = if_not_exists(expiresAt, :expiresAt) ADD made :count',
          ConditionExpression: 'attribute_not_exists(made) OR made <= :room',
          ExpressionAttributeValues: {
            ':expiresAt': Math.floor(now / 1_000) + KEPT_SECONDS,
            ':count': count,
            ':room': this.#limit - count,
          },
          ReturnValues: 'UPDATED_NEW',
        }),
      ),
    );
    if (taken === undefined && count === 1) this.#spent = month;
    const made = Number(taken?.Attributes?.made ?? this.#limit);
    emitMetrics('Percent', { InvalidationsUsed: (100 * made) / this.#limit });
    return taken !== undefined;
  }
}
