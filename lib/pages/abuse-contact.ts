import type { AbuseContact } from '../../web/security-text.ts';
import type { StageConfig } from '../config.ts';

/** Returns who answers for the pages of a stage. CloudFront chooses the name of a distribution while it is deployed. */
export function abuseContact({ abuse, domainName }: StageConfig): AbuseContact | undefined {
  if (abuse === undefined) return undefined;
  return { contact: abuse, baseUrl: domainName === undefined ? undefined : `https://${domainName}` };
}
