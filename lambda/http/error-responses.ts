import { ApiError, ERRORS, type ErrorCode } from '../contract/errors.ts';
import { escapeHtml, HTML, plainPage } from '../platform/html.ts';
import { countFailedRequest, countRefusedRequest, log } from '../platform/log.ts';
import { isUnreachable } from '../platform/unreachable.ts';
import { isForm } from './input.ts';
import type { ApiMiddleware, ApiRequest, ApiResponse } from './request.ts';

/**
 * Maps errors to responses, those of forms to pages. An `ApiError` is sent unchanged, an unreachable AWS service as
 * `unreachable`, and anything else as a bare 500; the details are logged with the request id.
 * @param errorPage returns the page for a person whose request failed, if there is one
 */
export function errorMapper(unreachable: ErrorCode, errorPage: ErrorPage = () => undefined): ApiMiddleware {
  return {
    onError: (handling) => {
      const { error, event } = handling;
      const known = toApiError(error, unreachable);
      const { code, message: reason, cause } = known;
      if (known.status >= 500) log.error('failed', { code, reason, error: cause });
      // Other errors, such as a spent budget, are responses that a working version gives.
      if (known !== error) countFailedRequest(error);
      else if (known.status >= 500 && !isUnreachable(cause)) countRefusedRequest();
      const { status: statusCode, headers } = known;
      const page = errorPage(event, { statusCode }) ?? (takesForm(event) ? pageOf(known) : undefined);
      handling.response = page
        ? { ...page, headers: { ...headers, ...page.headers } }
        : { statusCode, headers, body: { error: known.message, ...known.body } };
    },
  };
}

/** Reports if a request is a form for an operation that takes forms. */
function takesForm(request: ApiRequest): boolean {
  return request.target?.operation.form === true && isForm(request);
}

/** A form is sent by a person's browser, which shows the response. */
function pageOf({ status: statusCode, message }: ApiError): ApiResponse {
  const title = 'This did not work';
  const page = plainPage(title, `<h1>${title}</h1><p>${escapeHtml(message)}.</p>`);
  return { statusCode, headers: { 'Content-Type': HTML }, bytes: Buffer.from(page) };
}

/** Returns the error to send to the caller. @param unreachable the code for an unreachable AWS service */
export function toApiError(error: unknown, unreachable: ErrorCode): ApiError {
  if (error instanceof ApiError) return error;
  if (!isUnreachable(error)) {
    return new ApiError('internal', 'Internal error: report it with the X-Request-Id of this response', {
      cause: error,
    });
  }
  const what =
    ERRORS[unreachable].status === 502 ? 'The deployment backend is unreachable' : 'Part of the service is unreachable';
  return new ApiError(unreachable, `${what}; no partial changes are visible. Try again in a few seconds`, {
    headers: { 'Retry-After': '2' },
    cause: error,
  });
}

/** Returns the response for a person in place of that of an error, or undefined for a program. */
export type ErrorPage = (request: ApiRequest, response: Pick<ApiResponse, 'statusCode'>) => ApiResponse | undefined;
