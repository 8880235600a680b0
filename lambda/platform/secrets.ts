import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

/** Gives the value of a secret by its name. Rejects with SecretUnavailable when somebody has to do something. */
export type ReadSecret = (name: string) => Promise<string>;

/** There is no usable secret of that name; the message says what to do, and never what the secret holds. */
export class SecretUnavailable extends Error {
  override readonly name = 'SecretUnavailable';
}

/** A new value of a secret is in use after this time at the latest. */
const KEEP_MS = 5 * 60_000;

/** What can stand in an HTTP header, and is not JSON, which the console of Secrets Manager offers to make of a key. */
const PLAIN = /^(?!\{)[\x21-\x7e]+$/;

/**
 * Reads secrets of Secrets Manager, each at most once in five minutes; reads at the same time share one call.
 * A failure is not kept.
 */
export function secretReader(client: SecretsManagerClient, clock: () => number = Date.now): ReadSecret {
  const known = new Map<string, { readonly value: Promise<string>; readonly until: number }>();
  return (name) => {
    const kept = known.get(name);
    if (kept !== undefined && clock() < kept.until) return kept.value;
    const value = read(client, name);
    known.set(name, { value, until: clock() + KEEP_MS });
    value.catch(() => known.delete(name));
    return value;
  };
}

async function read(client: SecretsManagerClient, name: string): Promise<string> {
  const { SecretString } = await client
    .send(new GetSecretValueCommand({ SecretId: name }))
    .catch((error: unknown) => {
      throw unavailable(name, error);
    });
  const value = SecretString?.trim() ?? '';
  if (value === '') throw new SecretUnavailable(`The secret ${name} is empty: store the key in it`);
  if (!PLAIN.test(value))
    throw new SecretUnavailable(`The secret ${name} is no key: store the key alone in it, as plain text`);
  return value;
}

function unavailable(name: string, error: unknown): Error {
  switch (error instanceof Error ? error.name : undefined) {
    case 'ResourceNotFoundException':
      return new SecretUnavailable(
        `The secret ${name} does not exist: create it, with the key as plain text`,
      );
    case 'AccessDeniedException':
      return new SecretUnavailable(
        `The secret ${name} may not be read: deploy again to grant it to the function`,
      );
    default:
      return new Error(`The secret ${name} could not be read`, { cause: error });
  }
}
