import type { AssetRequest } from '../contract/assets.ts';

/** A user asset: described by its owner, uploaded to S3 by whoever holds its upload URL. */
export interface Asset {
  readonly asset_id: string;
  readonly state: 'pending' | 'uploaded';
  /** Id of the API key that made it; to everybody else the asset does not exist. */
  readonly owner: string;
  readonly attributes: NonNullable<AssetRequest['attributes']>;
  readonly entity_type?: string | undefined;
  /** Unix milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
}
