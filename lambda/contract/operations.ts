import type * as z from 'zod';
import { assetRequest, newAssetRequest } from './assets.ts';
import { buildRequest } from './builds.ts';
import { approveQuery, dataQuery } from './data.ts';
import { deployRequest, rollbackRequest } from './deploy.ts';
import type { ErrorCode } from './errors.ts';
import { generateRequest } from './generate.ts';
import type { RequestHeader } from './headers.ts';
import { LIMITS } from './limits.ts';
import { settingsRequest, unlockRequest } from './page-settings.ts';
import { listQuery, screenshotQuery, usageQuery, versionScreenshotQuery, viewsQuery } from './queries.ts';
import { reportRequest } from './reports.ts';

/** An operation of the API, as routed, validated and documented. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /**
   * `{name}` matches one segment. A path that ends in `/` is also served without it, since clients of the asset
   * contract use both.
   */
  readonly path: string;
  /** Name in navigation: a verb and a noun. */
  readonly title: string;
  /** What the operation does, as a sentence without its period. */
  readonly summary: string;
  /** Scope that the caller's credential needs. */
  readonly scope?: string;
  /** Whether a `GET` counts against the rate limit: always, or if it opens an event stream. A `POST` with `never` counts as a read. */
  readonly counts?: 'always' | 'events' | 'never';
  /** Headers that the operation reads, besides credentials and those of a body. */
  readonly headers?: readonly RequestHeader[];
  /** Schema of the query; other parameters are ignored. */
  readonly query?: z.ZodType;
  /** Schema of the JSON body; without one, the body is ignored. */
  readonly request?: z.ZodType;
  /** Whether the body may also be that of an HTML form. */
  readonly form?: true;
  /** The most bytes of the body once it is decompressed, if it may be larger than other bodies. */
  readonly decodedBytes?: number;
  /** Responses other than errors, by status. */
  readonly responses: Readonly<Record<number, string>>;
  /** Errors beyond those of every operation. */
  readonly errors: readonly ErrorCode[];
}

export const ASSETS_SCOPE = 'assets:write';

const body = ['invalid_request', 'payload_too_large', 'unsupported_media_type'] as const;
const deployed = [
  'build_failed',
  'unauthorized',
  'forbidden',
  'conflict',
  'unknown_files',
  'taken_down',
  'deployment_backend_unreachable',
  'closed',
] as const;
const ownerErrors = ['unauthorized', 'forbidden', 'not_found', 'gone', 'deployment_backend_unreachable'] as const;
/** The errors of operations on the data of a site, which a takedown closes like its pages. */
const dataErrors = [...ownerErrors, 'taken_down'] as const;
/** The errors of operations that list resources. */
const listErrors = ['invalid_request', 'unauthorized'] as const;
const page = 'A page of the list. `Link` (RFC 8288) with `rel="next"` is the URL of the next page, if there is one.';
const providers = ['providers_failed', 'budget_spent', 'generation_timed_out'] as const;

/** A body that deploy stored, with each method that clients use for a 303. */
const staged = {
  path: '/api/v1/deploy/staged/{id}',
  headers: ['X-Deployment-Token', 'If-Match', 'Idempotency-Key'],
  responses: { 201: 'A new deployment.', 200: 'A new version of the project’s deployment.' },
  errors: [...body, 'not_found', 'precondition_failed', 'idempotency_mismatch', ...deployed],
} as const;

