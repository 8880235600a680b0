import { unauthorizedError } from '../access/credential-errors.ts';
import { viewerAddress } from '../access/viewer-address.ts';
import type { DeploymentResource } from '../contract/deploy.ts';
import { ApiError } from '../contract/errors.ts';
import { WARNING_HEADER } from '../contract/headers.ts';
import { VIEWS_DAYS } from '../contract/limits.ts';
import type { LookWidth } from '../contract/looks.ts';
import type { SettingsRequest } from '../contract/page-settings.ts';
import type { Period } from '../contract/queries.ts';
import { ifMatch, periodOf, requireAllowed } from '../http/input.ts';
import { type ListLinks, listResponse } from '../http/list.ts';
import type { ApiRequest, ApiResponse } from '../http/request.ts';
import { type Route, route } from '../http/router.ts';
import { type CustomDomain, domainUrl } from '../stored/custom-domain.ts';
import type { OwnedData } from '../stored/data/site-data-table.ts';
import { DEPLOYMENT_ID, type Deployment } from '../stored/deployment.ts';
import { ANONYMOUS, anonymousDeployer, requireOwner, senderOf } from '../stored/deployment-owner.ts';
import type { PointerStore } from '../stored/pointer-store.ts';
import { sharedTenant } from '../stored/tenant-function.ts';
import type { DayViews } from '../stored/views.ts';
import { buildRoute } from './build-route.ts';
import { backupsUntil } from './data/owned-data.ts';
import { dataRoutes } from './data/routes.ts';
import { type DeployApi, deployRoutes } from './deploy-routes.ts';
import type { CustomDomains } from './domains/custom-domains.ts';
import { acceptDomain, domainResource } from './domains/dns.ts';
import { readVersionLooks, startLook } from './looks/version-looks.ts';
import { dataWarning, deleteDeployment, requireLive, rollBack } from './manage.ts';
import { buildsOf, deploymentResource, deploymentSummary, deploymentUrl, type Origins, ownSite } from './resource.ts';
import { changeSettings, claimDeployment } from './settings.ts';
import type { DeployStage } from './stage.ts';
import { type PasswordCounters, pageUrl, unlock } from './unlock.ts';
import { viewsReport } from './views.ts';

/** The stores and services of the API of deployments. */
interface DeploymentsApi extends DeployApi, PasswordCounters, ListLinks {
  /** Undefined if the stage has no custom domains. */
  readonly customDomains?: CustomDomains | undefined;
  /** Returns the days of a page that have views, earliest first; none if the stage has no table of views. */
  readonly readViews: (page: string, period: Period) => Promise<readonly DayViews[]>;
  /** Undefined if sites of the stage have no data. */
  readonly data?: OwnedData | undefined;
  /** Why the stage counts no views; undefined if it does. */
  readonly viewsUncounted: string | undefined;
}

