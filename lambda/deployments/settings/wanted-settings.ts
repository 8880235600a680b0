import { ApiError } from '../../contract/errors.ts';
import { type AccessChange, LINK_SECONDS } from '../../contract/page-settings.ts';
import type { Deployment } from '../../stored/deployment.ts';
import { ANONYMOUS } from '../../stored/deployment-owner.ts';
import { type Access, newAccessKey } from '../../stored/page-access.ts';
import { settingsTokenError } from '../store/write-errors.ts';
import { hashPassword } from './password.ts';
import type { Life } from './settings-update.ts';

/** What a deploy asks for besides its files. */
export interface WantedSettings {
  /** `null` for as long as possible. */
  readonly expiresInSeconds?: number | null | undefined;
  /** As `wantedAccess` returns it. */
  readonly access?: Access | null | undefined;
}

/**
 * Returns the access that a request asks for: `null` for everyone, undefined if it does not mention it.
 * @param hasOrigins whether pages have origins of their own
 * @throws ApiError invalid_request where private pages would share their origin with other pages
 */
export async function wantedAccess(
  { access, password = '', linkExpiresInSeconds = LINK_SECONDS }: AccessChange,
  hasOrigins: boolean,
  now: number,
): Promise<Access | null | undefined> {
  if (access === undefined) return undefined;
  if (access === 'public') return null;
  if (!hasOrigins)
    throw new ApiError(
      'invalid_request',
      `access cannot be ${access}: pages of this service share one origin, on which other pages could read private ones. Its operator can give them their own with siteDomain`,
    );
  const key = newAccessKey();
  if (access === 'password') return { type: 'password', hash: await hashPassword(password), key };
  return { type: 'link', until: Math.floor(now / 1_000) + linkExpiresInSeconds, key };
}

/**
 * Returns the life that a deploy gives a deployment: `null` if it stays, undefined if the deploy leaves it as it is. Each deploy
 * renews it, except for one without the token of an anonymous deployment, which may change files only.
 * @param before the deployment, unless it is new
 * @param anonymousDays how long deployments without an owner stay, 0 for ever
 * @throws ApiError unauthorized without the token that a change of the settings needs, invalid_request for too long a life
 */
export function lifeOfDeploy(
  { expiresInSeconds, access }: WantedSettings,
  { owner, holdsToken }: { readonly owner: string; readonly holdsToken: boolean },
  before: Deployment | undefined,
  anonymousDays: number,
  now: number,
): Life | null | undefined {
  const isThere = before !== undefined && before.deletedAt === undefined;
  if (isThere && owner === ANONYMOUS && !holdsToken) {
    if (expiresInSeconds !== undefined || access !== undefined) throw settingsTokenError();
    return undefined;
  }
  const kept = isThere ? before.lifeSeconds : undefined;
  const chosen = expiresInSeconds === undefined ? kept : expiresInSeconds;
  return lifeOf(chosen, owner, anonymousDays, now);
}

/**
 * Returns a life that begins now, of the default length unless one is chosen.
 * @throws ApiError invalid_request for more than an anonymous deployment may have
 */
export function lifeOf(
  seconds: number | null | undefined,
  owner: string,
  anonymousDays: number,
  now: number,
): Life | null {
  const most = owner === ANONYMOUS && anonymousDays > 0 ? anonymousDays * 86_400 : undefined;
  if (seconds === undefined || seconds === null)
    return most === undefined ? null : { endsAt: now + most * 1_000 };
  if (most !== undefined && seconds > most)
    throw new ApiError(
      'invalid_request',
      `expiresInSeconds is ${seconds}: without an API key, deployments stay for at most ${most} seconds (${anonymousDays} days). Send an API key, or claim the deployment with one`,
    );
  return { endsAt: now + seconds * 1_000, seconds };
}