export const OPERATIONS = {
  generate: {
    method: 'POST',
    path: '/api/v1/generate',
    title: 'Generate a project',
    summary: 'Generates a project from a prompt',
    headers: ['Accept', 'Prefer', 'Idempotency-Key', 'Last-Event-ID', 'X-Deployment-Token', 'If-Match'],
    request: generateRequest,
    responses: {
      200: 'The project. `X-Generation-Status` is `incomplete` if files are missing. With `Accept: text/event-stream`, a stream of events: see Generations.',
      202: 'With `Prefer: respond-async`: the generation has started, and `Location` is its URL. The body is that of `GET /api/v1/generations/{id}`.',
      303: 'The generation has not finished yet: follow `Location`, which waits for it. The body is that of `GET /api/v1/generations/{id}`.',
    },
    errors: [
      ...body,
      'unauthorized',
      'forbidden',
      'not_found',
      'conflict',
      'idempotency_mismatch',
      'busy',
      'closed',
      ...providers,
    ],
  },
  getGeneration: {
    method: 'GET',
    path: '/api/v1/generations/{id}',
    title: 'Retrieve a generation',
    summary:
      'Retrieves a generation. `X-Generation-Id` in every response about it is its id. Opening its events counts against the rate limit',
    counts: 'events',
    headers: ['Accept', 'Last-Event-ID'],
    responses: {
      200: 'Status, attempts and the files so far. With `Accept: text/event-stream`, a stream of its events, beginning after `Last-Event-ID`; after the last event, the same JSON. The stream of an anonymous caller ends after 110 seconds: open it again after the last event.',
    },
    errors: ['not_found'],
  },
  cancelGeneration: {
    method: 'DELETE',
    path: '/api/v1/generations/{id}',
    title: 'Cancel a generation',
    summary: 'Cancels a generation. Its provider is stopped within two seconds',
    responses: { 200: 'The canceled generation.' },
    errors: ['not_found', 'conflict'],
  },
  getGenerationResult: {
    method: 'GET',
    path: '/api/v1/generations/{id}/result',
    title: 'Wait for a generation',
    summary: 'Waits for a generation and returns its result, as generate does. Counts against the rate limit',
    counts: 'always',
    responses: {
      200: 'The project. `X-Generation-Status` is `incomplete` if files are missing.',
      303: 'The generation has not finished yet: follow `Location`. The body is that of `GET /api/v1/generations/{id}`.',
    },
    errors: ['not_found', 'conflict', ...providers],
  },
  getGenerationScreenshot: {
    method: 'GET',
    path: '/api/v1/generations/{id}/screenshot',
    title: 'Retrieve a screenshot',
    summary: 'Returns a picture of the page, as a browser showed it after an attempt',
    query: screenshotQuery,
    responses: {
      200: 'The picture, as PNG. With `attempt` it never changes, and browsers keep it for a day.',
    },
    errors: ['invalid_request', 'not_found'],
  },
  listGenerations: {
    method: 'GET',
    path: '/api/v1/generations',
    title: 'List generations',
    summary: 'Lists the generations of the API key or token, newest first. A new one can take a few seconds to appear',
    query: listQuery,
    responses: { 200: page },
    errors: listErrors,
  },
  listProviders: {
    method: 'GET',
    path: '/api/v1/providers',
    title: 'List providers',
    summary:
      'Lists the providers in the order in which `auto` tries them, with their models and how they performed of late',
    responses: { 200: 'The providers.' },
    errors: [],
  },
  deploy: {
    method: 'POST',
    path: '/api/v1/deploy',
    title: 'Deploy files',
    summary: 'Publishes files at a URL',
    headers: ['X-Deployment-Token', 'If-Match', 'Idempotency-Key'],
    request: deployRequest,
    decodedBytes: LIMITS.decodedDeployBytes,
    responses: {
      201: 'A new deployment, at `Location`. `ETag` is its version. Without an API key, `X-Deployment-Token` is the credential that manages it. Only the first response carries it; later ones carry it to callers that send it. Once a deploy has sent it, the `projectId` requires it. The source of a project is built first; `X-Deployment-Warning` has the first warnings of the build, names files that are not published, and says if the page is held. `Link` is the site on its own origin, if the service has origins for sites.',
      200: 'A new version of the project’s deployment, at the same URL.',
      303: 'The body was large or had no `Content-Length` (`Transfer-Encoding: chunked`). It was stored, but not deployed: to deploy it, `GET` the `Location` with the same credentials.',
    },
    errors: [...body, 'not_found', 'precondition_failed', 'idempotency_mismatch', ...deployed],
  },
  deployStaged: {
    method: 'GET',
    title: 'Deploy a stored body',
    summary:
      'Deploys a body that deploy stored (303), once, and responds as deploy does. Requires the credentials that the body was sent with, and counts against the rate limit',
    counts: 'always',
    ...staged,
  },
  postDeployStaged: {
    method: 'POST',
    title: 'Deploy a stored body with POST',
    summary: 'Same as `GET`, for clients that repeat their method after a 303, such as `curl -X POST -L`',
    ...staged,
  },
  getDeployment: {
    method: 'GET',
    path: '/api/v1/deployments/{id}',
    title: 'Retrieve a deployment',
    summary: 'Retrieves a deployment and its versions. Requires the key that deployed it, or its `X-Deployment-Token`',
    headers: ['X-Deployment-Token'],
    responses: { 200: 'The deployment. `ETag` is the live version.' },
    errors: ownerErrors,
  },
  rollbackDeployment: {
    method: 'POST',
    path: '/api/v1/deployments/{id}/rollback',
    title: 'Roll back a deployment',
    summary: 'Makes another version of a deployment live',
    headers: ['X-Deployment-Token', 'If-Match'],
    request: rollbackRequest,
    responses: { 200: 'The deployment with the new live version.' },
    errors: [...body, ...ownerErrors, 'conflict', 'precondition_failed', 'taken_down'],
  },
  deleteDeployment: {
    method: 'DELETE',
    path: '/api/v1/deployments/{id}',
    title: 'Delete a deployment',
    summary: 'Deletes a deployment and all its versions. Its page returns 410 from then on',
    headers: ['X-Deployment-Token', 'If-Match'],
    responses: { 200: 'It is deleted; until when copies of it may be seen.' },
    errors: [
      'unauthorized',
      'forbidden',
      'not_found',
      'conflict',
      'precondition_failed',
      'deployment_backend_unreachable',
    ],
  },
  changeDeployment: {
    method: 'PATCH',
    path: '/api/v1/deployments/{id}',
    title: 'Change a deployment',
    summary: 'Changes who may see a deployment, or when it expires. The URL stays',
    headers: ['X-Deployment-Token'],
    request: settingsRequest,
    responses: {
      200: 'The changed deployment: from now on, every visit is checked. `copiesUntil` says until when edge locations may have copies from before.',
    },
    errors: [...body, ...ownerErrors, 'conflict', 'unavailable'],
  },
  claimDeployment: {
    method: 'POST',
    path: '/api/v1/deployments/{id}/claim',
    title: 'Claim a deployment',
    summary:
      'Moves an anonymous deployment to the API key or token of the request, where it stays. Its `X-Deployment-Token` is worth nothing from then on',
    headers: ['X-Deployment-Token'],
    responses: { 200: 'The deployment, which belongs to the caller and does not expire.' },
    errors: ownerErrors,
  },
  unlockDeployment: {
    method: 'POST',
    path: '/api/v1/deployments/{id}/unlock',
    title: 'Unlock a deployment',
    summary:
      'Checks the password of private pages. The form of such a page sends it. Wrong passwords are limited per address and deployment',
    counts: 'never',
    request: unlockRequest,
    form: true,
    responses: {
      303: 'To the page: with a right password, `Location` is valid for a minute, and gives the browser a cookie for these pages.',
    },
    errors: [...body, 'not_found', 'gone', 'deployment_backend_unreachable'],
  },
  putDomain: {
    method: 'PUT',
    path: '/api/v1/deployments/{id}/domains/{domain}',
    title: 'Add a domain',
    summary:
      'Adds a domain of yours to a deployment, or looks for its DNS records again. Requires the API key or token that the deployment belongs to',
    responses: {
      200: 'The domain, with its state and the DNS records to create. Repeat the request to check the records now; otherwise they are looked for regularly, for three days.',
    },
    errors: ['invalid_request', ...ownerErrors, 'conflict'],
  },
  deleteDomain: {
    method: 'DELETE',
    path: '/api/v1/deployments/{id}/domains/{domain}',
    title: 'Remove a domain',
    summary: 'Removes a domain from a deployment, which takes some minutes',
    responses: { 200: 'The domain, which is `removing`. Delete its DNS records, too.' },
    errors: ['invalid_request', ...ownerErrors],
  },
  getDeploymentArchive: {
    method: 'GET',
    path: '/api/v1/deployments/{id}/archive',
    title: 'Download a deployment',
    summary: 'Redirects to a zip with the files of the live version, for its owner',
    headers: ['X-Deployment-Token'],
    responses: { 303: 'The zip is at `Location`, for six minutes.' },
    errors: ownerErrors,
  },
  getDeploymentScreenshot: {
    method: 'GET',
    path: '/api/v1/deployments/{id}/screenshot',
    title: 'Retrieve a screenshot of a deployment',
    summary: 'Returns a picture of a version, as a browser showed it, for the owner of the deployment',
    headers: ['X-Deployment-Token'],
    query: versionScreenshotQuery,
    responses: { 200: 'The picture, as PNG.' },
    errors: ['invalid_request', ...ownerErrors],
  },
  getDeploymentViews: {
    method: 'GET',
    path: '/api/v1/deployments/{id}/views',
    title: 'Retrieve the views of a deployment',
    summary:
      'Counts who opened the pages of a deployment, by day, for its owner. No cookie is set, and no address is kept',
    headers: ['X-Deployment-Token'],
    query: viewsQuery,
    responses: { 200: 'The views of the period.' },
    errors: ['invalid_request', ...ownerErrors],
  },
  getDeploymentData: {
    method: 'GET',
    path: '/api/v1/deployments/{id}/data',
    title: 'Retrieve the data of a deployment',
    summary:
      'Lists the collections that visitors of the site share, with their rules and how much they have, for its owner',
    headers: ['X-Deployment-Token'],
    responses: { 200: 'The collections.' },
    errors: dataErrors,
  },
  createDataLink: {
    method: 'POST',
    path: '/api/v1/deployments/{id}/data/link',
    title: 'Create a link for the owner',
    summary:
      'Creates a link that makes a browser the one of the owner for this site: its pages can then show what only the owner may read',
    headers: ['X-Deployment-Token'],
    responses: { 200: 'The link, for ten minutes.' },
    errors: ['invalid_request', ...dataErrors],
  },
  listDataItems: {
    method: 'GET',
    path: '/api/v1/deployments/{id}/data/{collection}',
    title: 'List items',
    summary: 'Lists the items of a collection, newest first, with those that wait for approval',
    headers: ['Accept', 'X-Deployment-Token'],
    query: dataQuery,
    responses: {
      200: 'A page of the items. With `Accept: text/csv`, a table of them, as many as fit into 4 MB; `Link` (RFC 8288) with `rel="next"` is the URL of the others, if there are any. Values that a spreadsheet would take for a formula begin with an apostrophe.',
    },
    errors: ['invalid_request', ...dataErrors],
  },
  clearCollection: {
    method: 'DELETE',
    path: '/api/v1/deployments/{id}/data/{collection}',
    title: 'Delete all items',
    summary: 'Deletes the items of a collection, as many as a request can',
    headers: ['X-Deployment-Token'],
    responses: { 200: 'They are deleted; whether items are left, and until when backups keep them.' },
    errors: dataErrors,
  },
  getDataItem: {
    method: 'GET',
    path: '/api/v1/deployments/{id}/data/{collection}/{item}',
    title: 'Retrieve an item',
    summary: 'Retrieves an item of a collection',
    headers: ['X-Deployment-Token'],
    responses: { 200: 'The item.' },
    errors: dataErrors,
  },
  deleteDataItem: {
    method: 'DELETE',
    path: '/api/v1/deployments/{id}/data/{collection}/{item}',
    title: 'Delete an item',
    summary: 'Deletes an item of a collection',
    headers: ['X-Deployment-Token'],
    responses: { 200: 'It is deleted; until when backups keep it.' },
    errors: dataErrors,
  },
  approveDataItem: {
    method: 'POST',
    path: '/api/v1/deployments/{id}/data/{collection}/{item}/approve',
    title: 'Approve an item',
    summary: 'Shows an item to visitors that waits for approval. One that is approved already stays as it is',
    headers: ['X-Deployment-Token'],
    query: approveQuery,
    responses: { 200: 'The approved item.' },
    errors: ['invalid_request', ...dataErrors, 'conflict'],
  },
  listDeployments: {
    method: 'GET',
    path: '/api/v1/deployments',
    title: 'List deployments',
    summary: 'Lists the deployments of the API key or token, newest first. A new one can take a few seconds to appear',
    query: listQuery,
    responses: { 200: page },
    errors: [...listErrors, 'deployment_backend_unreachable'],
  },
  build: {
    method: 'POST',
    path: '/api/v1/builds',
    title: 'Build a project',
    summary: 'Builds the source of a project as deploy does, without publishing it',
    request: buildRequest,
    decodedBytes: LIMITS.decodedDeployBytes,
    responses: { 200: 'The built files, and what they were built of.' },
    errors: [...body, 'build_failed', 'not_found', 'conflict', 'closed'],
  },
  report: {
    method: 'POST',
    path: '/api/v1/reports',
    title: 'Report a page',
    summary:
      'Reports a deployed page to the operator of the service. Needs no credential. Requests of browsers are accepted from pages of the service only',
    request: reportRequest,
    responses: { 202: 'The operator will see the report.' },
    errors: [...body, 'forbidden', 'not_found', 'gone', 'taken_down'],
  },
  createAsset: {
    method: 'POST',
    path: '/api/v1/assets/user-assets/',
    title: 'Create an asset',
    summary: 'Creates a user asset and a URL to upload its bytes to',
    scope: ASSETS_SCOPE,
    request: newAssetRequest,
    responses: {
      201: 'The id of the asset, and the URL to `PUT` its bytes to, once and within 15 minutes, with `upload_headers`. The upload must have the size that was sent, and the type, if any. An asset that is not marked as uploaded with `PATCH` is deleted after a day.',
    },
    errors: [...body, 'unauthorized', 'forbidden', 'closed'],
  },
  updateAsset: {
    method: 'PATCH',
    path: '/api/v1/assets/user-assets/{asset_id}/',
    title: 'Mark an asset as uploaded',
    summary: 'Marks a user asset as uploaded and updates its attributes. Type and size are those of the upload',
    scope: ASSETS_SCOPE,
    request: assetRequest,
    responses: { 204: 'Done; no body.' },
    errors: [...body, 'unauthorized', 'forbidden', 'not_found', 'conflict'],
  },
  getAsset: {
    method: 'GET',
    path: '/api/v1/assets/user-assets/{asset_id}/',
    title: 'Retrieve an asset',
    summary: 'Retrieves a user asset',
    scope: ASSETS_SCOPE,
    responses: {
      200: 'The asset; once uploaded, with a `download_url` that is valid for 15 minutes. SVG, HTML and other types that a browser might execute are downloaded instead of displayed.',
    },
    errors: ['unauthorized', 'forbidden', 'not_found'],
  },
  deleteAsset: {
    method: 'DELETE',
    path: '/api/v1/assets/user-assets/{asset_id}/',
    title: 'Delete an asset',
    summary: 'Deletes a user asset and its bytes',
    scope: ASSETS_SCOPE,
    responses: { 204: 'Done; no body.' },
    errors: ['unauthorized', 'forbidden', 'not_found'],
  },
  listAssets: {
    method: 'GET',
    path: '/api/v1/assets/user-assets/',
    title: 'List assets',
    summary: 'Lists the user assets of the API key or token, newest first. A new one can take a few seconds to appear',
    scope: ASSETS_SCOPE,
    query: listQuery,
    responses: { 200: page },
    errors: [...listErrors, 'forbidden'],
  },
  getUsage: {
    method: 'GET',
    path: '/api/v1/usage',
    title: 'Retrieve usage',
    summary: 'Returns the usage of the API key or token by day and operation, for at most 400 days',
    query: usageQuery,
    responses: {
      200: 'Calls by status, tokens, files, bytes and milliseconds: in total, and for every day with calls. Requests that were rejected with a 429 are not counted.',
    },
    errors: ['invalid_request', 'unauthorized'],
  },
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof OPERATIONS;

/** The validated query of an operation, or undefined if it has no schema. */
export type QueryOf<Name extends OperationName> = (typeof OPERATIONS)[Name] extends {
  query: infer Schema extends z.ZodType;
}
  ? z.output<Schema>
  : undefined;

/** The validated body of an operation, or undefined if it has no schema. */
export type BodyOf<Name extends OperationName> = (typeof OPERATIONS)[Name] extends {
  request: infer Schema extends z.ZodType;
}
  ? z.output<Schema>
  : undefined;
