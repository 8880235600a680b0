import type { DomainState } from '../contract/domains.ts';

/** A domain of a deployment: an attribute of its item, as each version is. */
export interface CustomDomain {
  /** In lower case and Punycode. */
  readonly domain: string;
  /** The value of its TXT record, which only the owner of the deployment is told: it proves who controls the domain. */
  readonly proof: string;
  /** Whether it is the apex of a zone, which has no CNAME record. */
  readonly isApex: boolean;
  /** Unix milliseconds. */
  readonly addedAt: number;
  /** When it was last asked for, or its removal, in Unix milliseconds. */
  readonly askedAt: number;
  readonly state: DomainState;
  readonly reason?: string;
  /** The execution that sets it up or removes it. An earlier one ends when it finds another here. */
  readonly run: string;
  /** The id of its distribution tenant, once there is one. */
  readonly tenant?: string;
}

/** Begins the names of the attributes. */
export const DOMAIN_PREFIX = 'domain:';

interface WithDomains {
  readonly domains?: readonly CustomDomain[];
}

/** Returns the domains in an item, the first one that was added first. */
export function domainsIn(item: Readonly<Record<string, unknown>>): CustomDomain[] {
  return Object.entries(item)
    .flatMap(([name, value]) =>
      name.startsWith(DOMAIN_PREFIX) ? [{ ...(value as CustomDomain), domain: name.slice(DOMAIN_PREFIX.length) }] : [],
    )
    .toSorted((a, b) => a.addedAt - b.addedAt || (a.domain < b.domain ? -1 : 1));
}

/** Returns the distribution tenants of a deployment, whose caches are their own. */
export function tenantsOf({ domains = [] }: WithDomains): string[] {
  return domains.flatMap(({ tenant }) => tenant ?? []);
}

/** Returns the address of a deployment on its own domain, or undefined if none is active. */
export function domainSite({ domains = [] }: WithDomains, baseUrl: string): string | undefined {
  const active = domains.find(({ state }) => state === 'active');
  return active && domainUrl(active.domain, baseUrl);
}

/** Returns the address of a domain. Locally, it has the port of the service. */
export function domainUrl(domain: string, baseUrl: string): string {
  const { protocol, port } = new URL(baseUrl);
  return `${protocol}//${domain}${port === '' ? '' : `:${port}`}/`;
}

/** Names under it resolve to the machine of whoever asks (RFC 6761, 6.3). */
const LOCALHOST = /(?:^|\.)localhost$/;

/** Reports whether a host is the visitor's own machine, as that of a service on a laptop is. */
export function isLoopback(host: string): boolean {
  return LOCALHOST.test(host);
}
