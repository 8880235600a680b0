const CONNECTION = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
]);
const THROTTLED = new Set([
  'ThrottlingException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'SlowDown',
]);

/** Returns whether AWS rejected a call because of a quota. */
export function isThrottled(error: unknown): boolean {
  return error instanceof Error && THROTTLED.has(error.name);
}

/** Of an index that DynamoDB is still filling: an update of the stack does not wait for it. */
const BACKFILLING = 'Cannot read from backfilling global secondary index';

/**
 * Returns whether an AWS call failed, after the SDK's own retries, because the service was unreachable or overloaded:
 * no connection, a timeout, throttling, a 5xx, or an index that is not ready.
 */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, $metadata } = error as { code?: string; $metadata?: { httpStatusCode?: number } };
  if (error.name === 'TimeoutError' || isThrottled(error) || (code !== undefined && CONNECTION.has(code)))
    return true;
  if (($metadata?.httpStatusCode ?? 0) >= 500 || error.message.startsWith(BACKFILLING)) return true;
  return error instanceof AggregateError ? error.errors.some(isUnreachable) : isUnreachable(error.cause);
}
