import { createHmac } from 'node:crypto';
import { customAlphabet, nanoid } from 'nanoid';

/** Lower case and digits only: an id is also a host name under `siteDomain` (RFC 1123). 12 of them are 62 bits. */
const ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyz';
const LENGTH = 12;

export const DEPLOYMENT_ID = /^[0-9a-z]{12}$/;

/** An id that nobody has had. */
export const randomDeploymentId = customAlphabet(ALPHABET, LENGTH);

/** A name for a version that no other version has. */
export const newVersionName = () => nanoid(12);

/**
 * The id of a project: the same for every deploy of it, with nothing to look up and nothing to race for. It is
 * keyed with a secret of the stack, so that an id does not tell its projectId, not even to who guesses it.
 * @param owner who the project belongs to; the same projectId of another owner is another project
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
