import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { CLIENT } from './aws.ts';

/** Resolves to the value of a secret by its name; rejects with SecretUnavailable if an operator has to act. */
export type ReadSecret = (name: string) => Promise<string>;

/** No usable secret has the name. The message says what to do and never contains the secret. */
export class SecretUnavailable extends Error {
  override readonly name = 'SecretUnavailable';
}

/** A changed secret takes effect within this time. */
const CACHE_MS = 5 * 60_000;

/** Visible ASCII, as header values need, but not JSON, the default format of the Secrets Manager console. */
const PLAIN = /^(?!\{)[\x21-\x7e]+$/;

/**
 * Returns a reader of Secrets Manager that caches each secret for five minutes. Concurrent reads share one call;
 * failures are not cached.
 */
export function secretReader(client: SecretsManagerClient, clock: () => number = Date.now): ReadSecret {
  const known = new Map<string, { readonly value: Promise<string>; readonly until: number }>();
  return (name) => {
    const kept = known.get(name);
    if (kept !== undefined && clock() < kept.until) return kept.value;
    const value = read(client, name);
    known.set(name, { value, until: clock() + CACHE_MS });
    value.catch(() => known.delete(name));
    return value;
  };
}

async function read(client: SecretsManagerClient, name: string): Promise<string> {
  const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: name })).catch((error: unknown) => {
    throw unavailable(name, error);
  });
  const value = SecretString?.trim() ?? '';
  if (value === '') throw new SecretUnavailable(`The secret ${name} is empty: store the key in it`);
  if (!PLAIN.test(value))
    throw new SecretUnavailable(`The secret ${name} is not a plain key: store only the key in it, as plain text`);
  return value;
}

function unavailable(name: string, error: unknown): Error {
  switch (error instanceof Error ? error.name : undefined) {
    case 'ResourceNotFoundException':
      return new SecretUnavailable(`The secret ${name} does not exist: create it with the key as plain text`);
    case 'AccessDeniedException':
      return new SecretUnavailable(`The function has no access to the secret ${name}: deploy again to grant it`);
    default:
      return new Error(`The secret ${name} could not be read`, { cause: error });
  }
}

const client = new SecretsManagerClient(CLIENT);

/** Returns the text of a secret. @throws the SDK's error, or Error if the secret has no text */
export async function readSecretText(arn: string): Promise<string> {
  const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: arn }));
  if (!SecretString) throw new Error(`The secret ${arn} has no text`);
  return SecretString;
}
