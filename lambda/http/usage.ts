import type { UsageStore } from '../access/usage-store.ts';
import { ERRORS } from '../contract/errors.ts';
import type { Clock } from '../platform/clock.ts';
import { log } from '../platform/log.ts';
import type { Amounts, ApiRequest, ApiResponse } from './request.ts';
import { operationOf } from './router.ts';

/**
 * Records the usage of a request. Called after the response stream and before the end of the invocation, so that the
 * caller does not wait for it and Lambda does not freeze it. Rate-limited requests are not recorded, to save the write.
 */
export async function recordUsage(
  request: ApiRequest,
  response: ApiResponse | undefined,
  amounts: Amounts | undefined,
  usage: Pick<UsageStore, 'record'>,
  clock: Clock,
): Promise<void> {
  const { caller, receivedAt } = request;
  const operation = operationOf(request);
  const status = response?.statusCode ?? 500;
  if (!caller?.credential || operation === undefined || status === ERRORS.rate_limited.status) return;
  const at = clock();
  await usage
    .record({ caller: caller.id, operation, at, status, ms: at - receivedAt, ...amounts })
    .catch((error: unknown) => log.error('usage not recorded', { caller: caller.id, operation, error }));
}
