import type * as z from 'zod';
import { ApiError } from '../contract/errors.ts';
import type { ApiRequest } from './request.ts';

/**
 * Validates the query against a schema and ignores unknown parameters.
 * @throws ApiError invalid_request for the first invalid parameter
 */
export function checkedQuery<T extends z.ZodType>(
  { query }: Pick<ApiRequest, 'query'>,
  schema: T,
): z.output<T> {
  const { success, data, error } = schema.safeParse(query);
  if (!success) throw new ApiError('invalid_request', error.issues[0]?.message ?? 'The query is invalid');
  return data;
}
