import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  paginateScan,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { unlessConditionFails } from '../platform/dynamodb.ts';
import type { ApiKey } from './api-key.ts';

/** The table of keys, by id. */
export class KeyStore {
  readonly #db: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(db: DynamoDBDocumentClient, table: string) {
    this.#db = db;
    this.#table = table;
  }

  /** As of now: what is kept of an older answer would outlive a revocation by more than it may. */
  async find(id: string): Promise<ApiKey | undefined> {
    const get = new GetCommand({ TableName: this.#table, Key: { id }, ConsistentRead: true });
    const { Item } = await this.#db.send(get);
    return Item as ApiKey | undefined;
  }

  async add(key: ApiKey): Promise<void> {
    await this.#db.send(
      new PutCommand({ TableName: this.#table, Item: key, ConditionExpression: 'attribute_not_exists(id)' }),
    );
  }

  /** Every key; for the operator's command, never for a request. */
  async list(): Promise<ApiKey[]> {
    const keys: ApiKey[] = [];
    for await (const { Items } of paginateScan({ client: this.#db }, { TableName: this.#table }))
      keys.push(...((Items ?? []) as ApiKey[]));
    return keys;
  }

  /** Revokes for good; again is fine. @throws ConditionalCheckFailedException when there is no such key */
  revoke(id: string, now: number): Promise<void> {
    return this.#set(id, 'revokedAt = if_not_exists(revokedAt, :now)', { ':now': now });
  }

  /**
   * Lets `successor` take the place of `old`, which from then on expires at `end`, or when it would have anyway if that
   * is sooner. Repeat it when it fails, with a new successor.
   * @returns the old key as it is now; undefined when another rotation or a revocation was first
   */
  async replace(old: ApiKey, successor: ApiKey, end: number): Promise<ApiKey | undefined> {
    // In this order a failure in between leaves the owner with a key that works, beside one whose secret nobody has.
    await this.add(successor);
    await this.#noteSuccessor(old, successor, end);
    // The note says whose it is: it may be ours and yet refused, when its first answer was lost and it was sent again.
    const current = await this.find(old.id);
    if (current?.successor === successor.id) return current;
    await this.#db.send(new DeleteCommand({ TableName: this.#table, Key: { id: successor.id } }));
    return undefined;
  }

  /** One conditional write decides between rotations at once, and between a rotation and a revocation. */
  async #noteSuccessor(old: ApiKey, { id, createdAt }: ApiKey, end: number): Promise<void> {
    await unlessConditionFails(
      this.#set(
        old.id,
        'successor = :successor, rotatedAt = :now, expiresAt = :end',
        { ':successor': id, ':now': createdAt, ':end': Math.min(end, old.expiresAt ?? end) },
        'attribute_not_exists(rotatedAt) AND attribute_not_exists(revokedAt)',
      ),
    );
  }

  async #set(
    id: string,
    assignments: string,
    values: Record<string, string | number>,
    ...conditions: string[]
  ): Promise<void> {
    await this.#db.send(
      new UpdateCommand({
        TableName: this.#table,
        Key: { id },
        UpdateExpression: `SET ${assignments}`,
        ConditionExpression: ['attribute_exists(id)', ...conditions].join(' AND '),
        ExpressionAttributeValues: values,
      }),
    );
  }
}
