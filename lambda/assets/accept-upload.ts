import type { AssetAttributes, AssetRequest, AssetRules } from '../contract/assets.ts';
import { ApiError } from '../contract/errors.ts';
import type { AssetObjects } from './asset-objects.ts';
import type { Asset } from './asset-store.ts';

/**
 * Decides whether the upload of an asset is accepted, and if so, keeps it.
 * @param change what the request sets
 * @returns the change with type and size of the object in S3, to be written to the record of the asset
 * @throws ApiError, with the record unchanged: conflict if nothing was uploaded or the upload differs from its
 *   description, invalid_request or payload_too_large if the rules do not allow it
 */
export async function acceptUpload(
  { asset_id, state, attributes }: Asset,
  change: AssetRequest,
  rules: AssetRules,
  objects: AssetObjects,
): Promise<AssetRequest> {
  checkRules(change.attributes ?? {}, rules);
  const { type, size } = state === 'uploaded' ? attributes : await uploadedObject(asset_id, rules, objects);
  checkClaims({ ...attributes, ...change.attributes }, { type, size });
  if (state === 'pending') {
    checkRules({ type, size }, rules);
    // Before the record: if the process dies in between, the next PATCH repeats both.
    if (!(await objects.keep(asset_id))) throw nothingUploaded();
  }
  return { ...change, attributes: { ...change.attributes, type, size } };
}

/** Returns type and size of the upload. Discards an upload that the rules do not allow. */
async function uploadedObject(assetId: string, rules: AssetRules, objects: AssetObjects) {
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

/**
 * Rejects assets that may not be uploaded; unknown attributes pass.
 * @param described attributes that the caller sent, or those of the object in S3
 * @throws ApiError invalid_request for a disallowed type or an empty asset, payload_too_large
 */
export function checkRules(described: AssetAttributes, rules: AssetRules): void {
  const broken = brokenRule(described, rules);
  if (broken) throw broken;
}

/** Returns the error that `checkRules` throws, or undefined if all known attributes are allowed. */
export function brokenRule({ type, size }: AssetAttributes, { types, maxBytes }: AssetRules) {
  if (size === 0) return new ApiError('invalid_request', 'The asset is empty: upload at least one byte');
  if (size !== undefined && size > maxBytes) {
    return new ApiError(
      'payload_too_large',
      `The asset has ${size.toLocaleString('en')} bytes: at most ${maxBytes.toLocaleString('en')} are accepted`,
    );
  }
  if (type === undefined || types.some((allowed) => covers(allowed, type))) return undefined;
  return new ApiError(
    'invalid_request',
    `Assets of type ${type} are not accepted: the accepted types are ${types.join(', ')}`,
  );
}

function covers(allowed: string, type: string): boolean {
  return allowed.endsWith('/*') ? type.startsWith(allowed.slice(0, -1)) : type === allowed;
}
