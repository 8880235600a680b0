import type * as z from 'zod';
import { ApiError } from '../contract/errors.ts';
import type { ApiRequest } from './request.ts';

/**
 * Checks the query against a schema. Parameters that the schema does not name are ignored, as are those of an operation
 * without a schema and unknown fields of a body.
 * @throws ApiError invalid_request that says what is wrong
 */
export function checkedQuery<T extends z.ZodType>(
  { query }: Pick<ApiRequest, 'query'>,
  schema: T,
): z.output<T> {
  const { success, data, error } = schema.safeParse(query);
  if (!success) throw new ApiError('invalid_request', error.issues[0]?.message ?? 'The query is invalid');
  return data;
}
