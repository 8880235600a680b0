import type { DomainResource } from '../../../client/client.ts';

/** What a domain does, by its state. */
export const DOMAIN_TEXTS: Readonly<Record<DomainResource['state'], string>> = {
  waiting_for_dns: 'Waits for its DNS records',
  issuing: 'Is being set up, which takes some minutes',
  active: 'Shows the page',
  failed: 'Failed',
  removing: 'Is being removed, which takes some minutes',
};

/** Whether the service goes on with a domain by itself. */
export const isUnderWay = ({ state }: DomainResource) => state !== 'active' && state !== 'failed';

/** Returns domains with one that is new, or as it is now. */
export function withDomain(all: readonly DomainResource[], one: DomainResource): DomainResource[] {
  const isKnown = all.some(({ domain }) => domain === one.domain);
  return isKnown ? all.map((other) => (other.domain === one.domain ? one : other)) : [...all, one];
}

/** Returns the address of a page at the first of its domains that shows it. */
export function domainUrl(domains: readonly DomainResource[] = []): string | undefined {
  return domains.find(({ state }) => state === 'active')?.url;
}
