import type { AssetAttributes, AssetRules } from '../contract/assets.ts';
import { ApiError } from '../contract/errors.ts';

/**
 * Refuses what may not be uploaded; what is not known passes.
 * @param described what the caller says of an asset, or what S3 has of it
 * @throws ApiError invalid_request for a type that is not allowed or no bytes, payload_too_large for too many
 */
export function checkRules(described: AssetAttributes, rules: AssetRules): void {
  const broken = brokenRule(described, rules);
  if (broken) throw broken;
}

/** What `checkRules` throws; undefined when everything that is known is allowed. */
export function brokenRule({ type, size }: AssetAttributes, { types, maxBytes }: AssetRules) {
  if (size === 0)
    return new ApiError('invalid_request', 'The asset is empty: an asset has at least one byte');
  if (size !== undefined && size > maxBytes) {
    return new ApiError(
      'payload_too_large',
      `The asset has ${size.toLocaleString('en')} bytes: at most ${maxBytes.toLocaleString('en')} are accepted`,
    );
  }
  if (type === undefined || types.some((allowed) => covers(allowed, type))) return undefined;
  return new ApiError(
    'invalid_request',
    `An asset of the type ${type} is not accepted, only ${types.join(', ')}`,
  );
}

function covers(allowed: string, type: string): boolean {
  return allowed.endsWith('/*') ? type.startsWith(allowed.slice(0, -1)) : type === allowed;
}
