import type { DeploymentResource } from '../contract/deploy.ts';
import { ApiError } from '../contract/errors.ts';
import type { ApiRequest, ApiResponse } from '../http/request.ts';
import type { Deployment } from '../stored/deployment.ts';
import { DEPLOYMENT_ID } from '../stored/deployment-id.ts';
import { requireOwner, senderOf } from '../stored/deployment-owner.ts';
import type { DeployPorts } from './deploy.ts';
import { looksOf } from './looks/looks.ts';
import { requireLive } from './manage.ts';
import { buildsOf, deploymentResource } from './resource.ts';
import type { DeploymentStore } from './store/deployment-store.ts';

/** Returns the response with a deployment as its owner sees it. @throws ApiError gone */
export async function resourceResponse(
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

/** Returns a deployment. @throws ApiError not_found, or unauthorized or forbidden if the caller does not own it */
export async function requireDeployment(
  id: string | undefined,
  request: ApiRequest,
  { deployments, tokens }: Pick<DeployPorts, 'deployments' | 'tokens'>,
): Promise<Deployment> {
  const deployment = await knownDeployment(id, deployments);
  await requireOwner(deployment, request.caller, senderOf(request).token, tokens);
  return deployment;
}

/** Returns a deployment, whoever owns it. @throws ApiError not_found */
export async function knownDeployment(
  id: string | undefined,
  deployments: Pick<DeploymentStore, 'find'>,
): Promise<Deployment> {
  const deployment = id !== undefined && DEPLOYMENT_ID.test(id) ? await deployments.find(id) : undefined;
  if (!deployment) throw new ApiError('not_found', 'There is no such deployment');
  return deployment;
}
