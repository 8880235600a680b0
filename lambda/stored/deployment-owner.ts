import { createHmac } from 'node:crypto';
import type { Caller } from '../access/callers.ts';
import { unauthorizedError } from '../access/credential-errors.ts';
import { ApiError } from '../contract/errors.ts';
import { constantTimeEqual } from '../platform/constant-time.ts';

/** The header with the token that manages an anonymous deployment, in the first response and in later requests. */
export const TOKEN_HEADER = 'X-Deployment-Token';

/** The owner of deployments that are made without a credential. */
export const ANONYMOUS = 'anonymous';

/** The parts of a request that identify its sender. */
export interface Requester {
  readonly caller?: Caller | undefined;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The credentials of a request that decide which deployments it may change. */
export interface Sender {
  /** The caller's id if it sent an API key or an access token, otherwise `anonymous`. */
  readonly owner: string;
  /** The deployment token that it sent, not yet verified. */
  readonly token: string | undefined;
}

export function senderOf({ caller, headers }: Requester): Sender {
  const owner = caller?.credential ? caller.id : ANONYMOUS;
  return { owner, token: headers[TOKEN_HEADER.toLowerCase()] };
}

/**
 * Returns the token of an anonymous deployment. It is derived from the id and a secret of the stack, so it is not
 * stored.
 */
export function deploymentToken(id: string, secret: string): string {
  const digest = createHmac('sha256', secret)
    .update(JSON.stringify(['deployment-token', 1, id]))
    .digest('base64url');
  return `ptd_${digest}`;
}

/** Returns the token for a response about a deploy: for the one that created an anonymous deployment, and for its holder. */
export function tokenFor(
  id: string,
  {
    owner,
    holdsToken,
    first,
  }: { readonly owner: string; readonly holdsToken: boolean; readonly first: boolean },
  secret: string,
): string | undefined {
  return holdsToken || (first && owner === ANONYMOUS) ? deploymentToken(id, secret) : undefined;
}

/**
 * Returns whether `token` is that of the deployment; false without a token.
 * @throws ApiError forbidden for the token of another deployment
 */
export function holdsToken(id: string, token: string | undefined, secret: string): boolean {
  if (token === undefined) return false;
  if (constantTimeEqual(token, deploymentToken(id, secret))) return true;
  throw new ApiError(
    'forbidden',
    `The ${TOKEN_HEADER} does not belong to this deployment; nothing was changed`,
  );
}

/**
 * Rejects a caller that does not own the deployment. The URL already reveals that the deployment exists, hence 401 and
 * 403 rather than 404.
 * @throws ApiError unauthorized without the required credential, forbidden with another
 */
export function requireOwner(
  { id, owner }: { readonly id: string; readonly owner: string },
  caller: Caller | undefined,
  token: string | undefined,
  secret: string,
): void {
  if (owner === ANONYMOUS) {
    if (!holdsToken(id, token, secret))
      throw unauthorizedError(`Send the ${TOKEN_HEADER} from the response of the first deploy`);
    return;
  }
  if (!caller?.credential)
    throw unauthorizedError(
      'The deployment was made with an API key or an access token: send it as Authorization: Bearer',
    );
  if (caller.id !== owner) throw new ApiError('forbidden', 'The deployment was made with another credential');
}

/** Whether the sender of a request owns a deployment, as `requireOwner` decides it. */
export function isOwner(
  deployment: { readonly id: string; readonly owner: string },
  request: Requester,
  secret: string,
): boolean {
  try {
    requireOwner(deployment, request.caller, senderOf(request).token, secret);
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}
