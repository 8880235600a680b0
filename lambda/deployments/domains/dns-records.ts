import type { DomainResource } from '../../contract/deploy.ts';
import { type CustomDomain, domainUrl, isLoopback } from '../../stored/custom-domain.ts';

/** Where the proof of a domain is. */
export function proofName(domain: string): string {
  return `_ptp-challenge.${domain}`;
}

/**
 * Returns the records that a domain needs: one that proves who controls it, and one that leads visitors to CloudFront. Where an alias
 * hides that it does, CloudFront reads a TXT record instead.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/managed-cloudfront-certificates.html#complete-domain-ownership
 * @param target the routing endpoint of the connection group
 */
export function dnsRecords(
  { domain, proof, isApex }: Pick<CustomDomain, 'domain' | 'proof' | 'isApex'>,
  target: string,
): DomainResource['records'] {
  if (isLoopback(domain)) return [];
  const ownership = { type: 'TXT', name: proofName(domain), value: proof } as const;
  if (!isApex) return [ownership, { type: 'CNAME', name: domain, value: target }];
  return [
    ownership,
    { type: 'ALIAS', name: domain, value: target },
    { type: 'TXT', name: `_cf-challenge.${domain}`, value: target },
  ];
}

/** Returns a domain as the API shows it. */
export function domainResource(entry: CustomDomain, target: string, baseUrl: string): DomainResource {
  const { domain, state, reason, addedAt } = entry;
  return {
    domain,
    url: domainUrl(domain, baseUrl),
    state,
    ...(reason === undefined ? {} : { reason }),
    records: dnsRecords(entry, target),
    addedAt,
  };
}
