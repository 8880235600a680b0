import type { UsageStore } from '../access/usage-store.ts';
import { ERRORS } from '../contract/errors.ts';
import type { Clock } from '../platform/clock.ts';
import { log } from '../platform/log.ts';
import type { ApiRequest, ApiResponse } from './request.ts';
import { operationOf } from './router.ts';

/**
 * Records the usage of a request. Called before the response ends, because Lambda may freeze the function after it.
 * Rate-limited requests are not recorded, to save the write. Errors are only logged.
 */
export async function recordUsage(
  request: ApiRequest,
  response: Pick<ApiResponse, 'statusCode' | 'amounts'>,
  usage: Pick<UsageStore, 'record'>,
  clock: Clock,
): Promise<void> {
  const { caller, receivedAt } = request;
  const operation = operationOf(request);
  const { statusCode: status, amounts } = response;
  if (!caller?.credential || operation === undefined || status === ERRORS.rate_limited.status) return;
  const at = clock();
  await usage
    .record({ caller: caller.id, operation, at, status, ms: at - receivedAt, ...amounts })
    .catch((error: unknown) => log.error('usage not recorded', { caller: caller.id, operation, error }));
}
