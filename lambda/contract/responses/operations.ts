import type * as z from 'zod';
import type { OPERATIONS, OperationName } from '../operations.ts';
import { createdAsset, shownAsset } from './assets.ts';
import { deploymentResource, deployResponse } from './deploy.ts';
import { generateResponse, generationResource } from './generate.ts';
import { usageResponse } from './usage.ts';

/**
 * What the reference says of an operation's answers. It stands apart from `OPERATIONS`, as does all in this folder:
 * the functions import its types only, and so do not load it with every cold start.
 */
interface Answers<Name extends OperationName> {
  /** The body of a success; missing when there is none. */
  readonly body?: z.ZodType;
  /** What an error means here, where the words of the error table are about more than that. */
  readonly errors?: { readonly [Code in (typeof OPERATIONS)[Name]['errors'][number]]?: string };
}

const smallRequest = { payload_too_large: 'The request exceeds the size limit.' } as const;

const generation = { not_found: 'There is no such generation; they are kept for 24 hours.' } as const;

const deploying = {
  invalid_request: '`files`, a path among them or another field is missing or invalid; `error` says which.',
  unauthorized: 'The credential is not valid, or the `projectId` requires its `X-Deployment-Token`.',
  forbidden: 'The `X-Deployment-Token` is not the one of this deployment; nothing was changed.',
  conflict: 'The deployment was changed at the same moment; send the request again.',
} as const;

const staged = {
  ...deploying,
  not_found:
    'There is no such body, or it was sent with other credentials. Bodies are kept for a day; one that was sent without credentials is for everyone who has its `Location`.',
} as const;

const deployment = {
  unauthorized:
    'The credential is missing or not valid. A deployment made without one needs its `X-Deployment-Token`.',
  forbidden: 'The deployment is someone else’s.',
  not_found: 'There is no such deployment.',
} as const;

const asset = {
  forbidden: 'The credential lacks the scope `assets:write`.',
  not_found: 'There is no such asset, or it is someone else’s.',
} as const;

const described = {
  invalid_request:
    'A field is invalid, the asset is empty, or its media type is not accepted; `error` says which.',
  payload_too_large: 'The asset or the request exceeds the size limit.',
  forbidden: asset.forbidden,
} as const;

export const ANSWERS: { readonly [Name in OperationName]: Answers<Name> } = {
  generate: {
    body: generateResponse,
    errors: {
      ...smallRequest,
      invalid_request: 'The prompt is missing or invalid, or another field is invalid; `error` says which.',
      conflict: 'The generation was canceled while this request waited for it.',
    },
  },
  getGeneration: { body: generationResource, errors: generation },
  cancelGeneration: {
    body: generationResource,
    errors: { ...generation, conflict: 'The generation is over: there is nothing to cancel.' },
  },
  getGenerationResult: {
    body: generateResponse,
    errors: { ...generation, conflict: 'The generation was canceled and has no result.' },
  },
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
      not_found: 'There is no such deployment, or it has no such version.',
      conflict: deploying.conflict,
    },
  },
  deleteDeployment: { errors: { ...deployment, conflict: deploying.conflict } },
  createAsset: { body: createdAsset, errors: described },
  updateAsset: {
    errors: {
      ...asset,
      ...described,
      conflict: 'Nothing was uploaded yet, or it is not of the type or the size that was said.',
    },
  },
  getAsset: { body: shownAsset, errors: asset },
  deleteAsset: { errors: asset },
  getUsage: {
    body: usageResponse,
    errors: { invalid_request: '`from` or `to` is no day, or they are too far apart; `error` says which.' },
  },
};
