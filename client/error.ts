import type { ErrorCode } from './types.ts';

/** Codes of errors that no response of the service stands for. */
export type ClientErrorCode = ErrorCode | 'network' | 'invalid_response';

/** The usual code of a status; `providers_failed` is known only for the end of a generation. */
const CODES: Readonly<Record<number, ErrorCode>> = {
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

interface Details {
  readonly status: number;
  readonly code?: ClientErrorCode;
  readonly body?: unknown;
  readonly requestId?: string | undefined;
  readonly retryAfter?: number | undefined;
  readonly cause?: unknown;
}

/** Every failure of a call, except an abort by the caller's signal, which rejects with the signal's reason. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** HTTP status; 0 if there was no complete response. */
  readonly status: number;
  /** One of the service's codes, `network` for status 0, or `invalid_response` if another server seems to have answered. */
  readonly code: ClientErrorCode;
  /** The parsed JSON of the response, its text if it is not JSON, or undefined. */
  readonly body: unknown;
  /** `X-Request-Id` of the response: names the request in the logs of the service. */
  readonly requestId: string | undefined;
  /** Seconds of the `Retry-After` header. */
  readonly retryAfter: number | undefined;
  /** Number of attempts since the last progress. */
  attempts = 1;

  constructor(message: string, { status, code, body, requestId, retryAfter, cause }: Details) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.code = code ?? CODES[status] ?? (status >= 500 ? 'unavailable' : 'invalid_request');
    this.body = body;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }
}

/** Whether the service's retry policy covers an error: a 429, any 5xx, and a request without a response. */
export function isTransient(error: unknown): error is ApiError {
  return (
    error instanceof ApiError && (error.code === 'network' || error.status === 429 || error.status >= 500)
  );
}

/** Returns the error for a response that is not a success, and reads its body. */
export async function errorOf(response: Response): Promise<ApiError> {
  const text = await response.text().catch(() => '');
  const body = parsed(text);
  const { error } = Object(body) as { error?: unknown };
  const { status, headers } = response;
  const seconds = headers.get('Retry-After') ?? '';
  return new ApiError(typeof error === 'string' ? error : `The service responded with HTTP ${status}`, {
    status,
    body,
    requestId: headers.get('X-Request-Id') ?? undefined,
    retryAfter: /^\d+$/.test(seconds) ? Number(seconds) : undefined,
  });
}

/** Returns the error for a request without a complete response. `cause` is what `fetch` rejected with. */
export function networkError(url: string, cause: unknown): ApiError {
  const { cause: inner = cause } = Object(cause) as { cause?: unknown };
  const { code, message } = Object(inner) as { code?: unknown; message?: unknown };
  const reason = message || code || 'the connection was lost';
  const origin = url.split('/', 3).join('/') || 'the service';
  return new ApiError(`No complete response from ${origin}: ${reason}`, {
    status: 0,
    code: 'network',
    cause,
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text || undefined;
  }
}
