import type * as z from 'zod';
import type { OPERATIONS, OperationName } from '../operations.ts';
import { createdAsset, shownAsset } from './assets.ts';
import { deletedDeployment, deploymentResource, deployResponse } from './deploy.ts';
import { generateResponse, generationResource } from './generate.ts';
import { assetList, deploymentList, generationList } from './lists.ts';
import { usageResponse } from './usage.ts';

/**
 * Responses of an operation in the reference. Functions import only types from this folder, so that they do not load
 * its schemas with every cold start.
 */
interface Responses<Name extends OperationName> {
  /** Schema of the body of a success, if there is one. */
  readonly body?: z.ZodType;
  /** Descriptions of errors for which the one in `ERRORS` is too general. */
  readonly errors?: { readonly [Code in (typeof OPERATIONS)[Name]['errors'][number]]?: string };
}

const smallRequest = { payload_too_large: 'The request exceeds the size limit.' } as const;

const generation = { not_found: 'The generation does not exist, or is older than 24 hours.' } as const;

const deploying = {
  invalid_request: 'A field or the path of a file is missing or invalid. `error` says which.',
  unauthorized: 'The credential is invalid, or the `projectId` requires its `X-Deployment-Token`.',
  forbidden: 'The `X-Deployment-Token` is not that of this deployment. Nothing was changed.',
  conflict: 'The deployment was modified concurrently. Retry the request.',
} as const;

const staged = {
  ...deploying,
  not_found:
    'The body does not exist, or was sent with other credentials. Bodies are kept for a day. Anyone who knows the `Location` can deploy a body that was sent without credentials.',
} as const;

const deployment = {
  unauthorized:
    'The credential is missing or invalid. A deployment made without one requires its `X-Deployment-Token`.',
  forbidden: 'The deployment belongs to another owner.',
  not_found: 'The deployment does not exist.',
} as const;

const asset = {
  forbidden: 'The credential lacks the scope `assets:write`.',
  not_found: 'The asset does not exist, or belongs to another owner.',
} as const;

const described = {
  invalid_request:
    'A field is invalid, the asset is empty, or its media type is not accepted. `error` says which.',
  payload_too_large: 'The asset or the request exceeds the size limit.',
  forbidden: asset.forbidden,
} as const;

const list = {
  invalid_request:
    '`limit` is not a number from 1 to 100, or `cursor` is not the `nextCursor` of an earlier page of this list.',
  unauthorized: 'The credential is missing or invalid.',
} as const;

export const RESPONSES: { readonly [Name in OperationName]: Responses<Name> } = {
  generate: {
    body: generateResponse,
    errors: {
      ...smallRequest,
      invalid_request: 'The prompt is missing or invalid, or another field is invalid. `error` says which.',
      conflict: 'The generation was canceled while this request waited for it.',
    },
  },
  getGeneration: { body: generationResource, errors: generation },
  cancelGeneration: {
    body: generationResource,
    errors: { ...generation, conflict: 'The generation has already ended.' },
  },
  getGenerationResult: {
    body: generateResponse,
    errors: { ...generation, conflict: 'The generation was canceled and has no result.' },
  },
  listGenerations: { body: generationList, errors: list },
  deploy: { body: deployResponse, errors: deploying },
  deployStaged: { body: deployResponse, errors: staged },
  postDeployStaged: { body: deployResponse, errors: staged },
  getDeployment: { body: deploymentResource, errors: deployment },
  rollbackDeployment: {
    body: deploymentResource,
    errors: {
      ...deployment,
      ...smallRequest,
      invalid_request: '`version` is missing or invalid.',
      not_found: 'The deployment or the version does not exist.',
      conflict: deploying.conflict,
    },
  },
  deleteDeployment: { body: deletedDeployment, errors: { ...deployment, conflict: deploying.conflict } },
  listDeployments: { body: deploymentList, errors: list },
  createAsset: { body: createdAsset, errors: described },
  updateAsset: {
    errors: {
      ...asset,
      ...described,
      conflict: 'Nothing was uploaded yet, or the upload does not have the given type or size.',
    },
  },
  getAsset: { body: shownAsset, errors: asset },
  deleteAsset: { errors: asset },
  listAssets: { body: assetList, errors: { ...list, forbidden: asset.forbidden } },
  getUsage: {
    body: usageResponse,
    errors: { invalid_request: '`from` or `to` is not a date, or the period is invalid. `error` says why.' },
  },
};
