/**
 * The error table: what can go wrong, the HTTP status it has, and what the reference says about it.
 * Handlers throw an `ApiError` with one of these codes; the pipeline's error mapper is the only place
 * that turns one into a response.
 */
export const ERRORS = {
  invalid_request: {
    status: 400,
    when: 'The body, a field or a path is missing or invalid; `error` says which.',
  },
  unauthorized: { status: 401, when: 'The credential is missing or not valid.' },
  forbidden: {
    status: 403,
    when: 'The credential lacks the scope that the operation needs, or the deployment is someone else’s.',
  },
  not_found: { status: 404, when: 'There is no such route or resource, or it is someone else’s.' },
  method_not_allowed: {
    status: 405,
    when: 'The route exists, but not with this method; `Allow` lists those it has.',
  },
  conflict: {
    status: 409,
    when: 'The resource is not in a state that allows this: a generation that was canceled has no result, an asset was not uploaded yet or is not what it is said to be.',
  },
  gone: { status: 410, when: 'The deployment was deleted.' },
  precondition_failed: {
    status: 412,
    when: '`If-Match` names another version than the one that is live; nothing was changed.',
  },
  payload_too_large: {
    status: 413,
    when: 'A file, the deployment as a whole, or the request exceeds the size limit.',
  },
  unsupported_media_type: {
    status: 415,
    when: 'The body is not `application/json`, or its encoding is unknown.',
  },
  idempotency_mismatch: { status: 422, when: 'The `Idempotency-Key` was used before, with another body.' },
  rate_limited: {
    status: 429,
    when: 'The caller used up its window; `Retry-After` and `retryAfter` carry seconds.',
  },
  taken_down: { status: 451, when: 'The operator took the deployment down.' },
  internal: { status: 500, when: 'A fault of the service; `X-Request-Id` identifies it in the logs.' },
  deployment_backend_unreachable: {
    status: 502,
    when: 'The deployment backend is unreachable; nothing was changed.',
  },
  providers_failed: { status: 503, when: 'All generation providers failed; retry after a few seconds.' },
  unavailable: { status: 503, when: 'A part of the service cannot be reached; retry after a few seconds.' },
  generation_timed_out: { status: 504, when: 'Every provider ran into the per-provider timeout.' },
} as const;

export type ErrorCode = keyof typeof ERRORS;

/** An error that the caller is told about: its message is sent as it is. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly headers: Readonly<Record<string, string>>;
  /** Fields beside `error` in the body; only the 429 has some. */
  readonly body: Readonly<Record<string, unknown>>;

  constructor(
    code: ErrorCode,
    message: string,
    extra: { headers?: Record<string, string>; body?: Record<string, unknown>; cause?: unknown } = {},
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

/** Every error body: `error` always, `retryAfter` (seconds) and `docs` on a 429. */
export interface ErrorBody {
  readonly error: string;
  readonly retryAfter?: number;
  readonly docs?: string;
}
