import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { AssetRequest } from '../contract/assets.ts';
import type { Asset } from './asset.ts';

/** The table of assets. */
export class AssetStore {
  readonly #db: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(db: DynamoDBDocumentClient, table: string) {
    this.#db = db;
    this.#table = table;
  }

  async create(asset: Asset): Promise<void> {
    await this.#db.send(
      new PutCommand({
        TableName: this.#table,
        Item: asset,
        ConditionExpression: 'attribute_not_exists(asset_id)',
      }),
    );
  }

  /**
   * Marks an asset as uploaded and sets the attributes that were sent; the others stay. One write, whatever was sent.
   * @returns false when there is no such asset, or it is another owner's
   */
  async markUploaded(assetId: string, owner: string, change: AssetRequest, now: number): Promise<boolean> {
    const attributes = Object.entries(change.attributes ?? {});
    const sets = [
      '#state = :uploaded',
      'updatedAt = :now',
      ...(change.entity_type === undefined ? [] : ['entity_type = :entityType']),
      ...attributes.map(([name]) => `attributes.#${name} = :${name}`),
    ];
    try {
      await this.#db.send(
        new UpdateCommand({
          TableName: this.#table,
          Key: { asset_id: assetId },
          UpdateExpression: `SET ${sets.join(', ')}`,
          ConditionExpression: '#owner = :owner',
          ExpressionAttributeNames: {
            '#state': 'state',
            '#owner': 'owner',
            ...Object.fromEntries(attributes.map(([name]) => [`#${name}`, name])),
          },
          ExpressionAttributeValues: {
            ':uploaded': 'uploaded',
            ':now': now,
            ':owner': owner,
            ...(change.entity_type === undefined ? {} : { ':entityType': change.entity_type }),
            ...Object.fromEntries(attributes.map(([name, value]) => [`:${name}`, value])),
          },
        }),
      );
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  }
}
