import {
  type AssetAttributes,
  type AssetRequest,
  PENDING_ASSET,
  type ShownAsset,
} from '../contract/assets.ts';

/** The record of a user asset: described by its owner, uploaded to S3 by whoever holds its upload URL. */
export interface Asset {
  readonly asset_id: string;
  readonly state: 'pending' | 'uploaded';
  /** Id of the caller that made it; to everybody else the asset does not exist. */
  readonly owner: string;
  /** What the owner says of it; once it is uploaded, type and size are what S3 has. */
  readonly attributes: AssetAttributes;
  readonly entity_type?: string | undefined;
  /** Unix milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Unix seconds, as DynamoDB's TTL has them: a pending asset does not exist from then on. */
  readonly expiresAt?: number;
}

/** A new asset of `owner`, pending; `now` is in Unix milliseconds. */
export function pendingAsset(
  asset_id: string,
  owner: string,
  { attributes = {}, entity_type }: AssetRequest,
  now: number,
): Asset {
  return {
    asset_id,
    state: 'pending',
    owner,
    attributes,
    entity_type,
    createdAt: now,
    updatedAt: now,
    expiresAt: Math.floor(now / 1000) + PENDING_ASSET.days * 86_400,
  };
}

/** The asset as its owner sees it. */
export function shownAsset(asset: Asset): ShownAsset {
  const { asset_id, state, attributes, entity_type, createdAt, updatedAt } = asset;
  return {
    asset_id,
    state,
    attributes,
    ...(entity_type === undefined ? {} : { entity_type }),
    created_at: createdAt,
    updated_at: updatedAt,
  };
}
