import type { UsageStore } from '../access/usage-store.ts';
import { ERRORS } from '../contract/errors.ts';
import type { Clock } from '../platform/clock.ts';
import { log } from '../platform/log.ts';
import type { Amounts, ApiRequest, ApiResponse } from './request.ts';
import { operationOf } from './router.ts';

/**
 * Records a call that is over. Called once the answer's stream has ended and before the invocation does: nobody waits
 * for it, and nothing freezes under it. What was refused for its rate costs no write here either.
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
