import type { DeploymentResource } from '../contract/deploy.ts';
import { ApiError } from '../contract/errors.ts';
import { type ListPorts, listResponse } from '../http/list.ts';
import { ifMatch } from '../http/preconditions.ts';
import type { ApiRequest, ApiResponse } from '../http/request.ts';
import { type Route, route } from '../http/router.ts';
import type { Deployment } from '../stored/deployment.ts';
import { DEPLOYMENT_ID } from '../stored/deployment-id.ts';
import { ANONYMOUS, requireOwner, senderOf } from '../stored/deployment-owner.ts';
import { buildRoute } from './build-route.ts';
import type { DeployPorts } from './deploy.ts';
import { type DeployRoutePorts, deployRoutes } from './deploy-routes.ts';
import { startLook } from './look-starter.ts';
import { looksOf } from './looks.ts';
import { deleteDeployment, type ManagePorts, requireLive, rollBack } from './manage.ts';
import { buildsOf, deploymentResource, deploymentSummary } from './resource.ts';
import { lookTenant } from './version-look.ts';

export interface DeploymentPorts extends DeployRoutePorts, ManagePorts, ListPorts {}

/** Returns the routes for deploying files and for managing deployments. */
export function deploymentRoutes(ports: DeploymentPorts): Route[] {
  return [
    ...deployRoutes(ports),
    buildRoute(ports),
    route('getDeployment', async ({ request, params }) => {
      return resource(await requireDeployment(params.id, request, ports), ports);
    }),
    route('rollbackDeployment', async ({ request, params, body }) => {
      const deployment = await requireDeployment(params.id, request, ports);
      const changed = await rollBack(deployment, body.version, ifMatch(request), ports);
      const response = await resource(changed, ports);
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

async function resource(
  deployment: Deployment,
  ports: DeployPorts,
): Promise<ApiResponse & { readonly body: DeploymentResource }> {
  const live = requireLive(deployment);
  const [builds, looks] = await Promise.all([
    buildsOf(deployment, ports.archives),
    looksOf(deployment, ports),
  ]);
  return {
    statusCode: 200,
    headers: { ETag: `"${live.version}"` },
    body: deploymentResource(deployment, live, ports, { builds, looks }),
  };
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

/** Returns a deployment. @throws ApiError not_found, or unauthorized or forbidden if the caller does not own it */
async function requireDeployment(
  id: string | undefined,
  request: ApiRequest,
  { deployments, tokens }: DeployPorts,
): Promise<Deployment> {
  const deployment = id !== undefined && DEPLOYMENT_ID.test(id) ? await deployments.find(id) : undefined;
  if (!deployment) throw new ApiError('not_found', 'There is no such deployment');
  await requireOwner(deployment, request.caller, senderOf(request).token, tokens);
  return deployment;
}
