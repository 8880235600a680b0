import type { DeploymentResource } from '../contract/deploy.ts';
import { ifMatch } from '../http/input.ts';
import { type ListPorts, listResponse } from '../http/list.ts';
import { type Route, route } from '../http/router.ts';
import type { Deployment } from '../stored/deployment.ts';
import { ANONYMOUS } from '../stored/deployment-owner.ts';
import type { DeployPorts } from './deploy.ts';
import { type DeployRoutePorts, deployRoutes } from './deploy-routes.ts';
import { domainRoutes } from './domains/routes.ts';
import { startLook } from './looks/look-starter.ts';
import { lookTenant } from './looks/version-look.ts';
import { deleteDeployment, type ManagePorts, requireLive, rollBack } from './manage.ts';
import { deploymentSummary } from './resource.ts';
import { requireDeployment, resourceResponse } from './resource-response.ts';
import { type SettingsRoutePorts, settingsRoutes } from './settings/routes.ts';
import type { ArchiveStore } from './store/archive-store.ts';
import { buildRoute } from './submission/build-route.ts';
import { type ViewsPorts, viewsRoute } from './views.ts';

export interface DeploymentPorts
  extends DeployRoutePorts,
    ManagePorts,
    ListPorts,
    SettingsRoutePorts,
    ViewsPorts {
  readonly archives: ArchiveStore;
}

/** Returns the routes for deploying files and for managing deployments. */
export function deploymentRoutes(ports: DeploymentPorts): Route[] {
  return [
    ...deployRoutes(ports),
    buildRoute(ports),
    ...settingsRoutes(ports),
    viewsRoute(ports),
    ...domainRoutes(ports),
    route('getDeployment', async ({ request, params }) => {
      return resourceResponse(await requireDeployment(params.id, request, ports), ports);
    }),
    route('rollbackDeployment', async ({ request, params, body }) => {
      const deployment = await requireDeployment(params.id, request, ports);
      const changed = await rollBack(deployment, body.version, ifMatch(request), ports);
      const response = await resourceResponse(changed, ports);
      await lookAgain(changed, response.body, request.caller?.id ?? ANONYMOUS, ports);
      return response;
    }),
    route('deleteDeployment', async ({ request, params }) => {
      const deployment = await requireDeployment(params.id, request, ports);
      const deletion = await deleteDeployment(deployment, ifMatch(request), ports);
      return { statusCode: 200, body: { id: deployment.id, status: 'deleted', ...deletion } };
    }),
    route('listDeployments', (call) =>
      listResponse(
        'listDeployments',
        call,
        ports,
        (page) => ports.deployments.list(page),
        (deployment) => deploymentSummary(deployment, ports),
      ),
    ),
  ];
}

/** Starts the look at a version that a rollback made live, unless one is stored. @param tenant for whom the deployment is built */
async function lookAgain(
  deployment: Deployment,
  { look }: DeploymentResource,
  tenant: string,
  { looks }: Pick<DeployPorts, 'looks'>,
): Promise<void> {
  if (look.state !== 'looking') return;
  const { id } = deployment;
  const { version, entry, rolledBackAt } = requireLive(deployment);
  await startLook({ id, version, rolledBackAt, tenant: lookTenant(tenant, id) }, entry, looks);
}
