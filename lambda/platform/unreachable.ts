const CONNECTION = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
]);
const NAMES = new Set([
  'TimeoutError',
  'ThrottlingException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'SlowDown',
]);

/**
 * Whether an AWS call failed because the service could not be reached or would not take it now, after the SDK's
 * own retries: no connection, a timeout, throttling or a 5xx. A refusal such as AccessDenied is none of these.
 */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, $metadata } = error as { code?: string; $metadata?: { httpStatusCode?: number } };
  if (NAMES.has(error.name) || (code !== undefined && CONNECTION.has(code))) return true;
  if (($metadata?.httpStatusCode ?? 0) >= 500) return true;
  return error instanceof AggregateError ? error.errors.some(isUnreachable) : isUnreachable(error.cause);
}
