import type { Clock } from '../platform/clock.ts';
import { log } from '../platform/log.ts';
import type { ApiMiddleware } from './middleware.ts';

/** Ids in paths that grant access by themselves: those of anonymous generations and of staged bodies. */
const CAPABILITY = /(\/(?:generations|staged)\/[^/]{6})[^/]+/;

/** Writes a structured line per request, without headers, bodies, credentials or whole ids. */
export function accessLog(clock: Clock): ApiMiddleware {
  const write: ApiMiddleware['after'] = ({ event, response }) => {
    log.info('request', {
      requestId: event.id,
      method: event.method,
      path: event.path.replace(CAPABILITY, '$1…'),
      status: response?.statusCode,
      ms: clock() - event.receivedAt,
      caller: event.caller?.id,
    });
  };
  return { after: write, onError: write };
}
