import {
  type AssetAttributes,
  type AssetRequest,
  PENDING_ASSET,
  type ShownAsset,
} from '../contract/assets.ts';

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

/** Returns a new pending asset; `now` is in Unix milliseconds. */
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

/** Returns the body of a response about the asset. */
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
