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
 * Gives the stack's secret the value of another one. All versions of the secret of tokens are in its one value. The former value keeps
 * the label AWSPREVIOUS.
 */
export async function copySecret({ from, to }: Copied, ends: Ends): Promise<void> {
  const SecretString = await textOf(from, ends.from);
  await ends.to.send(new PutSecretValueCommand({ SecretId: to, SecretString }));
}

async function textOf(SecretId: string, client: SecretsManagerClient): Promise<string> {
  const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId }));
  if (SecretString === undefined) throw new Error(`The secret ${SecretId} has no value in text`);
  return SecretString;
}
