import type { SettingsRequest } from '../../contract/page-settings.ts';
import type { Deployment } from '../../stored/deployment.ts';
import { type EdgeCopiesPorts, finishWithdrawal, withWithdrawal } from '../copies/edge-copies.ts';
import { requireLive } from '../manage.ts';
import type { DeploymentStore } from '../store/deployment-store.ts';
import { conflictError } from '../store/write-errors.ts';
import { type SettingsChange, withSettings } from './settings-update.ts';
import { lifeOf, wantedAccess } from './wanted-settings.ts';

export interface ChangeSettingsPorts extends EdgeCopiesPorts {
  readonly deployments: DeploymentStore;
  readonly anonymousDays: number;
  readonly siteOrigin?: string | undefined;
}

/**
 * Changes who may see a deployment, or how long it stays, and returns the changed deployment. From then on every visit is checked, and
 * copies at the edge that the change ends are being removed.
 * @throws ApiError gone, invalid_request, unavailable, deployment_backend_unreachable
 */
export async function changeSettings(
  deployment: Deployment,
  { expiresInSeconds, ...access }: SettingsRequest,
  ports: ChangeSettingsPorts,
): Promise<Deployment> {
  requireLive(deployment);
  const now = ports.clock();
  const wanted: SettingsChange = {
    access: await wantedAccess(access, ports.siteOrigin !== undefined, now),
    life:
      expiresInSeconds === undefined
        ? undefined
        : lifeOf(expiresInSeconds, deployment.owner, ports.anonymousDays, now),
  };
  const change = await withWithdrawal(deployment, wanted, ports);
  const written = await ports.deployments.changeSettings(deployment.id, change);
  if (!written.done) {
    requireLive(written.current ?? deployment);
    throw conflictError();
  }
  return finishWithdrawal(withSettings(written.before ?? deployment, change), ports);
}
