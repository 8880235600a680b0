import { Resolver } from 'node:dns/promises';
import type { DomainResource } from '../../contract/deploy.ts';
import { type CustomDomain, domainUrl, isLoopback } from '../../stored/custom-domain.ts';

/** What the public DNS says of domains. */
export interface Dns {
  /** Returns the values of the TXT records of a name; none if there are none, or if DNS does not answer. */
  texts(name: string): Promise<readonly string[]>;
  /** Reports whether a name is the apex of a zone. Without an answer, the number of its labels decides. */
  isApex(name: string): Promise<boolean>;
}

/** Shorter than what callers wait for; a check that is lost is repeated. */
const SETTINGS = { timeout: 1_500, tries: 1 } as const;

const NO_RECORD = ['ENODATA', 'ENOTFOUND'];

/** Returns the DNS as the resolver of the function sees it. */
export function publicDns(): Dns {
  const resolver = new Resolver(SETTINGS);
  return {
    async texts(name) {
      const records = await resolver.resolveTxt(name).catch(() => []);
      return records.map((parts) => parts.join(''));
    },
    async isApex(name) {
      try {
        await resolver.resolveSoa(name);
        return true;
      } catch (error) {
        const { code = '' } = error as NodeJS.ErrnoException;
        return !NO_RECORD.includes(code) && name.split('.').length === 2;
      }
    },
  };
}

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
