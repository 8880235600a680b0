import { ApiError } from '../contract/errors.ts';
import { type AccessChange, LINK_SECONDS, type SettingsRequest } from '../contract/page-settings.ts';
import type { Deployment } from '../stored/deployment.ts';
import { ANONYMOUS } from '../stored/deployment-owner.ts';
import { isHeldPage } from '../stored/held.ts';
import { type Access, newAccessKey } from '../stored/page-access.ts';
import type { Life, SettingsChange } from '../stored/pointer-update.ts';
import { noteHeld } from './gate.ts';
import { requireLive } from './manage.ts';
import type { DeployStage } from './stage.ts';
import { hashPassword } from './unlock.ts';
import { conflictError, settingsTokenError } from './write-errors.ts';

/** The settings in the request of a deploy. */
export interface WantedSettings {
  /** `null` for as long as possible. */
  readonly expiresInSeconds?: number | null | undefined;
  /** From `wantedAccess`: `null` for everyone. */
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
function lifeOf(seconds: number | null | undefined, owner: string, anonymousDays: number, now: number): Life | null {
  const most = owner === ANONYMOUS && anonymousDays > 0 ? anonymousDays * 86_400 : undefined;
  if (seconds === undefined || seconds === null) return most === undefined ? null : { endsAt: now + most * 1_000 };
  if (most !== undefined && seconds > most)
    throw new ApiError(
      'invalid_request',
      `expiresInSeconds is ${seconds}: without an API key, deployments stay for at most ${most} seconds (${anonymousDays} days). Send an API key, or claim the deployment with one`,
    );
  return { endsAt: now + seconds * 1_000, seconds };
}

type ChangeStage = Pick<DeployStage, 'pointers' | 'copies' | 'anonymousDays' | 'siteOrigin' | 'clock'>;

/**
 * Changes who may see a deployment, or how long it stays, and returns the changed deployment. From then on every visit is checked, and
 * copies at the edge that the change ends are being removed.
 * @param deployer the address that asks for the change of a page without an owner, as `anonymousDeployer` returns it
 * @throws ApiError gone, invalid_request, unavailable, deployment_backend_unreachable
 */
export async function changeSettings(
  deployment: Deployment,
  { expiresInSeconds, dataWebhook, ...access }: SettingsRequest,
  { pointers, copies, anonymousDays, siteOrigin, clock }: ChangeStage,
  deployer: string | undefined,
): Promise<Deployment> {
  requireLive(deployment);
  const now = clock();
  const wanted: SettingsChange = {
    access: await wantedAccess(access, siteOrigin !== undefined, now),
    life: expiresInSeconds === undefined ? undefined : lifeOf(expiresInSeconds, deployment.owner, anonymousDays, now),
    dataWebhook,
  };
  const change = await copies.planWithdrawal(deployment, wanted, deployer);
  const written = await pointers.changeSettings(deployment.id, change);
  if (written.done && written.deployment) return copies.finishWithdrawal(written.deployment);
  requireLive(written.deployment ?? deployment);
  throw conflictError();
}

/**
 * Moves an anonymous deployment to the owner of a key or token, and returns it. A claim that is repeated returns it, too.
 * @param owner the caller's id
 * @throws ApiError gone, forbidden if it belongs to another owner
 */
export async function claimDeployment(
  deployment: Deployment,
  owner: string,
  { pointers, held, gate, clock }: Pick<DeployStage, 'pointers' | 'held' | 'gate' | 'clock'>,
): Promise<Deployment> {
  requireLive(deployment);
  if (deployment.owner === owner) return deployment;
  const { done, deployment: current } = await pointers.claim(deployment.id, owner, clock());
  if (!current) throw conflictError();
  if (!done) requireLive(current);
  if (current.owner !== owner) throw new ApiError('forbidden', 'The deployment was claimed with another credential');
  // Pages of keys may have more points.
  const [was, is] = [isHeldPage(deployment, gate?.bounds), isHeldPage(current, gate?.bounds)];
  if (was && !is) await noteHeld(deployment.id, { was, is }, held, clock);
  return current;
}
