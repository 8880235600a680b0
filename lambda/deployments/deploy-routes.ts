import { type DeployRequest, deployRequest } from '../contract/deploy.ts';
import { ApiError } from '../contract/errors.ts';
import { WARNING_HEADER } from '../contract/headers.ts';
import { LIMITS } from '../contract/limits.ts';
import type { Delivery } from '../contract/responses/webhooks.ts';
import { acceptWebhook, idempotencyKey, ifMatch, jsonBody, type Receiver } from '../http/input.ts';
import type { ApiRequest, ApiResponse } from '../http/request.ts';
import { type Call, type Route, route } from '../http/router.ts';
import { announcedBytes, type CountStored, type StoredBytes } from '../http/stored-bytes.ts';
import { log } from '../platform/log.ts';
import {
  ANONYMOUS,
  anonymousDeployer,
  claimPath,
  holdsToken,
  type Sender,
  senderOf,
  TOKEN_HEADER,
  tokenFor,
} from '../stored/deployment-owner.ts';
import type { GeneratedProjects } from '../stored/projects/project-contents.ts';
import { type DeployResult, deploy } from './deploy.ts';
import { type DeploymentNames, type IdempotencyStore, newDeploymentNames } from './idempotency-store.ts';
import { ownSite } from './resource.ts';
import { type WantedSettings, wantedAccess } from './settings.ts';
import type { DeployStage } from './stage.ts';
import { type StagedBodies, stagedOwner } from './staging/staged-bodies.ts';
import { acceptSubmission, fingerprint, type Submission, submissionOf } from './submission.ts';

/** The stores and services of the operations that deploy. */
export interface DeployApi extends DeployStage {
  readonly idempotency: IdempotencyStore;
  readonly staged: StagedBodies;
  /** Returns the files of a generation that a caller may read. */
  readonly generated: GeneratedProjects['visible'];
  /** Starts the delivery of a notification, unless one with that id has been started. */
  readonly startDelivery: (delivery: Delivery) => Promise<void>;
  readonly allowPrivateWebhooks: boolean;
  readonly countStored: CountStored;
}

/** Returns the routes that deploy files, from the request or from a stored body. */
export function deployRoutes(stage: DeployApi): Route[] {
  const deployStaged = async ({ request, params: { id = '' } }: Pick<Call<'deployStaged'>, 'request' | 'params'>) => {
    const requester = senderOf(request);
    const owner = stagedOwner(id, requester);
    if (owner === undefined) throw noSuchBody();
    const sender = { ...requester, owner };
    if (owner === ANONYMOUS) stage.tokens.prepare();
    // Before the id is recorded, so that only stored bodies cost a write.
    const staged = await stage.staged.open(id);
    if (!staged) throw noSuchBody();
    const perform = async (names: DeploymentNames) => {
      const bytes = await staged.read();
      const body = { ...staged, rawBody: () => bytes };
      const submitted = await jsonBody(body, deployRequest, LIMITS.decodedDeployBytes);
      const site = await acceptBody(submitted, body, request, stage);
      // Headers that were stored with the body take precedence over those of this request.
      const headers = { ...request.headers, ...staged.headers };
      return deployOnce(site, { headers }, sender, request, names, stage);
    };
    const result = await stage.idempotency.perform(['staged', id], '', perform).finally(staged.close);
    return deployResponse(result, sender, stage);
  };
  return [
    route(
      'deploy',
      async ({ request, body }) => {
        const sender = senderOf(request);
        if (sender.owner === ANONYMOUS) stage.tokens.prepare();
        const site = await acceptBody(body, request, request, stage);
        const result = await deployOnce(site, request, sender, request, newDeploymentNames(), stage);
        return deployResponse(result, sender, stage);
      },
      announcedBytes,
    ),
    route('deployStaged', deployStaged),
    route('postDeployStaged', deployStaged),
  ];
}

/** The files of a request, and the receiver to notify. */
interface AcceptedSubmission extends Submission {
  readonly receiver: Receiver | undefined;
  readonly wanted: WantedSettings;
  readonly counted: Omit<StoredBytes, 'stored'>;
}

/**
 * Returns the files of a request, or those of the generation that it names.
 * @param sent what carried them
 * @throws ApiError
 */
async function acceptBody(
  { files, generationId, projectId, webhook, build, env, expiresInSeconds, ...sharing }: DeployRequest,
  sent: Pick<ApiRequest, 'rawBody'>,
  { caller }: ApiRequest,
  { generated, allowPrivateWebhooks, siteOrigin, clock }: DeployApi,
): Promise<AcceptedSubmission> {
  const access = await wantedAccess(sharing, siteOrigin !== undefined, clock());
  const receiver = acceptWebhook(webhook, caller, allowPrivateWebhooks);
  const submission =
    generationId === undefined
      ? acceptSubmission({ files, projectId, build, env })
      : submissionOf(await generated(generationId, caller), projectId, { build, env });
  const counted = { announced: announcedBytes(sent), sent: sent.rawBody().length };
  return { ...submission, receiver, wanted: { expiresInSeconds, access }, counted };
}

