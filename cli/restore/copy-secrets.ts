import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import type { Copied } from './restored.ts';

interface Ends {
  readonly from: SecretsManagerClient;
  readonly to: SecretsManagerClient;
}

/** Returns the secrets whose values differ from the stack's. */
export async function differingSecrets(secrets: readonly Copied[], ends: Ends): Promise<Copied[]> {
  const differ = await Promise.all(
    secrets.map(async ({ from, to }) => (await textOf(from, ends.from)) !== (await textOf(to, ends.to))),
  );
  return secrets.filter((_, i) => differ[i]);
}

/**
 * Copies the value of another secret to the stack's own. One value contains the secrets of all tokens. The former value remains as
 * AWSPREVIOUS.
 */
export async function copySecret({ from, to }: Copied, ends: Ends): Promise<void> {
  const SecretString = await textOf(from, ends.from);
  await ends.to.send(new PutSecretValueCommand({ SecretId: to, SecretString }));
}

async function textOf(SecretId: string, client: SecretsManagerClient): Promise<string> {
  const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId }));
  if (SecretString === undefined) throw new Error(`The secret ${SecretId} has no text value`);
  return SecretString;
}
