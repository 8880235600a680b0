import { ApiError, ERRORS, type ErrorCode } from '../contract/errors.ts';
import { log } from '../platform/log.ts';
import { isUnreachable } from '../platform/unreachable.ts';
import type { ApiMiddleware } from './middleware.ts';

/**
 * The one place where a failure becomes a response. An `ApiError` is told as it is; an AWS service that cannot
 * be reached is `unreachable`; anything else is a bare 500, and the log has the rest under the request's id.
 */
export function errorMapper(unreachable: ErrorCode): ApiMiddleware {
  return {
    onError: (handling) => {
      const { error, event } = handling;
      const known = toApiError(error, unreachable);
      if (known.status >= 500)
        log.error('failed', { requestId: event.id, code: known.code, error: known.cause ?? error });
      handling.response = {
        statusCode: known.status,
        headers: known.headers,
        body: { error: known.message, ...known.body },
      };
    },
  };
}

/**
 * The error that the caller is told about.
 * @param unreachable the code for an AWS service that cannot be reached
 */
export function toApiError(error: unknown, unreachable: ErrorCode): ApiError {
  if (error instanceof ApiError) return error;
  if (!isUnreachable(error)) {
    return new ApiError('internal', 'Something went wrong on our side; the request id identifies it', {
      cause: error,
    });
  }
  const what =
    ERRORS[unreachable].status === 502
      ? 'The deployment backend is unreachable'
      : 'A part of the service cannot be reached';
  return new ApiError(unreachable, `${what}; nothing half done is visible. Try again in a few seconds`, {
    headers: { 'Retry-After': '2' },
    cause: error,
  });
}
