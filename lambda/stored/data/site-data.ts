import { randomBytes } from 'node:crypto';

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
