import { randomBytes } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { Table, unlessConditionFails } from '../platform/dynamodb.ts';

/** The secrets of an owner, as `whsec_` and base64. */
interface WebhookSecrets {
  readonly secret: string;
  /** The one before the last rotation. Notifications are also signed with it until then, in Unix milliseconds. */
  readonly former?: string;
  readonly formerUntil?: number;
}

/** The table of the secrets that sign notifications, by owner. */
export class WebhookSecretStore {
  readonly #table: Table;

  constructor(db: DynamoDBDocumentClient, table: string) {
    this.#table = new Table(db, table);
  }

  /** Returns the secrets of an owner, whose first call creates one. */
  get(owner: string): Promise<WebhookSecrets> {
    return this.#set(owner, 'secret = if_not_exists(secret, :new)');
  }

  /**
   * Replaces the secret of an owner; once, also if the response is lost and the SDK repeats the write.
   * @param until when the replaced one no longer signs, in Unix milliseconds
   */
  async rotate(owner: string, until: number): Promise<WebhookSecrets> {
    await this.get(owner);
    const assignments = 'former = secret, formerUntil = :until, secret = :new';
    const rotated = this.#set(owner, assignments, { ':until': until }, 'secret <> :new');
    return (await unlessConditionFails(rotated)) ?? this.get(owner);
  }

  async #set(owner: string, assignments: string, values: object = {}, condition?: string): Promise<WebhookSecrets> {
    const secrets: unknown = await this.#table.update(
      { owner },
      {
        UpdateExpression: `SET ${assignments}`,
        ConditionExpression: condition,
        ExpressionAttributeValues: { ...values, ':new': `whsec_${randomBytes(32).toString('base64')}` },
        ReturnValues: 'ALL_NEW',
      },
    );
    return secrets as WebhookSecrets;
  }
}
