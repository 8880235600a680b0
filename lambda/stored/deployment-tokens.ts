import { createHmac } from 'node:crypto';
import { ApiError } from '../contract/errors.ts';
import type { Clock } from '../platform/clock.ts';
import { constantTimeEqual } from '../platform/constant-time.ts';
import { type FetchedSecret, fetchedSecret } from '../platform/fetched-secret.ts';
import { type DeploymentSecrets, TOKEN_HEADER, type Tokens } from './deployment-owner.ts';
import { currentVersion, hasExpired, readTokenVersions, type TokenVersions } from './token-versions.ts';

/** `ptd_<digest>` of version 0, and `ptd_<version>.<digest>`; a digest has 43 characters of base64url. */
const TOKEN = /^ptd_(?:([1-9]\d{0,8})\.)?([\w-]{43})$/;

export interface TokenSecrets {
  /** The secret that ids derive from, and the tokens of version 0. */
  readonly ids: FetchedSecret;
  readonly versions: FetchedSecret<TokenVersions>;
  readonly clock: Clock;
}

/** The tokens of anonymous deployments. They derive from the id and a secret of the stack, so they are not stored. */
export class DeploymentTokens implements Tokens {
  readonly #secrets: TokenSecrets;

  constructor(secrets: TokenSecrets) {
    this.#secrets = secrets;
  }

  prepare(): void {
    // A failure is that of the call that needs the secret.
    this.#secrets.versions().catch(() => undefined);
    this.#secrets.ids().catch(() => undefined);
  }

  /** Returns the token of a deployment, of the current version. */
  async issue(id: string): Promise<string> {
    const { versions, clock } = this.#secrets;
    const known = await versions();
    const version = currentVersion(known, clock());
    return `ptd_${version}.${digestOf(id, known.secrets[version] ?? '')}`;
  }

  /**
   * Requires that a token is that of the deployment, of any version that has not expired.
   * @throws ApiError forbidden
   */
  async require(id: string, token: string): Promise<void> {
    const { ids, versions, clock } = this.#secrets;
    const [, number = '0', digest] = TOKEN.exec(token) ?? [];
    if (digest === undefined) throw foreignTokenError();
    const version = Number(number);
    const known = await versions();
    if (hasExpired(known, version, clock())) throw expiredTokenError(version);
    const secret = version === 0 ? await ids() : known.secrets[version];
    if (secret === undefined || !constantTimeEqual(digest, digestOf(id, secret))) throw foreignTokenError();
  }
}

/** Returns what derives ids and tokens from the secrets with these ARNs. They are read when they are first needed. */
export function deploymentSecrets(
  { ID_SECRET_ARN, TOKEN_SECRET_ARN }: { readonly ID_SECRET_ARN: string; readonly TOKEN_SECRET_ARN: string },
  clock: Clock = Date.now,
): DeploymentSecrets {
  const idSecret = fetchedSecret(ID_SECRET_ARN, (text) => text, { clock });
  const versions = fetchedSecret(TOKEN_SECRET_ARN, readTokenVersions, { clock });
  return { idSecret, tokens: new DeploymentTokens({ ids: idSecret, versions, clock }) };
}

/** The digest of version 0 is the one of earlier releases. */
function digestOf(id: string, secret: string): string {
  return createHmac('sha256', secret)
    .update(JSON.stringify(['deployment-token', 1, id]))
    .digest('base64url');
}

function foreignTokenError(): ApiError {
  return new ApiError(
    'forbidden',
    `The ${TOKEN_HEADER} does not belong to this deployment; nothing was changed`,
  );
}

function expiredTokenError(version: number): ApiError {
  return new ApiError(
    'forbidden',
    `The ${TOKEN_HEADER} has expired, because the service replaced the secret of version ${version}: send the one of a later response; without one, deploy the files as a new deployment; nothing was changed`,
  );
}
