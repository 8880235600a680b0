import { unauthorizedError } from '../access/credential-errors.ts';
import type { ListQuery } from '../contract/lists.ts';
import { OPERATIONS } from '../contract/operations.ts';
import type { ItemPage, PageRequest } from '../platform/owned-items.ts';
import type { ApiUrl } from './api-url.ts';
import { fromCursor, toCursor } from './cursor.ts';
import type { ApiRequest, ApiResponse } from './request.ts';

export interface ListPorts {
  readonly apiUrl: ApiUrl;
  /** Authenticates cursors. */
  readonly cursorSecret: string;
}

/**
 * Returns the response of an operation that lists the caller's resources.
 * @param read returns a page of the caller's items
 * @param show returns an item of the response, or undefined to omit it
 * @throws ApiError unauthorized without a credential, invalid_request for an invalid cursor
 */
export async function listResponse<Item>(
  list: 'listGenerations' | 'listDeployments' | 'listAssets',
  { request, query }: { readonly request: ApiRequest; readonly query: ListQuery },
  { apiUrl, cursorSecret: secret }: ListPorts,
  read: (page: PageRequest) => Promise<ItemPage<Item>>,
  show: (item: Item) => object | undefined,
): Promise<ApiResponse> {
  const { caller } = request;
  if (!caller?.credential)
    throw unauthorizedError('Only API keys and tokens have lists: send one as Authorization: Bearer');
  const { limit, cursor } = query;
  const of = { list, owner: caller.id, secret };
  const after = cursor === undefined ? undefined : fromCursor(cursor, of);
  const { items, next } = await read({ owner: caller.id, limit, after });
  const nextCursor = next ? toCursor(next, of) : null;
  const path = `${OPERATIONS[list].path}?limit=${limit}&cursor=${nextCursor}`;
  return {
    statusCode: 200,
    headers: next ? { Link: `<${apiUrl(request, path)}>; rel="next"` } : {},
    body: { items: items.map(show).filter((item) => item !== undefined), nextCursor },
  };
}
