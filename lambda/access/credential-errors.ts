import { ApiError } from '../contract/errors.ts';
import { CHALLENGE } from './viewer-address.ts';

/** Returns the error for a missing credential. */
export function unauthorizedError(message: string): ApiError {
  return new ApiError('unauthorized', message, { headers: { 'WWW-Authenticate': CHALLENGE } });
}

/** Returns the error for an invalid credential. */
export function invalid(message: string): ApiError {
  // RFC 6750, 3: printable ASCII without quotes and backslashes.
  const description = message.replace(/["\\]/g, "'").replace(/[^ -~]/g, '?');
  return new ApiError('unauthorized', message, {
    headers: {
      'WWW-Authenticate': `${CHALLENGE}, error="invalid_token", error_description="${description}"`,
    },
  });
}
