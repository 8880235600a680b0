import type { Clock } from './clock.ts';
import { log } from './log.ts';

/** Returns the value of a secret, which is at most some minutes old. */
export type FetchedSecret<Value = string> = () => Promise<Value>;

/** A changed secret is known to every instance within this time. */
const SECRET_CACHE_MS = 5 * 60_000;

/** How long a value that could not be read again is used before the next attempt. */
const RETRY_MS = 30_000;

/** Returns the text of a secret of Secrets Manager. */
type ReadText = (arn: string) => Promise<string>;

/**
 * Returns a reader of a secret that only functions need. It calls Secrets Manager when the value is first needed, and again
 * after five minutes. While Secrets Manager is unreachable, the last value counts.
 * @param parse reads the text of the secret
 * @throws the SDK's error if there is no earlier value
 */
export function fetchedSecret<Value>(
  arn: string,
  parse: (text: string) => Value,
  { clock = Date.now, read = readSecret }: { readonly clock?: Clock; readonly read?: ReadText } = {},
): FetchedSecret<Value> {
  let value: Promise<Value> | undefined;
  let until = 0;
  return () => {
    const now = clock();
    if (value !== undefined && now < until) return value;
    const before = value;
    until = now + SECRET_CACHE_MS;
    const current = read(arn)
      .then(parse)
      .catch((error: unknown) => {
        if (before === undefined) value = undefined;
        else until = now + RETRY_MS;
        if (before === undefined) throw error;
        log.error('secret not read again', { arn, error });
        return before;
      });
    value = current;
    return current;
  };
}

/** Loads the client when it is needed: few requests wait for a secret. */
async function readSecret(arn: string): Promise<string> {
  const { readSecretText } = await import('./secrets.ts');
  return readSecretText(arn);
}
