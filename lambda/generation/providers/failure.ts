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
  /** An event that has not the shape of the vendor's. */
  readonly value?: unknown;
}

/** Maximum length of a vendor's message. */
const LONGEST = 200;

/** Number of consecutive characters of a confidential text that count as an echo of it. */
const ECHO = 16;

/**
 * Classifies an error by what a caller or an operator can do about it. The message has the status, the vendor's own
 * message, unless that repeats a confidential text, and the URL that was called.
 * @param confidential texts that no message may contain: the key and the prompt
 * @param hasBegun whether the model had begun to answer
 */
export function providerFailure(
  error: unknown,
  confidential: readonly string[],
  { hasBegun = false, url }: { readonly hasBegun?: boolean; readonly url?: string | undefined } = {},
): ProviderFailure {
  const vendor = vendorError(error);
  const status = statusOf(vendor);
  const body = bodyOf(vendor);
  const page = typeof body === 'string' ? pageTitle(body) : undefined;
  const words = page === undefined ? vendorMessage(body) : page || undefined;
  // The SDK's own message is the text of the status if it could not read the body.
  const reason = connectionProblem(error) ?? words ?? vendor.message;
  const shown = withoutEcho(oneLine(typeof reason === 'string' ? reason : ''), confidential);
  const message = [
    status === undefined ? 'The call failed' : `HTTP ${status}`,
    shown === '' ? '' : `: ${shown}`,
    url === undefined ? '' : ` (${withoutCredentials(url)})`,
  ].join('');
  const kind = error instanceof ProviderFailure ? error.kind : kindOf(error, status, body);
  const retryAfterSeconds = kind === 'overloaded' ? retryAfter(vendor.responseHeaders ?? {}, body, reason) : undefined;
  const isRejected = status === undefined ? isUnreached(error) : !GATEWAY_TIMEOUTS.has(status);
  return new ProviderFailure(kind, message, { retryAfterSeconds, isRejected: isRejected && !hasBegun });
}

function vendorError(error: unknown): VendorError {
  return (typeof error === 'object' && error !== null ? error : {}) as VendorError;
}

/** Returns the status of an error; an error within a stream has that of its response, which is a success. */
function statusOf({ statusCode }: VendorError): number | undefined {
  return statusCode !== undefined && statusCode >= 400 ? statusCode : undefined;
}

/** Returns the value of a body, its text if it is no JSON, or the data of an error event. */
function bodyOf({ responseBody, data, value }: VendorError): unknown {
  return parseJson(responseBody) ?? (responseBody?.trim() ? responseBody : undefined) ?? data ?? value;
}

