/**
 * The largest input or result of a state or an execution, in bytes of JSON as UTF-8.
 * https://docs.aws.amazon.com/step-functions/latest/dg/service-quotas.html
 */
export const DATA_LIMIT = 262_144;

/**
 * The error of a larger one: terminal, since neither a Retry nor a Catch of States.ALL applies to it.
 * https://docs.aws.amazon.com/step-functions/latest/dg/concepts-error-handling.html
 */
export const DATA_LIMIT_EXCEEDED = 'States.DataLimitExceeded';

export function exceeds(data: unknown): boolean {
  return sizeOf(data) > DATA_LIMIT;
}

/** @throws Error that ends the execution if the data exceeds the limit */
export function refuseTooMuch(data: unknown, what: 'input' | 'result'): void {
  if (!exceeds(data)) return;
  const message = `The ${what} of the task has ${sizeOf(data)} bytes: at most ${DATA_LIMIT} are allowed`;
  throw Object.assign(new Error(message), {
    name: DATA_LIMIT_EXCEEDED,
    isCatchable: false,
    isRetryable: false,
  });
}

function sizeOf(data: unknown): number {
  return Buffer.byteLength(JSON.stringify(data) ?? '');
}
