import type { BuildProblem, ErrorCode } from './types.ts';

/** The code of an error by its status, unless the body tells more. A test compares it with the contract. @internal */
export const CODES: { readonly [status: number]: ErrorCode } = {
  400: 'invalid_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  409: 'conflict',
  410: 'gone',
  412: 'precondition_failed',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  422: 'idempotency_mismatch',
  429: 'rate_limited',
  451: 'taken_down',
  500: 'internal',
  502: 'deployment_backend_unreachable',
  503: 'unavailable',
  504: 'generation_timed_out',
};

/** Every failure of a call, except an abort, which rejects with the reason of the signal. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** HTTP status; 0 if no complete response arrived. */
  readonly status: number;
  /** A code of the service; `network` for status 0; `invalid_response` if something else answered in its place. */
  readonly code: ErrorCode | 'network' | 'invalid_response';
  /** The JSON of the response, or its text. */
  readonly body: unknown;
  /** `X-Request-Id`, which identifies the request in the logs of the service. */
  readonly requestId: string | undefined;
  /** Seconds of `Retry-After`. */
  readonly retryAfter: number | undefined;
  /** What is wrong with the source of a project that cannot be built; otherwise empty. */
  readonly problems: readonly BuildProblem[];
  /** Number of attempts since the last progress. */
  attempts = 1;

  /** @internal */
  constructor(message: string, status: number, about: Partial<ApiError>) {
    super(message, 'cause' in about ? { cause: about.cause } : {});
    this.status = status;
    this.code = about.code ?? CODES[status] ?? (status >= 500 ? 'unavailable' : 'invalid_request');
    this.body = about.body;
    this.requestId = about.requestId;
    this.retryAfter = about.retryAfter;
    this.problems = about.problems ?? [];
  }
}

/** Returns the error for the body of a failed request. @internal */
export function errorOf(status: number, body: unknown, headers: Headers, about: Partial<ApiError> = {}) {
  const { error, unknown, problems } = Object(body) as Partial<Record<string, unknown>>;
  const message = typeof error === 'string' ? error : `The service responded with HTTP ${status}`;
  const seconds = /^\d+$/.exec(headers.get('Retry-After') ?? '')?.[0];
  const retryAfter = seconds === undefined ? undefined : Number(seconds);
  const requestId = headers.get('X-Request-Id') ?? undefined;
  const named = { problems: problemsIn(problems), ...codeOf(status, unknown, problems) };
  return new ApiError(message, status, { body, requestId, retryAfter, ...named, ...about });
}

/** Returns the code of an error that its status does not tell. */
function codeOf(status: number, unknown: unknown, problems: unknown): { code?: ErrorCode } {
  if (unknown !== undefined) return { code: 'unknown_files' };
  return status === 400 && problems !== undefined ? { code: 'build_failed' } : {};
}

const problemsIn = (problems: unknown): readonly BuildProblem[] => (Array.isArray(problems) ? problems : []);

/** Returns the error for a request without a complete response. @param cause from `fetch` or a read @internal */
export function networkError(url: string, cause?: unknown): ApiError {
  const { cause: inner = cause } = Object(cause) as { cause?: unknown };
  const { code, message } = Object(inner) as { code?: unknown; message?: unknown };
  const reason = message || code || 'the connection was closed';
  const origin = url.split('/', 3).join('/');
  return new ApiError(`No complete response from ${origin}: ${reason}`, 0, { code: 'network', cause });
}

/** Whether only a retry got this status: an attempt whose response was lost seems to have taken effect. @internal */
export function isRepeat(error: unknown, status: number): boolean {
  return error instanceof ApiError && error.attempts > 1 && error.status === status;
}
