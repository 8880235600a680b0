import type * as z from 'zod';
import { assetRequest } from './assets.ts';
import { deployRequest } from './deploy.ts';
import type { ErrorCode } from './errors.ts';
import { generateRequest } from './generate.ts';

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
  /** Schema of the JSON body; an operation without one reads none. */
  readonly request?: z.ZodType;
  /** Answers that are no error, by status. */
  readonly responses: Readonly<Record<number, string>>;
  /** Errors beyond those that every operation has. */
  readonly errors: readonly ErrorCode[];
}

export const ASSETS_SCOPE = 'assets:write';

const body = ['invalid_request', 'payload_too_large', 'unsupported_media_type'] as const;
const providers = ['providers_failed', 'generation_timed_out'] as const;

export const OPERATIONS = {
  generate: {
    method: 'POST',
    path: '/api/v1/generate',
    summary: 'Turns a prompt into a project',
    request: generateRequest,
    responses: {
      200: 'The project. With `Accept: text/event-stream`: its events as they happen, see below.',
      202: 'With `Prefer: respond-async`: the generation is under way, and `Location` tells of it.',
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
    responses: { 200: 'The project.', 303: 'Not decided yet: follow `Location`.' },
    errors: ['not_found', 'conflict', ...providers],
  },
  deploy: {
    method: 'POST',
    path: '/api/v1/deploy',
    summary: 'Puts files online under one URL',
    request: deployRequest,
    responses: {
      201: 'A new deployment.',
      200: 'A new version of the project’s deployment, under the same URL.',
    },
    errors: [...body, 'deployment_backend_unreachable'],
  },
  createAsset: {
    method: 'POST',
    path: '/api/v1/assets/user-assets/',
    summary: 'Makes a user asset and an upload URL for its bytes',
    scope: ASSETS_SCOPE,
    request: assetRequest,
    responses: { 201: 'The asset’s id, and where to `PUT` its bytes.' },
    errors: [...body, 'unauthorized', 'forbidden'],
  },
  updateAsset: {
    method: 'PATCH',
    path: '/api/v1/assets/user-assets/{asset_id}/',
    summary: 'Marks a user asset as uploaded and updates its attributes',
    scope: ASSETS_SCOPE,
    request: assetRequest,
    responses: { 204: 'Done; no body.' },
    errors: [...body, 'unauthorized', 'forbidden', 'not_found'],
  },
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof OPERATIONS;

/** The checked body of an operation; undefined for one that reads none. */
export type BodyOf<Name extends OperationName> = (typeof OPERATIONS)[Name] extends {
  request: infer Schema extends z.ZodType;
}
  ? z.output<Schema>
  : undefined;
