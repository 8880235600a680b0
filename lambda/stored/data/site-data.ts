import { randomBytes } from 'node:crypto';
import { signedUntil, signUntil } from '../signature.ts';

/** The attribute of a pointer that says that its site has data. */
export interface SiteData {
  /** The hash of the rules in force, from `rulesHash`: the table of data has their text under it. */
  readonly rules: string;
  /** Since when the site has data, in Unix milliseconds: a deployment that was deleted and deployed again has other data. */
  readonly since: number;
  /** Signs the owner's links, and hashes visitors and unique values: 32 random bytes in base64url. */
  readonly key: string;
}

export function newSiteData(rules: string, now: number): SiteData {
  return { rules, since: now, key: randomBytes(32).toString('base64url') };
}

/** Returns the partition of a site in the table of data. @param id of the deployment */
export function siteOf(id: string, { since }: Pick<SiteData, 'since'>): string {
  return `${id}#${since}`;
}

/** The owner of a site's data: a claim ends the links and cookies of the former one. */
export interface DataOwner {
  readonly owner: string;
  readonly data: SiteData;
}

/** `link` is what the owner opens, `cookie` is what the browser keeps of it. */
type OwnerPurpose = 'link' | 'cookie';

/** Signs that a browser is the owner's until a time. @param end in Unix seconds */
export function signOwner({ owner, data }: DataOwner, purpose: OwnerPurpose, end: number): string {
  return signUntil(data.key, ['owner', purpose, owner], end);
}

/** Returns the end of a signature in Unix seconds, or undefined if it is not valid, or not any more. @param now in Unix milliseconds */
export function ownerUntil(
  { owner, data }: DataOwner,
  purpose: OwnerPurpose,
  signature: string | undefined,
  now: number,
) {
  return signedUntil(data.key, ['owner', purpose, owner], signature, now);
}
