import { unauthorizedError } from '../../access/credential-errors.ts';
import { ApiError } from '../../contract/errors.ts';
import type { ApiRequest, ApiResponse } from '../../http/request.ts';
import { type Route, route } from '../../http/router.ts';
import type { CustomDomain } from '../../stored/custom-domain.ts';
import type { Deployment } from '../../stored/deployment.ts';
import { ANONYMOUS } from '../../stored/deployment-owner.ts';
import type { DeployPorts } from '../deploy.ts';
import { requireLive } from '../manage.ts';
import { knownDeployment } from '../resource-response.ts';
import type { DeploymentStore } from '../store/deployment-store.ts';
import { domainResource } from './dns-records.ts';
import { acceptDomain } from './domain-name.ts';
import { type DomainPorts, putDomain, removeDomain } from './manage-domains.ts';

export interface DomainRoutePorts extends DeployPorts {
  readonly deployments: DeploymentStore;
  /** Undefined if the stage has no custom domains. */
  readonly customDomains?: DomainPorts | undefined;
}

/** Returns the routes for the domains of deployments. */
export function domainRoutes(ports: DomainRoutePorts): Route[] {
  return [
    route('putDomain', async ({ request, params }) => {
      const deployment = await ownedDeployment(params.id, request, ports);
      const customDomains = supported(ports);
      requireLive(deployment);
      const domain = acceptDomain(params.domain ?? '', ports);
      return respond(await putDomain(deployment, domain, customDomains), customDomains, ports);
    }),
    route('deleteDomain', async ({ request, params }) => {
      const deployment = await ownedDeployment(params.id, request, ports);
      const customDomains = supported(ports);
      const domain = acceptDomain(params.domain ?? '', ports);
      return respond(await removeDomain(deployment, domain, customDomains), customDomains, ports);
    }),
  ];
}

/**
 * Returns a deployment of the caller's key or token: a domain outlives what is known of an anonymous caller.
 * @throws ApiError not_found, unauthorized, forbidden
 */
async function ownedDeployment(
  id: string | undefined,
  { caller }: ApiRequest,
  { deployments }: DomainRoutePorts,
): Promise<Deployment> {
  if (!caller?.credential)
    throw unauthorizedError('Domains need an API key or an access token: send it as Authorization: Bearer');
  const deployment = await knownDeployment(id, deployments);
  if (deployment.owner === caller.id) return deployment;
  const message =
    deployment.owner === ANONYMOUS
      ? 'The deployment is anonymous: claim it with the API key first, then it can have a domain'
      : 'The deployment was made with another credential';
  throw new ApiError('forbidden', message);
}

/** @throws ApiError not_found */
function supported({ customDomains }: DomainRoutePorts): DomainPorts {
  if (customDomains) return customDomains;
  throw new ApiError('not_found', 'This service has no custom domains: its operator can turn them on');
}

function respond(entry: CustomDomain, { target }: DomainPorts, { baseUrl }: DomainRoutePorts): ApiResponse {
  return { statusCode: 200, body: domainResource(entry, target, baseUrl) };
}
