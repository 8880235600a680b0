import { createHmac } from 'node:crypto';
import * as z from 'zod';
import { ApiError } from '../contract/errors.ts';
import type { Clock } from '../platform/clock.ts';
import { constantTimeEqual } from '../platform/constant-time.ts';
import { type FetchedSecret, fetchedSecret } from '../platform/fetched-secret.ts';
import { type DeploymentSecrets, TOKEN_HEADER, type Tokens } from './deployment-owner.ts';

/** After how long new tokens use a new version: twice the time within which every instance has read it. */
export const USED_AFTER_MS = 10 * 60_000;

const times = z.record(z.string().regex(/^\d+$/), z.number()).default({});
const stored = z
  .object({ useFrom: times, validUntil: times })
  .catchall(z.string())
  .transform(({ useFrom, validUntil, ...secrets }) => ({ secrets, useFrom, validUntil }));

/**
 * The secrets that tokens of deployments derive from, by version, with times in Unix milliseconds. Version 0 derives from the
 * secret of ids: its tokens are those of earlier releases.
 */
interface TokenVersions {
  readonly secrets: Readonly<Record<string, string>>;
  /** From when on a version is that of new tokens; a version without a time is at once. */
  readonly useFrom: Readonly<Record<string, number>>;
  /** Until when the tokens of a replaced version are valid. */
  readonly validUntil: Readonly<Record<string, number>>;
}

/**
 * Returns the versions in the text of the secret: `{ "1": "…", "2": "…", "useFrom": { "2": … }, "validUntil": { "1": … } }`.
 * @throws Error without a value of it
 */
export function readTokenVersions(text: string): TokenVersions {
  try {
    const versions = stored.parse(JSON.parse(text)) as TokenVersions;
    if (newestVersion(versions) > 0) return versions;
  } catch {
    // A parser's message may contain a part of the secret.
  }
  throw new Error('The secret of tokens is not a JSON object of versions and their secrets');
}

export function writeTokenVersions({ secrets, useFrom, validUntil }: TokenVersions): string {
  return JSON.stringify({ ...secrets, useFrom, validUntil });
}

/** Returns the number of the version that was added last. */
export function newestVersion({ secrets }: TokenVersions): number {
  return Math.max(...Object.keys(secrets).map(Number));
}

/** Returns the number of the version of new tokens. */
export function currentVersion({ secrets, useFrom }: TokenVersions, now: number): number {
  return Math.max(
    ...Object.keys(secrets)
      .map(Number)
      .filter((version) => (useFrom[version] ?? 0) <= now),
  );
}

/** Returns whether the tokens of a version have expired; also if the version was removed since. */
export function hasExpired({ secrets, validUntil }: TokenVersions, version: number, now: number): boolean {
  const until = validUntil[version];
  if (until !== undefined) return until <= now;
  return version > 0 && secrets[version] === undefined && version < Math.max(...Object.keys(secrets).map(Number));
}

/**
 * Returns the versions with a new one, and without the secrets of those that have expired.
 * @param from when every instance knows the new version, which new tokens then use
 * @param until when all tokens of other versions expire that have no earlier time
 */
export function addVersion(
  versions: TokenVersions,
  secret: string,
  { from, until, now }: { readonly from: number; readonly until: number; readonly now: number },
): TokenVersions {
  const added = newestVersion(versions) + 1;
  const older = [0, ...Object.keys(versions.secrets).map(Number)];
  const validUntil = Object.fromEntries(
    older.map((version) => [version, Math.min(versions.validUntil[version] ?? until, until)]),
  );
  const kept = Object.entries(versions.secrets).filter(([version]) => !hasExpired(versions, Number(version), now));
  return {
    secrets: { ...Object.fromEntries(kept), [added]: secret },
    useFrom: { [added]: from },
    validUntil: { ...versions.validUntil, ...validUntil },
  };
}

/** `ptd_<digest>` of version 0, and `ptd_<version>.<digest>`; a digest has 43 characters of base64url. */
const TOKEN = /^ptd_(?:([1-9]\d{0,8})\.)?([\w-]{43})$/;

interface TokenSecrets {
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
  return new ApiError('forbidden', `The ${TOKEN_HEADER} does not belong to this deployment; nothing was changed`);
}

function expiredTokenError(version: number): ApiError {
  return new ApiError(
    'forbidden',
    `The ${TOKEN_HEADER} has expired, because the service replaced the secret of version ${version}: send the one of a later response; without one, deploy the files as a new deployment; nothing was changed`,
  );
}
