import type * as z from 'zod';
import { assetRequest } from './assets.ts';
import { deployRequest, rollbackRequest } from './deploy.ts';
import type { ErrorCode } from './errors.ts';
import { generateRequest } from './generate.ts';
import { usageQuery } from './usage.ts';

/** One operation of the API, as it is routed, checked and documented. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /**
   * `{name}` is one segment. A path that ends in `/` is also served without it, as the asset contract is used
   * both ways.
   */
  readonly path: string;
  readonly summary: string;
  /** Scope that the caller's key needs. */
  readonly scope?: string;
  /** Schema of the query; parameters that it does not name are ignored. */
  readonly query?: z.ZodType;
  /** Schema of the JSON body; an operation without one reads none. */
  readonly request?: z.ZodType;
  /** Answers that are no error, by status. */
  readonly responses: Readonly<Record<number, string>>;
  /** Errors beyond those that every operation has. */
  readonly errors: readonly ErrorCode[];
}

export const ASSETS_SCOPE = 'assets:write';

const body = ['invalid_request', 'payload_too_large', 'unsupported_media_type'] as const;
const deployed = [
  'unauthorized',
  'forbidden',
  'conflict',
  'taken_down',
  'deployment_backend_unreachable',
] as const;
const owned = ['unauthorized', 'forbidden', 'not_found', 'gone', 'deployment_backend_unreachable'] as const;
const providers = ['providers_failed', 'generation_timed_out'] as const;

