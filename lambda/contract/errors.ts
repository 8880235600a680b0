import type { ResponseHeaders } from './headers.ts';
import { RATE_LIMIT_DOCS } from './limits.ts';

/**
 * The HTTP status of every error code, and its description in the reference. Handlers throw an `ApiError` with
 * one of these codes; only the pipeline's error mapper turns it into a response.
 */
export const ERRORS = {
  build_failed: {
    status: 400,
    when: 'The source cannot be built. `error` is the first problem with its place, `problems` has up to 20. Nothing was changed.',
  },
  invalid_request: {
    status: 400,
    when: 'The body, a field or a path is missing or invalid. `error` says which.',
  },
  unauthorized: { status: 401, when: 'The credential is missing or invalid.' },
  forbidden: {
    status: 403,
    when: 'The credential lacks the required scope, or the deployment belongs to another owner.',
  },
  not_found: { status: 404, when: 'The route or resource does not exist, or belongs to another owner.' },
  method_not_allowed: {
    status: 405,
    when: 'The route does not support this method. `Allow` lists the methods it supports.',
  },
  unknown_files: {
    status: 409,
    when: 'The live version has no files with the hashes in `unknown`: send these files with their content. Nothing was changed.',
  },
  conflict: {
    status: 409,
    when: 'The state of the resource does not allow this: the generation was canceled, or the asset was not uploaded or does not match its description.',
  },
  gone: { status: 410, when: 'The deployment was deleted.' },
  precondition_failed: {
    status: 412,
    when: '`If-Match` does not name the live version. Nothing was changed.',
  },
  payload_too_large: {
    status: 413,
    when: 'A file, the whole deployment or the request exceeds the size limit.',
  },
  unsupported_media_type: {
    status: 415,
    when: 'The body is not `application/json`, or its encoding is not supported.',
  },
  idempotency_mismatch: { status: 422, when: 'The `Idempotency-Key` was used before with a different body.' },
  rate_limited: {
    status: 429,
    when: 'The caller exceeded its rate limit. `Retry-After` and `retryAfter` are the seconds to wait.',
  },
  taken_down: { status: 451, when: 'The operator took the deployment down.' },
  internal: { status: 500, when: 'Internal error. `X-Request-Id` identifies the request in the logs.' },
  deployment_backend_unreachable: {
    status: 502,
    when: 'The deployment backend is unreachable. Nothing was changed.',
  },
  closed: { status: 503, when: 'The operator has closed this operation for now.' },
  busy: {
    status: 503,
    when: 'The service runs as many generations as it may. `Retry-After` and `retryAfter` are the seconds to wait.',
  },
  budget_spent: {
    status: 503,
    when: 'The budget of the day is spent, that of the caller or of the service. `Retry-After` and `retryAfter` are the seconds until it is renewed.',
  },
  providers_failed: { status: 503, when: 'All generation providers failed. Retry after a few seconds.' },
  // The last one of a status is what clients take a response of that status for.
  unavailable: { status: 503, when: 'Part of the service is unreachable. Retry after a few seconds.' },
  generation_timed_out: { status: 504, when: 'Every provider exceeded the per-provider timeout.' },
} as const;

export type ErrorCode = keyof typeof ERRORS;

/** An error for the caller: its message is sent unchanged. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly headers: ResponseHeaders;
  /** Fields of the body in addition to `error`; see `ERROR_BODIES`. */
  readonly body: Readonly<Record<string, unknown>>;

  constructor(
    code: ErrorCode,
    message: string,
    extra: { headers?: ResponseHeaders; body?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    super(message, { cause: extra.cause });
    this.code = code;
    this.headers = extra.headers ?? {};
    this.body = extra.body ?? {};
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}

/** Returns an error that says how many seconds to wait, in `Retry-After` and in `retryAfter`. */
export function retryError(
  code: 'rate_limited' | 'closed' | 'busy' | 'budget_spent',
  message: string,
  retryAfter: number,
): ApiError {
  const headers = { 'Retry-After': String(retryAfter) };
  return new ApiError(code, message, {
    headers,
    body: { retryAfter, ...(code === 'rate_limited' && { docs: RATE_LIMIT_DOCS }) },
  });
}