/** Returns a URL without what may be secret: the user, the password and the query. */
function withoutCredentials(url: string): string {
  const { origin, pathname } = URL.parse(url) ?? {};
  return origin === undefined ? 'an invalid URL' : `${origin}${pathname}`;
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

/** Statuses of a client error that another request would not change. */
const NOT_ABOUT_REQUEST: ReadonlySet<number> = new Set([401, 402, 408, 409, 429]);

/** With 500, llama.cpp refuses what the template of a model cannot render. */
const TEMPLATE_ERROR = /template|jinja|\brole/i;

/**
 * Returns the text of an error that refuses the request itself, or `undefined`. Bedrock responds with 403 to a model that
 * does not support a feature, OpenRouter with 404, Groq with 413 to too many tokens, servers made with FastAPI with 422 to
 * an unknown parameter, and some gateways with a success.
 * @param confidential texts of the request; a response that repeats one of them is not trusted, since a prompt could
 *   imitate a refusal
 */
export function refusedRequest(error: unknown, confidential: readonly string[]): string | undefined {
  const vendor = vendorError(error);
  const status = statusOf(vendor) ?? statusIn(vendor.data) ?? 400;
  const body = bodyOf(vendor);
  // A response that is passed on by another server is a string in a string.
  const text = (JSON.stringify(body) ?? '').replace(/\\+"/g, '"').slice(0, LONGEST_REFUSAL);
  const isRefusal =
    status === 500
      ? TEMPLATE_ERROR.test(text)
      : status < 500 && (!NOT_ABOUT_REQUEST.has(status) || (status === 429 && TOO_LARGE.test(text)));
  const kind = isRefusal ? kindOf(error, status, body) : undefined;
  if (kind === undefined || kind === 'overloaded' || kind === 'quota') return undefined;
  // A short text cannot imitate a refusal, and may be a word of one.
  const imitating = confidential.filter(({ length }) => length >= ECHO);
  return withoutEcho(text, imitating) || undefined;
}

/** The words and codes of vendors for an account that cannot pay, or whose quota only an operator raises. */
const NO_QUOTA =
  /insufficient[_ ](?:user_)?(?:quota|balance|funds|credits?)|exceeded_current_quota|billing_(?:hard_limit|not_active)|credit balance is too low|API usage limits|used all available credits|payment[_ ]required/i;

/** The codes of an overload in a stream, which has no status of its own. */
const OVERLOADED =
  /rate_?limit|overloaded|too_?many_?requests|throttl|resource_?exhausted|capacity|unavailable|(?<!\S)(?:429|503|529)(?!\S)/i;

/** The codes of a key that is not valid, in a stream. */
const BAD_KEY = /authentication|invalid_api_key|unauthori[sz]ed|permission_?(?:error|denied)|(?<!\S)40[13](?!\S)/i;

/** OpenAI's response to a call that exceeds the tokens of a minute by itself: waiting does not help. */
const TOO_LARGE = /request too large/i;

function kindOf(error: unknown, status: number | undefined, body: unknown): FailureKind {
  const text = JSON.stringify(body) ?? '';
  const codes = codesOf(body);
  // Not the whole text: a server may repeat the request in it.
  if (status === 402 || NO_QUOTA.test(`${codes} ${vendorMessage(body) ?? ''}`)) return 'quota';
  // OpenRouter's response to a prompt that a moderation has flagged.
  if (status === 403 && /"flagged_input"/.test(text)) return 'refused';
  if (status === 429 && TOO_LARGE.test(text)) return 'rejected';
  // Google responds with 400 to an unknown key.
  if (status === 401 || status === 403 || text.includes('"API_KEY_INVALID"')) return 'credentials';
  // 529 is Anthropic's; AWS uses 429 for throttling and for a model that is not ready.
  if (status === 429 || status === 503 || status === 529) return 'overloaded';
  if (status === undefined && OVERLOADED.test(codes)) return 'overloaded';
  if (status === undefined && BAD_KEY.test(codes)) return 'credentials';
  // The codes of OpenAI and Azure for a prompt that their filters block.
  if (/"content_(filter|policy_violation)"/.test(text)) return 'refused';
  if (status === 404) return 'not found';
  if (status === 400 || status === 413 || status === 422) return 'rejected';
  return status === undefined && isUnreached(error) ? 'unreachable' : 'failed';
}

/** Returns what happened to the connection, from the codes of Node and undici in the chain of causes. */
function connectionProblem(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, message, cause } = error as { code?: unknown; message?: unknown; cause?: unknown };
  if (/^(E[A-Z_]+|UND_ERR_\w+)$/.test(String(code))) return `the connection failed (${code})`;
  return connectionProblem(cause) ?? (message === 'terminated' ? 'the connection was lost' : undefined);
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

/** A duration as OpenAI, Groq and Azure write it: `9.5s`, `1m12.5s`, `20ms`, `26 seconds`. */
const AGAIN =
  /(?:try|retry)(?: again)?(?: your request)? (?:in|after) (?:(\d+)\s*h[a-z]*\s*)?(?:(\d+)\s*m(?!s)[a-z]*\s*)?(?:([\d.]*\d)\s*(ms|milli|s))?/i;

/**
 * Returns the seconds that the vendor asks to wait, rounded up.
 * https://www.rfc-editor.org/rfc/rfc9110#field.retry-after
 * https://github.com/googleapis/googleapis/blob/master/google/rpc/error_details.proto (RetryInfo)
 * @param reason the vendor's message
 */
function retryAfter(headers: Readonly<Record<string, string>>, body: unknown, reason: unknown): number | undefined {
  const { 'retry-after-ms': milliseconds, 'retry-after': secondsOrDate } = headers;
  const delay = /"(?:retryDelay|retry_after)":"?([\d.]+)/.exec(JSON.stringify(body) ?? '')?.[1];
  const seconds = [
    Number(milliseconds ?? 'none') / 1000,
    Number(secondsOrDate ?? 'none'),
    (Date.parse(secondsOrDate ?? 'none') - Date.now()) / 1000,
    Number(delay ?? 'none'),
    secondsIn(String(reason)),
  ].find(Number.isFinite);
  return seconds === undefined ? undefined : Math.max(0, Math.ceil(seconds));
}

/** Returns the seconds after which a message asks to try again; NaN if it names none. */
function secondsIn(message: string): number {
  const [, hours, minutes, amount, unit = 's'] = AGAIN.exec(message) ?? [];
  if (hours === undefined && minutes === undefined && amount === undefined) return Number.NaN;
  const rest = Number(amount ?? 0) / (unit.toLowerCase() === 's' ? 1 : 1000);
  return Number(hours ?? 0) * 3_600 + Number(minutes ?? 0) * 60 + rest;
}

/** Depth of an error in an error, such as one that a gateway passes on. */
const DEEPEST = 6;

/** The fields with a message, or with an object that has one, in the order in which they are preferred. */
const FIELDS = ['error', 'message', 'Message', 'msg', 'detail', 'errors', 'error_message', 'raw'];

/**
 * Returns the vendor's message; servers with another vendor's protocol rarely have the same shape of errors. The message
 * of a gateway is followed by that of the vendor behind it.
 */
export function vendorMessage(body: unknown, depth = 0): string | undefined {
  if (depth > DEEPEST) return undefined;
  if (typeof body === 'string') return vendorMessage(documentIn(body), depth + 1) ?? (body.trim() || undefined);
  if (Array.isArray(body)) return vendorMessage(body[0], depth + 1);
  if (typeof body !== 'object' || body === null) return undefined;
  const fields = body as Readonly<Record<string, unknown>>;
  const own = FIELDS.map((name) => vendorMessage(fields[name], depth + 1)).find(Boolean);
  const inner = vendorMessage(fields.metadata, depth + 1);
  return own !== undefined && inner !== undefined ? `${own}: ${inner}` : (own ?? inner);
}

/** Returns the value of a text that is a JSON object or array. */
function documentIn(text: string): unknown {
  return /^\s*[{[]/.test(text) ? parseJson(text) : undefined;
}

/** Returns the value of JSON; undefined if it is none. */
export function parseJson(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the title of a page, which may be empty; undefined if a text is no page. */
export function pageTitle(text: string): string | undefined {
  if (!/^\s*<(?:!doctype|!--|html|head|body|\?xml)/i.test(text)) return undefined;
  return /<title[^>]*>([^<]*)/i.exec(text)?.[1]?.trim() ?? '';
}

/** Returns the codes of an error, such as `rate_limit_exceeded 429`: its values that are no sentences. */
function codesOf(body: unknown, depth = 0): string {
  if (depth > DEEPEST || typeof body !== 'object' || body === null) return '';
  return Object.entries(body)
    .map(([name, value]) => {
      if (CODE_FIELDS.has(name) && (typeof value === 'string' || typeof value === 'number')) return value;
      return codesOf(typeof value === 'string' ? documentIn(value) : value, depth + 1);
    })
    .filter((code) => code !== '')
    .join(' ');
}

const CODE_FIELDS = new Set(['code', 'type', 'status', 'reason', 'name', '__type', 'statusCode', 'status_code']);

/** Returns the HTTP status that an error names in its body; undefined if it names none. */
export function statusIn(body: unknown): number | undefined {
  const status = /(?<!\S)[45]\d\d(?!\S)/.exec(codesOf(body))?.[0];
  return status === undefined ? undefined : Number(status);
}
