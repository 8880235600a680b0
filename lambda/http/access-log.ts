import type { UsageStore } from '../access/usage-store.ts';
import { ERRORS } from '../contract/errors.ts';
import type { Clock } from '../platform/clock.ts';
import { addToLog, emitMetrics, invocationCost, log, logAbout } from '../platform/log.ts';
import type { ApiMiddleware, ApiRequest, ApiResponse } from './request.ts';

const SUBJECT = /^\/api\/v1\/(generation|deployment)s\/([^/]+)/;

/** Writes one line per request, without headers, bodies or credentials, and counts requests that exceed a rate limit. */
export function accessLog(clock: Clock): ApiMiddleware {
  const write: ApiMiddleware['after'] = ({ event, response }) => {
    const { target, method, path, caller, receivedAt } = event;
    const status = response?.statusCode;
    log.info('request', {
      operation: target?.name,
      method,
      path,
      status,
      ms: clock() - receivedAt,
      caller: caller?.id,
      kind: caller && (caller.credential?.kind ?? 'anonymous'),
      ...invocationCost(),
    });
    if (status === ERRORS.rate_limited.status) emitMetrics('Count', { Limited: 1 });
  };
  return {
    before: ({ event }) => {
      logAbout({ requestId: event.id });
      const [, name, id] = SUBJECT.exec(event.path) ?? [];
      if (name !== undefined) addToLog({ [name]: id });
    },
    after: write,
    onError: write,
  };
}

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
  const { caller, receivedAt, target } = request;
  const operation = target?.name;
  const { statusCode: status, amounts } = response;
  if (!caller?.credential || operation === undefined || status === ERRORS.rate_limited.status) return;
  const at = clock();
  await usage
    .record({ caller: caller.id, operation, at, status, ms: at - receivedAt, ...amounts })
    .catch((error: unknown) => log.error('usage not recorded', { caller: caller.id, operation, error }));
}
