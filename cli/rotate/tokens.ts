import { randomBytes } from 'node:crypto';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import {
  addVersion,
  newestVersion,
  readTokenVersions,
  USED_AFTER_MS,
  writeTokenVersions,
} from '../../lambda/stored/deployment-tokens.ts';
import { timestamp } from '../../terminal/time.ts';

/**
 * Adds a version of the secret of tokens. Two rotations at the same time leave one version, because no token uses it before
 * every instance has read the last version.
 * @param graceMs how long older tokens are valid after new ones use the new version
 * @returns the version, and times in Unix milliseconds
 * @throws Error while new tokens do not use the version of the last rotation yet
 */
export async function rotateTokens(
  secrets: SecretsManagerClient,
  secretId: string,
  graceMs: number,
  now = Date.now(),
): Promise<{ readonly version: number; readonly from: number; readonly until: number }> {
  const { SecretString = '' } = await secrets.send(new GetSecretValueCommand({ SecretId: secretId }));
  const versions = readTokenVersions(SecretString);
  const newest = newestVersion(versions);
  const usedFrom = versions.useFrom[newest] ?? 0;
  if (usedFrom > now)
    throw new Error(
      `Version ${newest} was just added, and new tokens use it from ${timestamp(usedFrom)}: rotate again after that, if at all`,
    );
  const from = now + USED_AFTER_MS;
  const until = from + graceMs;
  const next = addVersion(versions, randomBytes(36).toString('base64url'), { now, from, until });
  await secrets.send(
    new PutSecretValueCommand({ SecretId: secretId, SecretString: writeTokenVersions(next) }),
  );
  return { version: newestVersion(next), from, until };
}
