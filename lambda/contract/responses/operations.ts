import type * as z from 'zod';
import type { OPERATIONS, OperationName } from '../operations.ts';
import { buildResponse } from './builds.ts';
import { clearedCollection, collectionList, dataItem, dataLink, dataPage, deletedItem } from './data.ts';
import {
  deletedDeployment,
  deploymentResource,
  deployResponse,
  domainResource,
  reportResponse,
  storedBody,
} from './deploy.ts';
import { GENERATION_EVENTS } from './events.ts';
import { generateResponse, generationResource } from './generate.ts';
import type { SentHeader } from './headers.ts';
import { assetList, createdAsset, deploymentList, generationList, shownAsset } from './lists.ts';
import { providerList } from './providers.ts';
import { usageResponse, viewsResponse } from './usage.ts';

/**
 * Responses of an operation in the reference and of tools for agents. Other functions import only types from this folder, so
 * that they do not load its schemas with every cold start.
 */
interface Responses<Name extends OperationName> {
  /** Schema of the body of a success, if there is one. */
  readonly body?: z.ZodType;
  /** Schemas of the bodies of successes, by status, where they differ from `body`. */
  readonly bodies?: Readonly<Record<number, z.ZodType>>;
  /** Media type of the body of a success that is not JSON, or that a caller can choose instead. */
  readonly media?: 'image/png' | 'text/csv';
  /** Server-sent events by type, if the operation can respond with a stream of them. */
  readonly events?: typeof GENERATION_EVENTS;
  /** Headers by status, besides those that every operation sends with it. */
  readonly headers?: Readonly<Record<number, readonly SentHeader[]>>;
  /** Descriptions of errors for which the one in `ERRORS` is too general. */
  readonly errors?: { readonly [Code in (typeof OPERATIONS)[Name]['errors'][number]]?: string };
}

const smallRequest = { payload_too_large: 'The request exceeds the size limit.' } as const;

const generation = { not_found: 'The generation does not exist, or is older than 24 hours.' } as const;

const ofDeploy = ['X-Deployment-Token?', 'X-Deployment-Warning?', 'X-Deployment-Expires?'] as const;
const generationHeaders = [
  'X-Generation-Id',
  'X-Generation-Status?',
  'X-Generation-Look?',
  'X-Generation-Matched?',
  ...ofDeploy,
  'Link?',
] as const;
const pending = ['X-Generation-Id', 'Location'] as const;
const failed = ['X-Generation-Id?'] as const;
const failedGeneration = { 409: failed, 500: failed, 503: failed, 504: failed } as const;
const aboutGeneration = { 200: ['X-Generation-Id', ...ofDeploy, 'Link?'], ...failedGeneration } as const;

const deployHeaders = ['ETag', 'Link?', ...ofDeploy] as const;
const changed = { 200: deployHeaders, 201: [...deployHeaders, 'Location'] } as const;
const versioned = { 200: ['ETag'] } as const;

const deploying = {
  build_failed:
    'The files are source that cannot be built. `error` is the first problem with its place, `problems` has up to 20. Nothing was changed.',
  invalid_request:
    'A field or the path of a file is missing or invalid, or `webhook` was sent without an API key. `error` says which.',
  unauthorized: 'The credential is invalid, or the `projectId` requires its `X-Deployment-Token`.',
  forbidden:
    'The `X-Deployment-Token` is not that of this deployment; or `_data.json` differs, and there is neither a key nor a token. Nothing was changed.',
  conflict:
    'The deployment was modified concurrently: retry the request. Or the generation has no project, or not yet.',
} as const;

const concurrent = 'The deployment was modified concurrently. Retry the request.';

const staged = {
  ...deploying,
  not_found:
    'The body or the generation does not exist, or belongs to other credentials. Bodies are kept for a day. Anyone who knows the `Location` can deploy a body that was sent without credentials.',
} as const;

const deployment = {
  unauthorized:
    'The credential is missing or invalid. A deployment made without one requires its `X-Deployment-Token`.',
  forbidden: 'The deployment belongs to another owner.',
  not_found: 'The deployment does not exist.',
} as const;

const domain = {
  invalid_request: 'The domain is no name that a deployment can have. `error` says why.',
  not_found: 'The deployment does not exist, or the service has no custom domains.',
  deployment_backend_unreachable: 'Part of the service is unreachable: send the request again.',
} as const;

