import { createHmac } from 'node:crypto';
import { customAlphabet } from 'nanoid';
import { newId } from '../platform/new-id.ts';

/** Lower case and digits only: an id is also a host name under `siteDomain` (RFC 1123). 12 characters have 62 bits. */
const ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyz';
const LENGTH = 12;

export const DEPLOYMENT_ID = /^[0-9a-z]{12}$/;

/** Returns an id that no other deployment has. */
export const randomDeploymentId = customAlphabet(ALPHABET, LENGTH);

/** Returns a name that no other version has. */
export const newVersionName = () => newId(12);

/**
 * Returns the deployment id of a project. Every deploy of the project derives the same id, without a lookup or a race.
 * The HMAC is keyed with a secret of the stack, so that nobody can check a guessed projectId against an id.
 * @param owner the same projectId of another owner is another project
 */
export function projectDeploymentId(owner: string, projectId: string, secret: string): string {
  const digest = createHmac('sha256', secret)
    .update(JSON.stringify([owner, projectId]))
    .digest();
  let rest = digest.readBigUInt64BE(0);
  let id = '';
  while (id.length < LENGTH) {
    id += ALPHABET[Number(rest % 36n)];
    rest /= 36n;
  }
  return id;
}
