import { ERRORS } from '../contract/errors.ts';
import type { Clock } from '../platform/clock.ts';
import { addToLog, invocationCost, log, logAbout } from '../platform/log.ts';
import { emitMetrics } from '../platform/metrics.ts';
import type { ApiMiddleware } from './middleware.ts';
import { operationOf } from './router.ts';

const SUBJECT = /^\/api\/v1\/(generation|deployment)s\/([^/]+)/;

/** Writes one line per request, without headers, bodies or credentials, and counts requests that exceed a rate limit. */
export function accessLog(clock: Clock): ApiMiddleware {
  const write: ApiMiddleware['after'] = ({ event, response }) => {
    const { method, path, caller, receivedAt } = event;
    const status = response?.statusCode;
    log.info('request', {
      operation: operationOf(event),
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
