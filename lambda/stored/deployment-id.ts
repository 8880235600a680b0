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

/**
 * Returns the id of a deployment in the address of one of its pages, or in an id; undefined if it has none. On its own origin, the
 * host names the deployment: the site chooses the path, which could imitate that of another deployment.
 * @param address as a person pastes it, with or without its scheme
 * @param baseUrl of the service, which other names may lead to as well
 */
export function deploymentIdIn(address: string, baseUrl: string): string | undefined {
  if (DEPLOYMENT_ID.test(address.trim())) return address.trim();
  const url = pastedUrl(address);
  if (!url) return undefined;
  const [label = ''] = url.host.split('.');
  if (url.host !== new URL(baseUrl).host && DEPLOYMENT_ID.test(label)) return label;
  const [, id = ''] = /^\/d\/([^/.]+)/.exec(url.pathname) ?? [];
  return DEPLOYMENT_ID.test(id) ? id : undefined;
}

/** Parses a URL as a person pastes it, with or without its scheme. Returns null if it is invalid. */
export function pastedUrl(address: string): URL | null {
  const parsed = URL.parse(address.trim());
  // `localhost:3000/d/…` is a valid URL with the scheme `localhost`.
  return parsed?.host ? parsed : URL.parse(`https://${address.trim()}`);
}
