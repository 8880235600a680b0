import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { CLIENT } from './aws.ts';

const client = new SecretsManagerClient(CLIENT);

/** Returns the text of a secret. @throws the SDK's error, or Error if the secret has no text */
export async function readSecretText(arn: string): Promise<string> {
  const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: arn }));
  if (!SecretString) throw new Error(`The secret ${arn} has no text`);
  return SecretString;
}
