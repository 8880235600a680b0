import { createHash } from 'node:crypto';
import { nanoid } from 'nanoid';
import { ANONYMOUS, type Sender } from './owner.ts';

/** A digest of the sender's credentials, and 21 random characters. Every character is unreserved in URLs (RFC 3986, 2.3). */
const STAGED_ID = /^([\w-]{43})-[\w-]{21}$/;

/**
 * An id for a body that `sender` has stored: unguessable, and bound to its sender. The request id of API Gateway would be
 * neither, because a client can set it with `x-amzn-RequestId`.
 */
export function newStagedId(sender: Sender): string {
  return `${digest(sender)}-${nanoid()}`;
}

/**
 * The owner of a staged body; undefined when the body is not for `sender`. A body that was sent without any credential is
 * for everyone who knows its id.
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