/** Returns the routes for deploying files and for managing deployments. */
export function deploymentRoutes(stage: DeploymentsApi): Route[] {
  return [
    ...deployRoutes(stage),
    buildRoute(stage.builder, stage.generated),
    ...settingsRoutes(stage),
    ...domainRoutes(stage),
    route('getDeployment', async ({ request, params }) => {
      return resourceResponse(await requireDeployment(params.id, request, stage), stage);
    }),
    route('rollbackDeployment', async ({ request, params, body }) => {
      const deployment = await requireDeployment(params.id, request, stage);
      const changed = await rollBack(deployment, body.version, ifMatch(request), stage);
      const response = await resourceResponse(changed, stage);
      await lookAgain(changed, response.body, request.caller?.id ?? ANONYMOUS, stage);
      const warning = dataWarning(changed);
      if (warning === undefined) return response;
      return { ...response, headers: { ...response.headers, [WARNING_HEADER]: warning } };
    }),
    route('deleteDeployment', async ({ request, params }) => {
      const deployment = await requireDeployment(params.id, request, stage);
      const deployer = await anonymousDeployer(request.caller, stage.idSecret);
      const deletion = await deleteDeployment(deployment, ifMatch(request), stage, deployer);
      const kept = deployment.data && { backupsUntil: backupsUntil(deletion.deletedAt) };
      return { statusCode: 200, body: { id: deployment.id, status: 'deleted', ...deletion, ...kept } };
    }),
    route('getDeploymentViews', async ({ request, params, query }) => {
      const deployment = await requireDeployment(params.id, request, stage);
      requireLive(deployment);
      const period = periodOf(query, stage.clock(), VIEWS_DAYS);
      const days = await stage.readViews(deployment.id, period);
      return { statusCode: 200, body: viewsReport(days, period, stage.viewsUncounted) };
    }),
    ...dataRoutes({ ...stage, owned: (id, request) => requireDeployment(id, request, stage) }),
    route('listDeployments', (call) =>
      listResponse(
        'listDeployments',
        call,
        stage,
        (page) => stage.pointers.list(page),
        (deployment) => deploymentSummary(deployment, stage),
      ),
    ),
  ];
}

/** Starts the look at a version that a rollback made live, unless one is stored. @param tenant for `Builder.build` */
async function lookAgain(
  deployment: Deployment,
  { look }: DeploymentResource,
  tenant: string,
  { looks }: Pick<DeployStage, 'looks'>,
): Promise<void> {
  if (look.state !== 'looking') return;
  const { id } = deployment;
  const { version, entry, rolledBackAt } = requireLive(deployment);
  await startLook({ id, version, rolledBackAt, tenant: sharedTenant(tenant) }, entry, looks);
}

/** Returns the routes for the life and the access of a deployment, for its visitors' passwords, and for its archive and pictures. */
function settingsRoutes(stage: DeploymentsApi): Route[] {
  return [
    route('changeDeployment', async ({ request, params, body }) => {
      const deployment = await requireDeployment(params.id, request, stage);
      acceptDataWebhook(body, deployment, request, stage);
      const deployer = await anonymousDeployer(request.caller, stage.idSecret);
      return resourceResponse(await changeSettings(deployment, body, stage, deployer), stage);
    }),
    route('claimDeployment', async ({ request, params }) => {
      const { caller } = request;
      if (!caller?.credential)
        throw unauthorizedError('A claim needs the API key or access token that the deployment moves to');
      const deployment = await knownDeployment(params.id, stage.pointers);
      if (deployment.owner !== caller.id) await requireOwner(deployment, caller, senderOf(request).token, stage.tokens);
      return resourceResponse(await claimDeployment(deployment, caller.id, stage), stage);
    }),
    route('unlockDeployment', async ({ request, params, body }) => {
      const deployment = await knownDeployment(params.id, stage.pointers);
      requireLive(deployment);
      const parameters = await unlock(deployment, body.password, viewerAddress(request), stage, stage.clock);
      const site = visitedSite(deployment, request.headers.origin, stage);
      return { statusCode: 303, headers: { Location: pageUrl(site, body.to ?? '/', parameters) } };
    }),
    route('getDeploymentArchive', async ({ request, params }) => {
      const deployment = await requireDeployment(params.id, request, stage);
      const { version } = requireLive(deployment);
      return { statusCode: 303, headers: { Location: await stage.archives.presign(deployment.id, version) } };
    }),
    route('getDeploymentScreenshot', async ({ request, params, query }) => {
      const deployment = await requireDeployment(params.id, request, stage);
      const { version } = requireLive(deployment);
      return screenshot(deployment, query.version ?? version, query.width, stage);
    }),
  ];
}

