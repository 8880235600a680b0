import type * as z from 'zod';
import { ApiError } from '../contract/errors.ts';
import type { ApiRequest } from './request.ts';

/** What a form of a page may send. */
const MAX_BYTES = 65_536;

/** Reports if a body is that of an HTML form. */
export function isForm({ headers }: Pick<ApiRequest, 'headers'>): boolean {
  const mediaType = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  return mediaType === 'application/x-www-form-urlencoded';
}

/**
 * Parses the body of a form and validates it against a schema. Empty fields are those that a person left out.
 * @throws ApiError invalid_request, payload_too_large
 */
export function formBody<T extends z.ZodType>(request: Pick<ApiRequest, 'rawBody'>, schema: T): z.output<T> {
  const bytes = request.rawBody();
  if (bytes.length > MAX_BYTES)
    throw new ApiError(
      'payload_too_large',
      `The form has ${bytes.length} bytes: at most ${MAX_BYTES} are accepted`,
    );
  const fields = [...new URLSearchParams(bytes.toString())].filter(([, value]) => value !== '');
  const result = schema.safeParse(Object.fromEntries(fields));
  if (!result.success)
    throw new ApiError('invalid_request', result.error.issues[0]?.message ?? 'The form is invalid');
  return result.data;
}
