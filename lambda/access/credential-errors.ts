import { ApiError } from '../contract/errors.ts';
import { CHALLENGE } from './viewer-address.ts';

/** A request without the credential that it needs. */
export function unauthorized(message: string): ApiError {
  return new ApiError('unauthorized', message, { headers: { 'WWW-Authenticate': CHALLENGE } });
}

/** A credential that does not hold, whatever the request. */
export function invalid(message: string): ApiError {
  // RFC 6750, 3: printable ASCII without these two.
  const description = message.replace(/["\\]/g, "'").replace(/[^ -~]/g, '?');
  return new ApiError('unauthorized', message, {
    headers: {
      'WWW-Authenticate': `${CHALLENGE}, error="invalid_token", error_description="${description}"`,
    },
  });
}
