import { type DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { Table, unlessConditionFails } from '../platform/dynamodb.ts';
import type { ApiKey } from './api-key.ts';

/** The table of API keys. */
export class KeyStore {
  readonly #table: Table;

  constructor(db: DynamoDBDocumentClient, table: string) {
    this.#table = new Table(db, table);
  }

  /** Returns a key by its id. Reads consistently, so that a cached result does not prolong a revoked key's life. */
  find(id: string): Promise<ApiKey | undefined> {
    return this.#table.get({ id });
  }

  async add(key: ApiKey): Promise<void> {
    await this.#table.put(key, { ConditionExpression: 'attribute_not_exists(id)' });
  }

  /**
   * Writes a key with a fixed id, replacing the previous one.
   * @throws ConditionalCheckFailedException if the previous one was revoked
   */
  async renew(key: ApiKey): Promise<void> {
    await this.#table.put(key, { ConditionExpression: 'attribute_not_exists(revokedAt)' });
  }

  /** Returns all keys, with a scan: only for the operator's command. */
  async list(): Promise<ApiKey[]> {
    const keys: ApiKey[] = [];
    for await (const { Items } of paginateScan({ client: this.#table.db }, { TableName: this.#table.name }))
      keys.push(...((Items ?? []) as ApiKey[]));
    return keys;
  }

  /** Revokes a key permanently; idempotent. @throws ConditionalCheckFailedException if the key does not exist */
  revoke(id: string, now: number): Promise<void> {
    return this.#set(id, 'revokedAt = if_not_exists(revokedAt, :now)', { ':now': now });
  }

  /**
   * Replaces `old` by `successor`; `old` then expires at `end`, or earlier if it already had to. After an error, retry
   * with a new successor.
   * @returns the updated old key; undefined if it was rotated or revoked concurrently
   */
  async replace(old: ApiKey, successor: ApiKey, end: number): Promise<ApiKey | undefined> {
    // In this order, a failure in between leaves the old key valid, and a new one whose secret nobody knows.
    await this.add(successor);
    const { id, createdAt } = successor;
    const set = this.#set(
      old.id,
      'successor = :successor, rotatedAt = :now, expiresAt = :end',
      { ':successor': id, ':now': createdAt, ':end': Math.min(end, old.expiresAt ?? end) },
      // One of concurrent rotations and revocations wins.
      'attribute_not_exists(rotatedAt) AND attribute_not_exists(revokedAt)',
    );
    await unlessConditionFails(set);
    // Read back: if the SDK retried the write after a lost response, its condition failed although it took effect.
    const current = await this.find(old.id);
    if (current?.successor === id) return current;
    await this.#table.delete({ id });
    return undefined;
  }

  async #set(
    id: string,
    assignments: string,
    values: Record<string, string | number>,
    ...conditions: string[]
  ): Promise<void> {
    await this.#table.update(
      { id },
      {
        UpdateExpression: `SET ${assignments}`,
        ConditionExpression: ['attribute_exists(id)', ...conditions].join(' AND '),
        ExpressionAttributeValues: values,
      },
    );
  }
}
