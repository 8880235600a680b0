import { createHmac } from 'node:crypto';
import type { Caller } from '../access/callers.ts';
import { unauthorized } from '../access/credential-errors.ts';
import { ApiError } from '../contract/errors.ts';
import type { ApiRequest } from '../http/request.ts';
import { constantTimeEqual } from '../platform/constant-time.ts';
import type { Deployment } from '../sites/deployment.ts';

/** Carries what manages a deployment that was made without a key: on the first answer of a deploy, and on requests. */
export const TOKEN_HEADER = 'X-Deployment-Token';

/** The owner of what is deployed without a credential. */
export const ANONYMOUS = 'anonymous';

/** The credentials of a request that decide what it may deploy to. */
export interface Sender {
  /** Whose deployments it makes: those of its API key or access token, or the anonymous ones. */
  readonly owner: string;
  /** Its deployment token, which nothing has verified yet. */
  readonly token: string | undefined;
}

export function senderOf({ caller, headers }: Pick<ApiRequest, 'caller' | 'headers'>): Sender {
  const owner = caller?.credential ? caller.id : ANONYMOUS;
  return { owner, token: headers[TOKEN_HEADER.toLowerCase()] };
}

/**
 * The token of a deployment that was made without a key. It follows from the id and a secret of the stack, so there is
 * none to store.
 */
export function deploymentToken(id: string, secret: string): string {
  const digest = createHmac('sha256', secret)
    .update(JSON.stringify(['deployment-token', 1, id]))
    .digest('base64url');
  return `ptd_${digest}`;
}

/**
 * Whether `token` is the one of the deployment; false without a token.
 * @throws ApiError forbidden with the token of another deployment
 */
export function holdsToken(id: string, token: string | undefined, secret: string): boolean {
  if (token === undefined) return false;
  if (constantTimeEqual(token, deploymentToken(id, secret))) return true;
  throw new ApiError(
    'forbidden',
    `The ${TOKEN_HEADER} is not the one of this deployment; nothing was changed`,
  );
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
  if (owner === ANONYMOUS) {
    if (!holdsToken(id, token, secret))
      throw unauthorized(`Send the ${TOKEN_HEADER} that the first deploy was answered with`);
    return;
  }
  if (!caller?.credential)
    throw unauthorized(
      'The deployment was made with an API key or a token: send it as Authorization: Bearer',
    );
  if (caller.id !== owner) throw new ApiError('forbidden', 'The deployment was made with another credential');
}
