import { ApiError } from '../contract/errors.ts';
import type { ApiRequest } from './request.ts';

/**
 * Returns the `Idempotency-Key` of a request (draft-ietf-httpapi-idempotency-key-header).
 * @throws ApiError invalid_request for an invalid key
 */
export function idempotencyKey({ headers }: Pick<ApiRequest, 'headers'>): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined || /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new ApiError(
    'invalid_request',
    'Idempotency-Key must be 1 to 255 visible ASCII characters without spaces',
  );
}

/**
 * Returns the entity tags of `If-Match` (RFC 9110, 13.1.1) without quotes. Weak tags keep theirs, and match nothing.
 * @throws ApiError invalid_request for a list of more than ten
 */
export function ifMatch({ headers }: Pick<ApiRequest, 'headers'>): readonly string[] | '*' | undefined {
  const value = headers['if-match']?.trim();
  if (value === undefined || value === '*') return value;
  const tags = value.split(',').map((tag) => tag.trim().replace(/^"(.*)"$/, '$1'));
  if (tags.length > 10) throw new ApiError('invalid_request', 'If-Match lists more than ten versions');
  return tags;
}
