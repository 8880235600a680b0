/** Who answers for the pages of a stage. */
export interface AbuseContact {
  /** An e-mail address, or an https URL. */
  readonly contact: string;
  /** The URL of the service, if it is known before the stack is deployed. */
  readonly baseUrl: string | undefined;
}

/** Returns `/.well-known/security.txt` (RFC 9116). @param now in Unix milliseconds, when the stack is synthesized */
export function securityText({ contact, baseUrl }: AbuseContact, now: number): string {
  const lines = [
    ...(baseUrl === undefined ? [] : [`# Report a single page with the form ${baseUrl}/report`]),
    `Contact: ${contact.startsWith('https:') ? contact : `mailto:${contact}`}`,
    `Expires: ${new Date(textExpires(now)).toISOString()}`,
    'Preferred-Languages: en',
    ...(baseUrl === undefined ? [] : [`Canonical: ${baseUrl}/.well-known/security.txt`]),
  ];
  return `${lines.join('\n')}\n`;
}

/**
 * Returns when the text expires, in Unix milliseconds: it should be less than a year ahead (RFC 9116, 2.5.5). The beginning of a
 * month, so that two deploys of a month upload the same file.
 */
export function textExpires(now: number): number {
  const time = new Date(now);
  return Date.UTC(time.getUTCFullYear() + 1, time.getUTCMonth(), 1) - 1_000;
}
