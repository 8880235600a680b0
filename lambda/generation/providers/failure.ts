import { type FailureKind, ProviderFailure } from './provider.ts';

/** The fields of the SDK's errors, both for an error response and for an error event in a stream. */
interface VendorError {
  readonly message?: unknown;
  /** The status of the response, or the one that an error event corresponds to. */
  readonly statusCode?: number;
  readonly responseHeaders?: Readonly<Record<string, string>>;
  readonly responseBody?: string;
  /** The data of an error event. */
  readonly data?: unknown;
}

/** Maximum length of a vendor's message. */
const LONGEST = 200;

/** Number of consecutive characters of a confidential text that count as an echo of it. */
const ECHO = 16;

/**
 * Classifies an error by what a caller or an operator can do about it. The message has the status and the vendor's own
 * message, unless that repeats a confidential text.
 * @param confidential texts that no message may contain: the key and the prompt
 * @param hasBegun whether the model had begun to answer
 */
export function providerFailure(
  error: unknown,
  confidential: readonly string[],
  hasBegun = false,
): ProviderFailure {
  const vendor = (typeof error === 'object' && error !== null ? error : {}) as VendorError;
  // An error within a stream has the status of its response, which is a success.
  const status = vendor.statusCode !== undefined && vendor.statusCode >= 400 ? vendor.statusCode : undefined;
  const body = parseJson(vendor.responseBody) ?? vendor.data;
  const reason = [connectionProblem(error), vendorMessage(body), vendor.message].find(
    (one) => typeof one === 'string',
  );
  const shown = withoutEcho(oneLine(reason ?? ''), confidential);
  const message = `${status === undefined ? 'The call failed' : `HTTP ${status}`}${shown === '' ? '' : `: ${shown}`}`;
  const kind = kindOf(status, JSON.stringify(body) ?? '');
  const retryAfterSeconds =
    kind === 'overloaded' ? retryAfter(vendor.responseHeaders ?? {}, body) : undefined;
  const isRejected = status === undefined ? isUnreached(error) : !GATEWAY_TIMEOUTS.has(status);
  return new ProviderFailure(kind, message, { retryAfterSeconds, isRejected: isRejected && !hasBegun });
}

/** Statuses with which a proxy or the vendor's own front gives up on a model that may have answered. */
const GATEWAY_TIMEOUTS: ReadonlySet<number> = new Set([408, 502, 504, 524]);

/** Returns whether the vendor cannot have got the request: no connection was made. */
function isUnreached(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return UNREACHED.test(String(code)) || isUnreached(cause);
}

const UNREACHED = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/;

/** Maximum length of a refusal that is examined. */
const LONGEST_REFUSAL = 2_000;

/**
 * Returns the text of a response that refuses the request itself, or `undefined`. Bedrock responds with 403 to a model
 * that does not support a feature, and servers made with FastAPI with 422 to an unknown parameter.
 * @param confidential texts of the request; a response that repeats one of them is not trusted, since a prompt could
 *   imitate a refusal
 */
export function refusedRequest(error: unknown, confidential: readonly string[]): string | undefined {
  const { statusCode, responseBody, data } = (
    typeof error === 'object' && error !== null ? error : {}
  ) as VendorError;
  if (statusCode !== 400 && statusCode !== 403 && statusCode !== 422) return undefined;
  const body = parseJson(responseBody) ?? data ?? responseBody;
  // A response that is passed on by another server is a string in a string.
  const text = (JSON.stringify(body) ?? '').replace(/\\+"/g, '"').slice(0, LONGEST_REFUSAL);
  // A short text cannot imitate a refusal, and may be a word of one.
  const imitating = confidential.filter(({ length }) => length >= ECHO);
  return withoutEcho(text, imitating) || undefined;
}

function kindOf(status: number | undefined, body: string): FailureKind {
  // Google responds with 400 to an unknown key.
  if (status === 401 || status === 403 || body.includes('"API_KEY_INVALID"')) return 'credentials';
  // 529 is Anthropic's; AWS uses 429 for throttling and for a model that is not ready.
  if (status === 429 || status === 503 || status === 529) return 'overloaded';
  // The codes of OpenAI and Azure for a prompt that their filters block.
  if (/"content_(filter|policy_violation)"/.test(body)) return 'refused';
  return 'failed';
}

/** Returns what happened to the connection, from the codes of Node and undici in the chain of causes. */
function connectionProblem(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, message, cause } = error as { code?: unknown; message?: unknown; cause?: unknown };
  if (/^(E[A-Z_]+|UND_ERR_\w+)$/.test(String(code))) return `the connection failed (${code})`;
  return connectionProblem(cause) ?? (message === 'terminated' ? 'the connection was lost' : undefined);
}

/** Returns the vendor's message; servers with another vendor's protocol rarely have the same shape of errors. */
function vendorMessage(body: unknown): unknown {
  const { error, message, Message, detail } = (body ?? {}) as Record<string, unknown>;
  return typeof error === 'object' && error !== null
    ? vendorMessage(error)
    : (error ?? message ?? Message ?? detail);
}

/** Returns `''` for a text with an echo, because some servers quote the request that they reject. */
function withoutEcho(text: string, confidential: readonly string[]): string {
  const isEchoed = (secret: string) => {
    const size = Math.min(secret.length, ECHO);
    for (let start = 0; start + size <= text.length; start++)
      if (secret.includes(text.slice(start, start + size))) return true;
    return false;
  };
  return confidential.some(isEchoed) ? '' : text;
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST).replace(/[\ud800-\udbff]$/, '')}…`;
}

/**
 * Returns the seconds that the vendor asks to wait, rounded up.
 * https://www.rfc-editor.org/rfc/rfc9110#field.retry-after
 * https://github.com/googleapis/googleapis/blob/master/google/rpc/error_details.proto (RetryInfo)
 */
function retryAfter(headers: Readonly<Record<string, string>>, body: unknown): number | undefined {
  const { 'retry-after-ms': milliseconds, 'retry-after': secondsOrDate } = headers;
  const delay = /"retryDelay":"([\d.]+)s"/.exec(JSON.stringify(body) ?? '')?.[1];
  const seconds = [
    Number(milliseconds ?? 'none') / 1000,
    Number(secondsOrDate ?? 'none'),
    (Date.parse(secondsOrDate ?? 'none') - Date.now()) / 1000,
    Number(delay ?? 'none'),
  ].find(Number.isFinite);
  return seconds === undefined ? undefined : Math.max(0, Math.ceil(seconds));
}

function parseJson(body: string | undefined): unknown {
  try {
    return body === undefined ? undefined : JSON.parse(body);
  } catch {
    return undefined;
  }
}
