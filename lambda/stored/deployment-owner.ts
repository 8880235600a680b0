import { createHmac } from 'node:crypto';
import type { Caller } from '../access/callers.ts';
import { unauthorizedError } from '../access/credential-errors.ts';
import { ApiError } from '../contract/errors.ts';
import type { FetchedSecret } from '../platform/fetched-secret.ts';

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

/** The tokens of anonymous deployments. */
export interface Tokens {
  /** Begins to read what tokens and ids derive from, beside the other first calls of an instance. */
  prepare(): void;
  /** Returns the token of a deployment. */
  issue(id: string): Promise<string>;
  /** Requires that a token is that of the deployment. @throws ApiError forbidden */
  require(id: string, token: string): Promise<void>;
}

/** Returns the path of the operation that claims a deployment, for the `Link` of a response with its token. */
export function claimPath(id: string): string {
  return `/api/v1/deployments/${id}/claim`;
}

/** The secrets from which the ids and tokens of deployments derive. */
export interface DeploymentSecrets {
  /** The key for deriving ids. */
  readonly idSecret: FetchedSecret;
  readonly tokens: Tokens;
}

/** Returns the token for a response about a deploy: for the one that created an anonymous deployment, and for its holder. */
export async function tokenFor(
  id: string,
  { owner, holdsToken, first }: { readonly owner: string; readonly holdsToken: boolean; readonly first: boolean },
  tokens: Pick<Tokens, 'issue'>,
): Promise<string | undefined> {
  return holdsToken || (first && owner === ANONYMOUS) ? tokens.issue(id) : undefined;
}

/**
 * Returns whether `token` is that of the deployment; false without a token.
 * @throws ApiError forbidden for the token of another deployment, or one that has expired
 */
export async function holdsToken(
  id: string,
  token: string | undefined,
  tokens: Pick<Tokens, 'require'>,
): Promise<boolean> {
  if (token === undefined) return false;
  await tokens.require(id, token);
  return true;
}

/**
 * Rejects a caller that does not own the deployment. The URL already reveals that the deployment exists, hence 401 and
 * 403 rather than 404.
 * @throws ApiError unauthorized without the required credential, forbidden with another
 */
export async function requireOwner(
  { id, owner }: { readonly id: string; readonly owner: string },
  caller: Caller | undefined,
  token: string | undefined,
  tokens: Pick<Tokens, 'require'>,
): Promise<void> {
  if (owner === ANONYMOUS) {
    if (!(await holdsToken(id, token, tokens)))
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
export async function isOwner(
  deployment: { readonly id: string; readonly owner: string },
  request: Requester,
  tokens: Pick<Tokens, 'require'>,
): Promise<boolean> {
  try {
    await requireOwner(deployment, request.caller, senderOf(request).token, tokens);
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}

/** For how long the pages that an address deployed are recorded. */
export const DEPLOYER_KEPT_MS = 30 * 86_400_000;

/**
 * Returns the keyed hash that identifies an address which deploys without a credential, for 30 days. Without the secret,
 * nobody can compute it, or find the address by trying all of them.
 * @param address the prefix that the limits count
 */
export function deployerOf(address: string, secret: string): string {
  return digest(['deployer', 1, address], secret);
}

/** Returns the mark that a takedown of an address leaves on a page: a digest that differs for each page, so that it links no two of them. */
export function deployerMark(deployer: string, deployment: string): string {
  return `address:${digest(['taken down', deployment], deployer)}`;
}

/** Returns the keyed hash of a caller's address; undefined for a caller with a credential. */
export async function anonymousDeployer(
  caller: Caller | undefined,
  idSecret: FetchedSecret,
): Promise<string | undefined> {
  if (!caller || caller.credential) return undefined;
  return deployerOf(caller.id.replace(/^address:/, ''), await idSecret());
}

/** 128 bits. */
function digest(parts: readonly (string | number)[], secret: string): string {
  return createHmac('sha256', secret).update(JSON.stringify(parts)).digest('base64url').slice(0, 22);
}