export const OPERATIONS = {
  generate: {
    method: 'POST',
    path: '/api/v1/generate',
    summary: 'Turns a prompt into a project',
    request: generateRequest,
    responses: {
      200: 'The project; `X-Generation-Status: incomplete` when files are missing from it. With `Accept: text/event-stream`: its events as they happen, see below.',
      202: 'With `Prefer: respond-async`: the generation is under way, and `Location` tells of it. The body is that of `GET /api/v1/generations/{id}`.',
      303: 'Not decided yet: follow `Location`, which waits on.',
    },
    errors: [...body, 'conflict', 'idempotency_mismatch', ...providers],
  },
  getGeneration: {
    method: 'GET',
    path: '/api/v1/generations/{id}',
    summary: 'Tells what became of a generation; `X-Generation-Id` of every answer about it is its id',
    responses: {
      200: 'Status, attempts and the files there are. With `Accept: text/event-stream`: its events, from the one after `Last-Event-ID`.',
      204: 'The event of `Last-Event-ID` was the last one.',
    },
    errors: ['not_found'],
  },
  cancelGeneration: {
    method: 'DELETE',
    path: '/api/v1/generations/{id}',
    summary: 'Cancels a generation; its provider is stopped within two seconds',
    responses: { 200: 'The generation as it was left.' },
    errors: ['not_found', 'conflict'],
  },
  getGenerationResult: {
    method: 'GET',
    path: '/api/v1/generations/{id}/result',
    summary: 'Waits for a generation and answers as generate does',
    responses: {
      200: 'The project; `X-Generation-Status: incomplete` when files are missing from it.',
      303: 'Not decided yet: follow `Location`.',
    },
    errors: ['not_found', 'conflict', ...providers],
  },
  deploy: {
    method: 'POST',
    path: '/api/v1/deploy',
    summary: 'Puts files online under one URL',
    request: deployRequest,
    responses: {
      201: 'A new deployment, at `Location`. `ETag` is its version. Without an API key, `X-Deployment-Token` manages it: only the first answer carries it, and later ones to a caller that sent it. Once a deploy has sent it, the `projectId` requires it.',
      200: 'A new version of the project’s deployment, under the same URL.',
      303: 'The body was large, or was sent without `Content-Length` (`Transfer-Encoding: chunked`) whatever its size, and is stored: `GET` the `Location` with the same credentials, which deploys it.',
    },
    errors: [...body, 'precondition_failed', 'idempotency_mismatch', ...deployed],
  },
  deployStaged: {
    method: 'GET',
    path: '/api/v1/deploy/staged/{id}',
    summary:
      'Deploys a body that deploy has stored (303), once, and answers as deploy does; with the credentials that the body was sent with',
    responses: { 201: 'A new deployment.', 200: 'A new version of the project’s deployment.' },
    errors: [...body, 'not_found', 'precondition_failed', 'idempotency_mismatch', ...deployed],
  },
  postDeployStaged: {
    method: 'POST',
    path: '/api/v1/deploy/staged/{id}',
    summary: 'The same, for a client that repeats its method where a 303 sends it, such as `curl -X POST -L`',
    responses: { 201: 'A new deployment.', 200: 'A new version of the project’s deployment.' },
    errors: [...body, 'not_found', 'precondition_failed', 'idempotency_mismatch', ...deployed],
  },
  getDeployment: {
    method: 'GET',
    path: '/api/v1/deployments/{id}',
    summary:
      'Tells what is live, and the versions there are; with the key that deployed, or `X-Deployment-Token`',
    responses: { 200: 'The deployment; `ETag` is the version that is live.' },
    errors: owned,
  },
  rollbackDeployment: {
    method: 'POST',
    path: '/api/v1/deployments/{id}/rollback',
    summary: 'Makes another of its versions the live one',
    request: rollbackRequest,
    responses: { 200: 'The deployment as it is now.' },
    errors: [...body, ...owned, 'conflict', 'precondition_failed', 'taken_down'],
  },
  deleteDeployment: {
    method: 'DELETE',
    path: '/api/v1/deployments/{id}',
    summary: 'Deletes every version; its page answers 410 from then on',
    responses: { 204: 'Done; no body.' },
    errors: [
      'unauthorized',
      'forbidden',
      'not_found',
      'conflict',
      'precondition_failed',
      'deployment_backend_unreachable',
    ],
  },
  createAsset: {
    method: 'POST',
    path: '/api/v1/assets/user-assets/',
    summary: 'Makes a user asset and an upload URL for its bytes',
    scope: ASSETS_SCOPE,
    request: assetRequest,
    responses: {
      201: 'The asset’s id, and where to `PUT` its bytes within 15 minutes, once, with the headers of `upload_headers`. A type and a size that were sent bind the upload. Without the `PATCH` the asset is deleted after a day.',
    },
    errors: [...body, 'unauthorized', 'forbidden'],
  },
  updateAsset: {
    method: 'PATCH',
    path: '/api/v1/assets/user-assets/{asset_id}/',
    summary:
      'Marks a user asset as uploaded and updates its attributes; type and size are those of the upload',
    scope: ASSETS_SCOPE,
    request: assetRequest,
    responses: { 204: 'Done; no body.' },
    errors: [...body, 'unauthorized', 'forbidden', 'not_found', 'conflict'],
  },
  getAsset: {
    method: 'GET',
    path: '/api/v1/assets/user-assets/{asset_id}/',
    summary: 'Shows a user asset',
    scope: ASSETS_SCOPE,
    responses: {
      200: 'The asset; once it is uploaded, with a `download_url` for 15 minutes. SVG, HTML and other types that a browser might run are downloaded, not shown.',
    },
    errors: ['unauthorized', 'forbidden', 'not_found'],
  },
  deleteAsset: {
    method: 'DELETE',
    path: '/api/v1/assets/user-assets/{asset_id}/',
    summary: 'Deletes a user asset and its bytes',
    scope: ASSETS_SCOPE,
    responses: { 204: 'Done; no body.' },
    errors: ['unauthorized', 'forbidden', 'not_found'],
  },
  getUsage: {
    method: 'GET',
    path: '/api/v1/usage',
    summary: 'Tells what the API key or token was used for, by day and operation; at most 400 days at once',
    query: usageQuery,
    responses: {
      200: 'Calls by status, tokens, files, bytes and milliseconds: in all, and of every day with calls. What was refused with 429 is not in it.',
    },
    errors: ['invalid_request', 'unauthorized'],
  },
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof OPERATIONS;

/** The checked query of an operation; undefined for one that reads none. */
export type QueryOf<Name extends OperationName> = (typeof OPERATIONS)[Name] extends {
  query: infer Schema extends z.ZodType;
}
  ? z.output<Schema>
  : undefined;

/** The checked body of an operation; undefined for one that reads none. */
export type BodyOf<Name extends OperationName> = (typeof OPERATIONS)[Name] extends {
  request: infer Schema extends z.ZodType;
}
  ? z.output<Schema>
  : undefined;