const data = {
  ...deployment,
  not_found: 'The deployment, the collection or the item does not exist, or the service has no data of sites.',
  deployment_backend_unreachable: 'Part of the service is unreachable: send the request again.',
} as const;

const asset = {
  forbidden: 'The credential lacks the scope `assets:write`.',
  not_found: 'The asset does not exist, or belongs to another owner.',
} as const;

const described = {
  invalid_request: 'A field is invalid, the asset is empty, or its media type is not accepted. `error` says which.',
  payload_too_large: 'The asset or the request exceeds the size limit.',
  forbidden: asset.forbidden,
} as const;

/** Headers of a page of a list. */
const listHeaders = { 200: ['Link?'] } as const;

const list = {
  invalid_request:
    '`limit` is not a number from 1 to 100, or `cursor` is not the `nextCursor` of an earlier page of this list.',
  unauthorized: 'The credential is missing or invalid.',
} as const;

export const RESPONSES: { readonly [Name in OperationName]: Responses<Name> } = {
  generate: {
    body: generateResponse,
    bodies: { 202: generationResource, 303: generationResource },
    events: GENERATION_EVENTS,
    headers: {
      200: generationHeaders,
      202: [...pending, 'Preference-Applied'],
      303: pending,
      ...failedGeneration,
    },
    errors: {
      payload_too_large: 'The request, a file or an image exceeds the size limit.',
      invalid_request:
        'The prompt is missing or invalid, or another field is invalid; or `webhook` was sent without an API key. `error` says which.',
      unauthorized:
        'The credential is invalid; or there is none, and images are given or the service generates for callers with a credential only.',
      forbidden:
        'The `X-Deployment-Token` is not that of the deployment to deploy to, or the credential lacks the scope for images. Nothing was generated.',
      not_found: 'The project in `from` or an image does not exist, or the caller may not read it.',
      conflict:
        'The generation was canceled while this request waited for it, that in `from` has no project, or an image is not marked as uploaded.',
    },
  },
  getGeneration: {
    body: generationResource,
    events: GENERATION_EVENTS,
    headers: aboutGeneration,
    errors: generation,
  },
  cancelGeneration: {
    body: generationResource,
    headers: aboutGeneration,
    errors: { ...generation, conflict: 'The generation has already ended.' },
  },
  getGenerationResult: {
    body: generateResponse,
    bodies: { 303: generationResource },
    headers: { 200: generationHeaders, 303: pending, ...failedGeneration },
    errors: { ...generation, conflict: 'The generation was canceled and has no result.' },
  },
  getGenerationScreenshot: {
    media: 'image/png',
    headers: { 200: ['X-Generation-Id'], ...failedGeneration },
    errors: {
      invalid_request: '`width` is not 390 or 1280, or `attempt` is not a number. `error` says which.',
      not_found: 'The generation does not exist, is older than 24 hours, or has no picture of that attempt and width.',
    },
  },
  listGenerations: { body: generationList, headers: listHeaders, errors: list },
  listProviders: { body: providerList },
  deploy: {
    body: deployResponse,
    bodies: { 303: storedBody },
    // API Gateway sends the 303 without a request id of its own.
    headers: { ...changed, 303: ['Location', 'X-Request-Id?'] },
    errors: { ...deploying, not_found: 'The generation does not exist, or the caller may not read it.' },
  },
  deployStaged: { body: deployResponse, headers: changed, errors: staged },
  postDeployStaged: { body: deployResponse, headers: changed, errors: staged },
  getDeployment: { body: deploymentResource, headers: versioned, errors: deployment },
  rollbackDeployment: {
    body: deploymentResource,
    headers: { 200: ['ETag', 'X-Deployment-Warning?'] },
    errors: {
      ...deployment,
      ...smallRequest,
      invalid_request: '`version` is missing or invalid.',
      not_found: 'The deployment or the version does not exist.',
      conflict: concurrent,
    },
  },
  deleteDeployment: { body: deletedDeployment, errors: { ...deployment, conflict: concurrent } },
  changeDeployment: {
    body: deploymentResource,
    headers: versioned,
    errors: {
      ...deployment,
      ...smallRequest,
      invalid_request:
        'A field is invalid, `password` is missing, or pages have no origins of their own, which private ones need. `error` says which.',
      conflict: concurrent,
      unavailable:
        'Part of the service is unreachable, or the page cannot become private now: its copies at the edge cannot be removed. `error` says what to do.',
    },
  },
  claimDeployment: {
    body: deploymentResource,
    headers: versioned,
    errors: {
      ...deployment,
      unauthorized: 'The API key or token is missing or invalid, or the `X-Deployment-Token` is missing.',
      forbidden: 'The `X-Deployment-Token` is not that of the deployment, or the deployment belongs to another owner.',
    },
  },
  unlockDeployment: {
    headers: { 303: ['Location'] },
    errors: { ...smallRequest, not_found: deployment.not_found, invalid_request: 'The password is missing.' },
  },
  putDomain: {
    body: domainResource,
    errors: {
      ...deployment,
      ...domain,
      unauthorized: 'The API key or token is missing or invalid.',
      forbidden:
        'The deployment belongs to another owner, or to none: claim it first. Or it has, or the key has, as many domains as it may.',
      conflict: concurrent,
    },
  },
  deleteDomain: {
    body: domainResource,
    errors: {
      ...deployment,
      ...domain,
      unauthorized: 'The API key or token is missing or invalid.',
      not_found: 'The deployment does not exist, or does not have the domain.',
    },
  },
  getDeploymentArchive: { headers: { 303: ['Location'] }, errors: deployment },
  getDeploymentScreenshot: {
    media: 'image/png',
    errors: {
      ...deployment,
      invalid_request: '`width` is not 390 or 1280.',
      not_found: 'The deployment or the version does not exist, or no browser has looked at it.',
    },
  },
  getDeploymentViews: {
    body: viewsResponse,
    errors: {
      ...deployment,
      invalid_request: '`from` or `to` is not a day, `from` is after `to`, or the period exceeds 90 days.',
    },
  },
  getDeploymentData: {
    body: collectionList,
    errors: { ...data, not_found: 'The deployment does not exist, or the service has no data of sites.' },
  },
  createDataLink: {
    body: dataLink,
    errors: {
      ...data,
      not_found: 'The deployment does not exist, or has no data.',
      invalid_request: 'Pages of this service have no origins of their own, which the link needs.',
    },
  },
  listDataItems: {
    body: dataPage,
    media: 'text/csv',
    headers: listHeaders,
    errors: {
      ...data,
      invalid_request: '`limit` is not a number from 1 to 100, or `cursor` is not the `nextCursor` of a page.',
    },
  },
  clearCollection: { body: clearedCollection, errors: data },
  getDataItem: { body: dataItem, errors: data },
  deleteDataItem: { body: deletedItem, errors: data },
  approveDataItem: {
    body: dataItem,
    errors: {
      ...data,
      invalid_request: '`seen` is not the `updatedAt` of an item.',
      conflict: 'The item has changed since it was read, or at the same time. Read it again.',
    },
  },
  listDeployments: { body: deploymentList, headers: listHeaders, errors: list },
  build: {
    body: buildResponse,
    errors: {
      invalid_request:
        'A field or the path of a file is missing or invalid, or the files are no source: deploy publishes them as they are. `error` says which.',
      payload_too_large:
        'A file, the project, its packages or the built files exceed a limit. Beyond 6 MB, built files fit into no response: deploy the project.',
      not_found: 'The generation does not exist, or the caller may not read it.',
      conflict: 'The generation has no project, or not yet.',
    },
  },
  report: {
    body: reportResponse,
    errors: {
      ...smallRequest,
      invalid_request:
        'A field is missing or invalid, or `url` is not the address of a deployed page. `error` says which.',
      forbidden: 'A browser sent the request for a page of another site.',
      not_found: 'Nothing is published under this address or id.',
      gone: 'The page was deleted: there is nothing to report.',
      taken_down: 'The operator has taken the page down already.',
    },
  },
  createAsset: { body: createdAsset, headers: { 201: ['Location'] }, errors: described },
  updateAsset: {
    errors: {
      ...asset,
      ...described,
      conflict: 'Nothing was uploaded yet, or the upload does not have the given type or size.',
    },
  },
  getAsset: { body: shownAsset, errors: asset },
  deleteAsset: { errors: asset },
  listAssets: { body: assetList, headers: listHeaders, errors: { ...list, forbidden: asset.forbidden } },
  getUsage: {
    body: usageResponse,
    errors: { invalid_request: '`from` or `to` is not a date, or the period is invalid. `error` says why.' },
  },
};
