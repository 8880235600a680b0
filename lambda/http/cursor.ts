import { createHmac } from 'node:crypto';
import { ApiError } from '../contract/errors.ts';
import { constantTimeEqual } from '../platform/constant-time.ts';
import type { Position } from '../platform/owned-items.ts';

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
