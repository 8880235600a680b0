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
 * Marks an asset as uploaded, with the type and size that S3 has of it, and changes what is asked for.
 * @returns false when the asset was deleted meanwhile
 * @throws ApiError conflict when nothing was uploaded or something else than was said, invalid_request or
 *   payload_too_large for what the rules do not allow; then the record is as it was
 */
export async function markUploaded(ports: UploadPorts, asset: Asset, change: AssetRequest): Promise<boolean> {
  const { asset_id, owner, state, attributes } = asset;
  const { type, size } = state === 'uploaded' ? attributes : await stored(ports, asset_id);
  checkClaims({ ...attributes, ...change.attributes }, { type, size });
  if (state === 'pending') {
    checkRules({ type, size }, ports.rules);
    // Before the record says that it is there: a process that dies in between leaves bytes, not a promise of them.
    if (!(await ports.objects.keep(asset_id))) throw nothingUploaded();
  }
  return ports.assets.markUploaded(asset_id, owner, {
    ...change,
    attributes: { ...change.attributes, type, size },
  });
}

/** Type and size of what was uploaded, of which only its place stays when the rules do not allow it. */
async function stored({ objects, rules }: UploadPorts, assetId: string) {
  const found = await objects.find(assetId);
  if (!found) throw nothingUploaded();
  if (found.size === 0) throw emptyOrDiscarded();
  // No PATCH can accept it any more, and until the lifecycle rule comes it may be 5 GiB to pay for.
  if (brokenRule(found, rules)) await objects.discard(assetId);
  return found;
}

function checkClaims(claimed: AssetAttributes, real: Pick<AssetAttributes, 'type' | 'size'>): void {
  const wrong = (['type', 'size'] as const).filter(
    (name) => claimed[name] !== undefined && real[name] !== undefined && claimed[name] !== real[name],
  );
  if (wrong.length === 0) return;
  const differences = wrong.map(
    (name) => `attributes.${name} says ${claimed[name]}, but ${real[name]} was uploaded`,
  );
  throw new ApiError(
    'conflict',
    `${differences.join('; ')}. Leave it out or send what it is, or DELETE this asset and upload to a new one`,
  );
}

function nothingUploaded(): ApiError {
  return new ApiError(
    'conflict',
    'Nothing was uploaded yet: PUT the bytes to the upload_url of this asset; when that has expired, POST a new asset',
  );
}

function emptyOrDiscarded(): ApiError {
  return new ApiError(
    'invalid_request',
    'The upload is empty, or it was refused before and its bytes are gone: DELETE this asset and upload to a new one',
  );
}
