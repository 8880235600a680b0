import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type AssetAttributes, type AssetRequest, PENDING_ASSET } from '../contract/assets.ts';
import type { Clock } from '../platform/clock.ts';
import { type ItemPage, OwnedItems, type PageRequest, Table, unlessConditionFails } from '../platform/dynamodb.ts';
import { ItemUpdate } from '../platform/item-update.ts';

/** The record of a user asset. */
export interface Asset {
  readonly asset_id: string;
  readonly state: 'pending' | 'uploaded';
  /** Id of the caller that created it; for others the asset does not exist. */
  readonly owner: string;
  /** Set by the owner; once uploaded, type and size are those of the object in S3. */
  readonly attributes: AssetAttributes;
  readonly entity_type?: string | undefined;
  /** Unix milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Unix seconds, for DynamoDB's TTL: when a pending asset expires. */
  readonly expiresAt?: number;
}

/** The table of assets. */
export class AssetStore {
  readonly #table: Table;
  readonly #clock: Clock;
  readonly #items: OwnedItems;

  constructor(db: DynamoDBDocumentClient, table: string, clock: Clock) {
    this.#table = new Table(db, table);
    this.#clock = clock;
    this.#items = new OwnedItems(db, table, { id: 'asset_id', owner: 'owner' });
  }

  /** Creates a pending asset, which expires unless it is marked as uploaded. */
  async create(asset_id: string, owner: string, { attributes = {}, entity_type }: AssetRequest): Promise<void> {
    const now = this.#clock();
    const asset: Asset = {
      asset_id,
      state: 'pending',
      owner,
      attributes,
      entity_type,
      createdAt: now,
      updatedAt: now,
      expiresAt: Math.floor(now / 1000) + PENDING_ASSET.days * 86_400,
    };
    await this.#table.put(asset, { ConditionExpression: 'attribute_not_exists(asset_id)' });
  }

  /** Returns the asset; undefined if it does not exist, has expired or belongs to another owner. */
  async find(asset_id: string, owner: string): Promise<Asset | undefined> {
    const asset = await this.#table.get<Asset>({ asset_id });
    return asset?.owner === owner && !this.#isExpired(asset) ? asset : undefined;
  }

  /** Returns a page of an owner's assets, newest first. */
  async list(request: PageRequest): Promise<ItemPage<Asset>> {
    const { items, next } = await this.#items.page(request);
    const assets = items as unknown as Asset[];
    return { items: assets.filter((asset) => !this.#isExpired(asset)), next };
  }

  /** DynamoDB deletes expired items within days, not at once. */
  #isExpired({ expiresAt }: Asset): boolean {
    return expiresAt !== undefined && expiresAt * 1000 <= this.#clock();
  }

  /**
   * Marks an asset as uploaded, so that it no longer expires, and sets the given attributes, in one write.
   * @returns false if the asset does not exist or belongs to another owner
   */
  async markUploaded(asset_id: string, owner: string, change: AssetRequest): Promise<boolean> {
    const update = new ItemUpdate()
      .set('state', 'uploaded')
      .set('updatedAt', this.#clock())
      .remove('expiresAt')
      .require('owner', '% = ?', owner);
    if (change.entity_type !== undefined) update.set('entity_type', change.entity_type);
    for (const [name, value] of Object.entries(change.attributes ?? {})) update.set(['attributes', name], value);
    return (await unlessConditionFails(this.#table.update({ asset_id }, update.input))) !== undefined;
  }

  async delete(asset_id: string): Promise<void> {
    await this.#table.delete({ asset_id });
  }
}
