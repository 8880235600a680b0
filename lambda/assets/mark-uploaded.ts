import type { AssetAttributes, AssetRequest, AssetRules } from '../contract/assets.ts';
import { ApiError } from '../contract/errors.ts';
import type { Asset } from './asset.ts';
import type { AssetObjects } from './asset-object-store.ts';
import type { AssetStore } from './asset-store.ts';
import { brokenRule, checkRules } from './rules.ts';

export interface UploadPorts {
  readonly assets: AssetStore;
  readonly objects: AssetObjects;
  readonly rules: AssetRules;
}

/**
 * Marks an asset as uploaded, sets type and size to those of the object in S3, and applies `change`.
 * @returns false if the asset was deleted concurrently
 * @throws ApiError, without changing the record: conflict if nothing was uploaded or the upload differs from its
 *   description, invalid_request or payload_too_large if the rules do not allow it
 */
export async function markUploaded(ports: UploadPorts, asset: Asset, change: AssetRequest): Promise<boolean> {
  const { asset_id, owner, state, attributes } = asset;
  const { type, size } = state === 'uploaded' ? attributes : await uploadedObject(ports, asset_id);
  checkClaims({ ...attributes, ...change.attributes }, { type, size });
  if (state === 'pending') {
    checkRules({ type, size }, ports.rules);
    // Before the record: if the process dies in between, the next PATCH repeats both.
    if (!(await ports.objects.keep(asset_id))) throw nothingUploaded();
  }
  return ports.assets.markUploaded(asset_id, owner, {
    ...change,
    attributes: { ...change.attributes, type, size },
  });
}

/** Returns type and size of the upload. Discards an upload that the rules do not allow. */
async function uploadedObject({ objects, rules }: UploadPorts, assetId: string) {
  const found = await objects.find(assetId);
  if (!found) throw nothingUploaded();
  if (found.size === 0) throw emptyOrDiscarded();
  // No PATCH can accept it, and up to 5 GiB would be billed until the lifecycle rule deletes it.
  if (brokenRule(found, rules)) await objects.discard(assetId);
  return found;
}

function checkClaims(claimed: AssetAttributes, real: Pick<AssetAttributes, 'type' | 'size'>): void {
  const mismatched = (['type', 'size'] as const).filter(
    (name) => claimed[name] !== undefined && real[name] !== undefined && claimed[name] !== real[name],
  );
  if (mismatched.length === 0) return;
  const differences = mismatched.map(
    (name) => `attributes.${name} is ${claimed[name]}, but ${real[name]} was uploaded`,
  );
  throw new ApiError(
    'conflict',
    `${differences.join('; ')}. Omit it or send the actual value, or DELETE this asset and upload to a new one`,
  );
}

function nothingUploaded(): ApiError {
  return new ApiError(
    'conflict',
    'Nothing was uploaded yet: PUT the bytes to the upload_url of this asset, or POST a new asset if that has expired',
  );
}

function emptyOrDiscarded(): ApiError {
  return new ApiError(
    'invalid_request',
    'The upload is empty, or it was rejected before and its bytes were deleted: DELETE this asset and upload to a new one',
  );
}
