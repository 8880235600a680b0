import type { Clock } from '../platform/clock.ts';
import { log } from '../platform/log.ts';
import type { ApiMiddleware } from './middleware.ts';

/** An id in a path that gives access to whoever knows it: an anonymous generation's, or a staged body's. */
const CAPABILITY = /(\/(?:generations|staged)\/[^/]{6})[^/]+/;

/** One structured line per request, with what an operator searches by. Never a header, a body, a credential or a whole id. */
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
