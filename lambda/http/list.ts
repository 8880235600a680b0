import { createHmac } from 'node:crypto';
import { unauthorizedError } from '../access/credential-errors.ts';
import { ApiError } from '../contract/errors.ts';
import { OPERATIONS } from '../contract/operations.ts';
import type { ListQuery } from '../contract/queries.ts';
import { constantTimeEqual } from '../platform/constant-time.ts';
import type { ItemPage, PageRequest, Position } from '../platform/dynamodb.ts';
import type { ApiRequest, ApiResponse, ApiUrl } from './request.ts';

/** Makes the link to the next page of a list. */
export interface ListLinks {
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
  { apiUrl, cursorSecret: secret }: ListLinks,
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

/** The list that a cursor belongs to. */
export interface CursorOf {
  /** Name of the operation. */
  readonly list: string;
  readonly owner: string;
  readonly secret: string;
}

const MAC_LENGTH = 22;

/** Returns the cursor of a position: opaque, and valid for this list of this owner only. */
export function toCursor({ createdAt, id }: Position, of: CursorOf): string {
  const position = JSON.stringify([createdAt, id]);
  return Buffer.from(macOf(position, of) + position).toString('base64url');
}

/**
 * Returns the position of a cursor. The owner never comes from a cursor, so even a forged one leads nowhere else.
 * @throws ApiError invalid_request for a cursor that is malformed, or was not made for this list and owner
 */
export function fromCursor(cursor: string, of: CursorOf): Position {
  const text = Buffer.from(cursor, 'base64url').toString();
  const position = text.slice(MAC_LENGTH);
  if (!constantTimeEqual(text.slice(0, MAC_LENGTH), macOf(position, of)))
    throw new ApiError(
      'invalid_request',
      'cursor is not the nextCursor of an earlier page of this list: omit it to begin with the newest item',
    );
  const [createdAt, id] = JSON.parse(position) as [number, string];
  return { createdAt, id };
}

function macOf(position: string, { list, owner, secret }: CursorOf): string {
  const message = JSON.stringify(['cursor', 1, list, owner, position]);
  return createHmac('sha256', secret).update(message).digest('base64url').slice(0, MAC_LENGTH);
}
