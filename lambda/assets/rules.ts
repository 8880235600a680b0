import type { AssetAttributes, AssetRules } from '../contract/assets.ts';
import { ApiError } from '../contract/errors.ts';

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
