import { createHash } from 'node:crypto';
import { nanoid } from 'nanoid';
import { ANONYMOUS, type Sender } from '../../stored/deployment-owner.ts';

/** A digest of the sender's credentials and 21 random characters, all unreserved in URLs (RFC 3986, 2.3). */
const STAGED_ID = /^([\w-]{43})-[\w-]{21}$/;

/**
 * Returns an unguessable id for a stored body, bound to its sender. API Gateway's request id is neither, because a client
 * can set it with `x-amzn-RequestId`.
 */
export function newStagedId(sender: Sender): string {
  return `${digest(sender)}-${nanoid()}`;
}

/**
 * Returns the owner of a staged body, or undefined if `sender` may not use it. Anyone who knows its id may use a body
 * that was sent without credentials.
 */
export function stagedOwner(id: string, sender: Sender): string | undefined {
  const bound = STAGED_ID.exec(id)?.[1];
  if (bound === digest(sender)) return sender.owner;
  return bound === digest({ owner: ANONYMOUS, token: undefined }) ? ANONYMOUS : undefined;
}

function digest({ owner, token }: Sender): string {
  return createHash('sha256')
    .update(JSON.stringify([owner, token ?? null]))
    .digest('base64url');
}
