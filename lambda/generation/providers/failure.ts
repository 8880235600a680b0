import { type FailureKind, ProviderFailure } from './provider.ts';

/** What the SDK's errors tell, whether the vendor said no at once or in the middle of its stream. */
interface VendorError {
  readonly message?: unknown;
  /** Of the HTTP answer, or what an error event in the stream stands for. */
  readonly statusCode?: number;
  readonly responseHeaders?: Readonly<Record<string, string>>;
  readonly responseBody?: string;
  /** What an error event in the stream held. */
  readonly data?: unknown;
}

/** The most of a vendor's own message that is passed on. */
const LONGEST = 200;

/** So many characters of a confidential text, one after the other, are an echo of it. */
const ECHO = 16;

/**
 * What failed, told apart by what a caller or an operator can do about it. The message has the status and the
 * vendor's own words, unless these repeat a confidential text.
 * @param confidential what must not get into a message: the key and the prompt
 */
export function providerFailure(error: unknown, confidential: readonly string[]): ProviderFailure {
  const said = (typeof error === 'object' && error !== null ? error : {}) as VendorError;
  // A stream that breaks has the status that it began with.
  const status = said.statusCode !== undefined && said.statusCode >= 400 ? said.statusCode : undefined;
  const body = parsed(said.responseBody) ?? said.data;
  const words = [connectionProblem(error), ownWords(body), said.message].find(
    (one) => typeof one === 'string',
  );
  const shown = withoutEcho(oneLine(words ?? ''), confidential);
  const message = `${status === undefined ? 'The call failed' : `HTTP ${status}`}${shown === '' ? '' : `: ${shown}`}`;
  const kind = kindOf(status, JSON.stringify(body) ?? '');
  const retryAfterSeconds = kind === 'overloaded' ? retryAfter(said.responseHeaders ?? {}, body) : undefined;
  return new ProviderFailure(kind, message, retryAfterSeconds === undefined ? {} : { retryAfterSeconds });
}

function kindOf(status: number | undefined, body: string): FailureKind {
  // Google answers 400 to a key that it does not know.
  if (status === 401 || status === 403 || body.includes('"API_KEY_INVALID"')) return 'credentials';
  // 529 is Anthropic's; what AWS calls throttling, or a model that is not ready, is a 429 as well.
  if (status === 429 || status === 503 || status === 529) return 'overloaded';
  // OpenAI's and Azure's codes for a prompt that their filters do not let through.
  if (/"content_(filter|policy_violation)"/.test(body)) return 'refused';
  return 'failed';
}

/** What happened to the connection, from the chain of causes: Node and undici have codes for most of it. */
function connectionProblem(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, message, cause } = error as { code?: unknown; message?: unknown; cause?: unknown };
  if (/^(E[A-Z_]+|UND_ERR_\w+)$/.test(String(code))) return `no connection, or a lost one (${code})`;
  return connectionProblem(cause) ?? (message === 'terminated' ? 'the connection was lost' : undefined);
}

/** The vendor's own message; who speaks a vendor's protocol rarely has the shape of its errors as well. */
function ownWords(body: unknown): unknown {
  const { error, message, Message, detail } = (body ?? {}) as Record<string, unknown>;
  return typeof error === 'object' && error !== null
    ? ownWords(error)
    : (error ?? message ?? Message ?? detail);
}

/** Some servers answer to a request that they refuse with the request. */
function withoutEcho(words: string, confidential: readonly string[]): string {
  const echoes = (text: string) => {
    const size = Math.min(text.length, ECHO);
    for (let start = 0; start + size <= words.length; start++)
      if (text.includes(words.slice(start, start + size))) return true;
    return false;
  };
  return confidential.some(echoes) ? '' : words;
}

function oneLine(words: string): string {
  const line = words.replace(/\s+/g, ' ').trim();
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST).replace(/[\ud800-\udbff]$/, '')}…`;
}

/**
 * Seconds that the vendor asks to be left alone, rounded up.
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

function parsed(body: string | undefined): unknown {
  try {
    return body === undefined ? undefined : JSON.parse(body);
  } catch {
    return undefined;
  }
}
