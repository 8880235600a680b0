import type { Clock } from '../platform/clock.ts';
import { log } from '../platform/log.ts';
import type { ApiMiddleware } from './pipeline.ts';

/** One structured line per request, with what an operator searches by. Never a header, a body or a credential. */
export function accessLog(clock: Clock): ApiMiddleware {
  const write: ApiMiddleware['after'] = ({ event, response }) => {
    log.info('request', {
      requestId: event.id,
      method: event.method,
      path: event.path,
      status: response?.statusCode,
      ms: clock() - event.receivedAt,
      caller: event.caller?.id,
    });
  };
  return { after: write, onError: write };
}
