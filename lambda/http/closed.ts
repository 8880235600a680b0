import type { Closures } from '../access/stage-state.ts';
import { ApiError } from '../contract/errors.ts';
import type { OperationName } from '../contract/operations.ts';
import type { ApiMiddleware } from './middleware.ts';
import type { ApiRequest } from './request.ts';
import { operationOf } from './router.ts';

/** What the operator can close. `all` closes these and everything else that stores what callers send. */
export type Closable = 'generate' | 'deploy' | 'all';

/** The operations that are closed with each. Reading, managing and visiting go on. */
const CLOSED_WITH: { readonly [Name in OperationName]?: readonly Closable[] } = {
  generate: ['generate', 'all'],
  deploy: ['deploy', 'all'],
  deployStaged: ['deploy', 'all'],
  postDeployStaged: ['deploy', 'all'],
  build: ['deploy', 'all'],
  createAsset: ['all'],
};

/** It is not known when the operator opens the stage. Clients do not wait that long, and report the error. */
const RETRY_SECONDS = 600;

/** Refuses operations that the operator has closed, before the caller is identified. */
export function refuseClosed(closures: Closures): ApiMiddleware {
  return {
    before: async ({ event }) => {
      const closable = closedWith(event);
      if (closable) await requireOpen(closable, closures);
    },
  };
}

/** @throws ApiError closed if any of what is named is closed */
export async function requireOpen(closable: readonly Closable[], closures: Closures): Promise<void> {
  for (const one of closable) if (await closures.closedUntil(one)) throw closedError(one);
}

function closedWith(request: ApiRequest): readonly Closable[] | undefined {
  const name = operationOf(request);
  return name && CLOSED_WITH[name];
}

function closedError(closable: Closable): ApiError {
  const what = { generate: 'generations', deploy: 'deploys', all: 'generations, deploys and uploads' };
  return new ApiError(
    'closed',
    `The operator of this service has closed ${what[closable]} for now; everything else goes on. Try again later`,
    { headers: { 'Retry-After': String(RETRY_SECONDS) }, body: { retryAfter: RETRY_SECONDS } },
  );
}