/** @param sent the request that carried the files, with its `If-Match` and `Idempotency-Key` */
async function deployOnce(
  site: AcceptedSubmission,
  sent: Pick<ApiRequest, 'headers'>,
  sender: Sender,
  request: ApiRequest,
  names: DeploymentNames,
  stage: DeployApi,
): Promise<DeployResult> {
  const tenant = request.caller?.id ?? ANONYMOUS;
  const deployer = sender.owner === ANONYMOUS ? await anonymousDeployer(request.caller, stage.idSecret) : undefined;
  const countStored = (stored: number) => stage.countStored(request.caller, { ...site.counted, stored });
  const conditional = {
    ...sender,
    ifMatch: ifMatch(sent),
    tenant,
    deployer,
    countStored,
    settings: site.wanted,
  };
  const key = idempotencyKey(sent);
  const perform = (claimed: DeploymentNames) => deploy(site, conditional, claimed, stage);
  const result = await (key === undefined
    ? perform(names)
    : stage.idempotency.perform(['deploy', sender.owner, request.caller?.id ?? '', key], contentOf(site), perform));
  await notify(site.receiver, result, stage);
  return result;
}

/** Returns what equal requests have in common. It is stored, so it has no password. */
function contentOf(site: AcceptedSubmission): string {
  const { access, expiresInSeconds } = site.wanted;
  const isSet = access !== undefined || expiresInSeconds !== undefined;
  const settings = isSet ? JSON.stringify([access === null ? 'public' : access?.type, expiresInSeconds]) : '';
  return fingerprint(site) + (site.receiver?.url ?? '') + settings;
}

/**
 * Starts the delivery of the notification of a deploy, once for all requests that made it. Errors are only logged: the deploy
 * is committed.
 */
async function notify(
  receiver: Receiver | undefined,
  { response, version, created }: DeployResult,
  { startDelivery, clock }: DeployApi,
): Promise<void> {
  if (!receiver) return;
  const type = created ? 'deployment.created' : 'deployment.updated';
  const timestamp = new Date(clock()).toISOString();
  const id = `deployment-${response.id}-${version}`;
  const event = { type, timestamp, data: { ...response, version } } as const;
  await startDelivery({ id, ...receiver, event }).catch((error: unknown) =>
    log.error('webhook not started', { webhook: id, error }),
  );
}

/** Returns links of a deployment: the address that visitors see, and where its holder can claim it. */
function linksOf(id: string, site: string | undefined, claim: string | undefined): string | undefined {
  const links = [
    ...(site === undefined ? [] : [`<${site}>; rel="canonical"`]),
    ...(claim === undefined ? [] : [`<${claim}${claimPath(id)}>; rel="claim"`]),
  ];
  return links.length > 0 ? links.join(', ') : undefined;
}

/**
 * Returns the response of a deploy, with the token if the deploy created an anonymous deployment or sent the token.
 * @throws ApiError forbidden for the token of another deployment, even if the result was stored before
 */
async function deployResponse(
  { response, version, created, first, bytes, warning, endsAt, site }: DeployResult,
  { owner, token }: Sender,
  stage: DeployStage,
): Promise<ApiResponse> {
  const { tokens } = stage;
  const { id } = response;
  const holds = await holdsToken(id, token, tokens);
  const given = await tokenFor(id, { owner, holdsToken: holds, first }, tokens);
  // A claim needs the token.
  const links = linksOf(id, site ?? ownSite(id, stage), given === undefined ? undefined : stage.baseUrl);
  const headers = {
    ETag: `"${version}"`,
    ...(warning === undefined ? {} : { [WARNING_HEADER]: warning }),
    ...(links === undefined ? {} : { Link: links }),
    ...(endsAt === undefined ? {} : { 'X-Deployment-Expires': String(endsAt) }),
    ...(given === undefined ? {} : { [TOKEN_HEADER]: given }),
  };
  const amounts = { files: response.fileCount, bytes };
  return created
    ? { statusCode: 201, headers: { ...headers, Location: response.url }, body: response, amounts }
    : { statusCode: 200, headers, body: response, amounts };
}

/** One message for all reasons, so that it does not reveal other senders' bodies. */
function noSuchBody(): ApiError {
  return new ApiError(
    'not_found',
    'There is no such body: bodies are kept for a day, and only for the credentials they were sent with',
  );
}