/** @throws ApiError invalid_request without the API key of the deployment, and for a URL that the stage does not allow */
function acceptDataWebhook(
  { dataWebhook }: SettingsRequest,
  { owner }: Deployment,
  { caller }: ApiRequest,
  { allowPrivateWebhooks }: DeploymentsApi,
): void {
  if (!dataWebhook) return;
  if (owner === ANONYMOUS || caller?.credential?.kind !== 'key')
    throw new ApiError(
      'invalid_request',
      'dataWebhook needs an API key, whose secret signs notifications: claim the deployment with one first',
    );
  requireAllowed('dataWebhook', dataWebhook, allowPrivateWebhooks);
}

/** Returns the site whose page sent a form: a custom domain, or the deployment's own origin. */
function visitedSite(deployment: Deployment, origin: string | undefined, origins: Origins): string {
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
  { archives }: Pick<DeployStage, 'archives'>,
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

function domainRoutes(stage: DeploymentsApi): Route[] {
  return [
    route('putDomain', async ({ request, params }) => {
      const deployment = await ownedDeployment(params.id, request, stage);
      const customDomains = requireDomains(stage);
      requireLive(deployment);
      const domain = acceptDomain(params.domain ?? '', stage);
      return domainResponse(await customDomains.put(deployment, domain), customDomains, stage);
    }),
    route('deleteDomain', async ({ request, params }) => {
      const deployment = await ownedDeployment(params.id, request, stage);
      const customDomains = requireDomains(stage);
      const domain = acceptDomain(params.domain ?? '', stage);
      return domainResponse(await customDomains.remove(deployment, domain), customDomains, stage);
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
  { pointers }: Pick<DeployStage, 'pointers'>,
): Promise<Deployment> {
  if (!caller?.credential)
    throw unauthorizedError('Domains need an API key or an access token: send it as Authorization: Bearer');
  const deployment = await knownDeployment(id, pointers);
  if (deployment.owner === caller.id) return deployment;
  const message =
    deployment.owner === ANONYMOUS
      ? 'The deployment is anonymous: claim it with the API key first, then it can have a domain'
      : 'The deployment was made with another credential';
  throw new ApiError('forbidden', message);
}

/** @throws ApiError not_found */
function requireDomains({ customDomains }: DeploymentsApi): CustomDomains {
  if (customDomains) return customDomains;
  throw new ApiError('not_found', 'This service has no custom domains: its operator can turn them on');
}

function domainResponse(entry: CustomDomain, { target }: CustomDomains, { baseUrl }: Origins): ApiResponse {
  return { statusCode: 200, body: domainResource(entry, target, baseUrl) };
}

/** Returns the response with a deployment as its owner sees it. @throws ApiError gone */
async function resourceResponse(
  deployment: Deployment,
  stage: DeployStage,
): Promise<ApiResponse & { readonly body: DeploymentResource }> {
  const live = requireLive(deployment);
  const [builds, looks] = await Promise.all([
    buildsOf(deployment, stage.archives),
    readVersionLooks(deployment, stage.archives, stage.looks.skipped, stage.baseUrl, stage.clock()),
  ]);
  return {
    statusCode: 200,
    headers: { ETag: `"${live.version}"` },
    body: deploymentResource(deployment, live, stage, { builds, looks }),
  };
}

/** Returns a deployment. @throws ApiError not_found, or unauthorized or forbidden if the caller does not own it */
async function requireDeployment(
  id: string | undefined,
  request: ApiRequest,
  { pointers, tokens }: Pick<DeployStage, 'pointers' | 'tokens'>,
): Promise<Deployment> {
  const deployment = await knownDeployment(id, pointers);
  await requireOwner(deployment, request.caller, senderOf(request).token, tokens);
  return deployment;
}

/** Returns a deployment, whoever owns it. @throws ApiError not_found */
async function knownDeployment(id: string | undefined, pointers: Pick<PointerStore, 'find'>): Promise<Deployment> {
  const deployment = id !== undefined && DEPLOYMENT_ID.test(id) ? await pointers.find(id) : undefined;
  if (!deployment) throw new ApiError('not_found', 'There is no such deployment');
  return deployment;
}
