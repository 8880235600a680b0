import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { type Caller, unauthorized } from '../access/callers.ts';
import { ApiError } from '../contract/errors.ts';
import type { Deployment } from './deployment.ts';

/** Carries what manages a deployment that was made without a key: on the answer of a deploy, and on requests. */
export const TOKEN_HEADER = 'X-Deployment-Token';

/** Whose deployments a caller makes: its credential's, or everybody's. */
export function ownerOf(caller: Caller | undefined): string {
  return caller?.credential ? caller.id : 'anonymous';
}

/**
 * The token of a deployment that was made without a key. It follows from the id and a secret of the stack, so that
 * every deploy of a project answers the same one, and there is none to store.
 */
export function deploymentToken(id: string, secret: string): string {
  const digest = createHmac('sha256', secret)
    .update(JSON.stringify(['deployment-token', 1, id]))
    .digest('base64url');
  return `ptd_${digest}`;
}

/**
 * Lets only the owner of a deployment pass: its key, or its token when it was made without one. That a deployment
 * exists is no secret, its URL says so; hence 401 and 403 rather than 404.
 * @throws ApiError unauthorized without the credential that it takes, forbidden with another's
 */
export function requireOwner(
  { id, owner }: Deployment,
  caller: Caller | undefined,
  token: string | undefined,
  secret: string,
): void {
  if (owner === 'anonymous') {
    if (token === undefined) throw unauthorized(`Send the ${TOKEN_HEADER} that the deploy was answered with`);
    if (!same(token, deploymentToken(id, secret)))
      throw new ApiError('forbidden', `The ${TOKEN_HEADER} is not the one of this deployment`);
    return;
  }
  if (!caller?.credential)
    throw unauthorized(
      'The deployment was made with an API key or a token: send it as Authorization: Bearer',
    );
  if (caller.id !== owner) throw new ApiError('forbidden', 'The deployment was made with another credential');
}

/** In constant time. */
function same(a: string, b: string): boolean {
  const digest = (value: string) => createHash('sha256').update(value).digest();
  return timingSafeEqual(digest(a), digest(b));
}
