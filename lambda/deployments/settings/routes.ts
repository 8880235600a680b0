import { unauthorizedError } from '../../access/credential-errors.ts';
import { viewerAddress } from '../../access/viewer-address.ts';
import { ApiError } from '../../contract/errors.ts';
import type { LookWidth } from '../../contract/looks.ts';
import type { ApiResponse } from '../../http/request.ts';
import { type Route, route } from '../../http/router.ts';
import { domainUrl } from '../../stored/custom-domain.ts';
import type { Deployment } from '../../stored/deployment.ts';
import { requireOwner, senderOf } from '../../stored/deployment-owner.ts';
import type { DeployPorts } from '../deploy.ts';
import { requireLive } from '../manage.ts';
import { deploymentUrl, ownSite } from '../resource.ts';
import { knownDeployment, requireDeployment, resourceResponse } from '../resource-response.ts';
import type { ArchiveStore } from '../store/archive-store.ts';
import type { DeploymentStore } from '../store/deployment-store.ts';
import { type ChangeSettingsPorts, changeSettings } from './change-settings.ts';
import { claimDeployment } from './claim.ts';
import { pageUrl, type UnlockPorts, unlock } from './unlock.ts';

export interface SettingsRoutePorts extends DeployPorts, ChangeSettingsPorts, UnlockPorts {
  readonly deployments: DeploymentStore;
  readonly archives: ArchiveStore;
}

/** Returns the routes that decide how long a deployment stays and who may see it, and those for who may. */
export function settingsRoutes(ports: SettingsRoutePorts): Route[] {
  return [
    route('changeDeployment', async ({ request, params, body }) => {
      const deployment = await requireDeployment(params.id, request, ports);
      return resourceResponse(await changeSettings(deployment, body, ports), ports);
    }),
    route('claimDeployment', async ({ request, params }) => {
      const { caller } = request;
      if (!caller?.credential)
        throw unauthorizedError('A claim needs the API key or access token that the deployment moves to');
      const deployment = await knownDeployment(params.id, ports.deployments);
      if (deployment.owner !== caller.id)
        await requireOwner(deployment, caller, senderOf(request).token, ports.tokens);
      return resourceResponse(await claimDeployment(deployment, caller.id, ports), ports);
    }),
    route('unlockDeployment', async ({ request, params, body }) => {
      const deployment = await knownDeployment(params.id, ports.deployments);
      requireLive(deployment);
      const parameters = await unlock(deployment, body.password, viewerAddress(request), ports);
      const site = visitedSite(deployment, request.headers.origin, ports);
      return { statusCode: 303, headers: { Location: pageUrl(site, body.to ?? '/', parameters) } };
    }),
    route('getDeploymentArchive', async ({ request, params }) => {
      const deployment = await requireDeployment(params.id, request, ports);
      const { version } = requireLive(deployment);
      return { statusCode: 303, headers: { Location: await ports.archives.presign(deployment.id, version) } };
    }),
    route('getDeploymentScreenshot', async ({ request, params, query }) => {
      const deployment = await requireDeployment(params.id, request, ports);
      const { version } = requireLive(deployment);
      return screenshot(deployment, query.version ?? version, query.width, ports);
    }),
  ];
}

/** Returns the address of the pages where a form was sent from: an own domain, or the deployment's own origin. */
function visitedSite(
  deployment: Deployment,
  origin: string | undefined,
  origins: Pick<SettingsRoutePorts, 'baseUrl' | 'siteOrigin'>,
): string {
  const { id, domains = [] } = deployment;
  const urls = domains.map(({ domain }) => domainUrl(domain, origins.baseUrl));
  const from = urls.find((url) => new URL(url).origin === origin);
  return from ?? ownSite(id, origins) ?? `${deploymentUrl(id, origins.baseUrl)}/`;
}

/** @throws ApiError not_found */
async function screenshot(
  { id, versions }: Deployment,
  wanted: string,
  width: LookWidth,
  { archives }: SettingsRoutePorts,
): Promise<ApiResponse> {
  const version = versions.find((one) => one.version === wanted);
  const picture = version && (await archives.pictures(id, version.version))?.get(width);
  if (!picture) throw new ApiError('not_found', 'There is no picture of this version');
  return {
    statusCode: 200,
    headers: { 'Content-Type': 'image/png', 'Cache-Control': 'private, no-cache' },
    bytes: picture,
  };
}
