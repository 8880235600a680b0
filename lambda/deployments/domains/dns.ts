import { Resolver } from 'node:dns/promises';
import { domainToASCII } from 'node:url';
import type { DomainResource } from '../../contract/deploy.ts';
import { ApiError } from '../../contract/errors.ts';
import { LIMITS } from '../../contract/limits.ts';
import { quote } from '../../contract/messages.ts';
import { type CustomDomain, domainUrl, isLoopback } from '../../stored/custom-domain.ts';

/** The answers of the public DNS about domains. */
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
function dnsRecords(
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

/** The names of the service: those of its base URL and of `https://*.<siteDomain>`. */
interface ServiceNames {
  readonly baseUrl: string;
  readonly siteOrigin?: string | undefined;
}

const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** Top-level domains that no public name has, so that no certificate can be issued (RFC 6761, RFC 6762, RFC 7686, RFC 9476). */
const RESERVED = ['alt', 'arpa', 'example', 'internal', 'invalid', 'local', 'localhost', 'onion', 'test'];

/** The domains of AWS, which nobody else can point elsewhere. */
const OF_AWS = ['amazonaws.com', 'cloudfront.net', 'on.aws'];

/**
 * Returns the domain name in a path, in lower case and Punycode.
 * @param sent as it is in the path
 * @throws ApiError invalid_request for a name that a deployment cannot have
 */
export function acceptDomain(sent: string, origins: ServiceNames): string {
  const domain = asciiName(sent);
  const problem = problemOf(domain, origins);
  if (problem === undefined) return domain;
  throw new ApiError('invalid_request', `${quote(domain || sent)} ${problem}`);
}

/** Characters that no host has. Input with one of them, such as a URL, is refused and not cut to its host. */
const NOT_OF_A_HOST = /[\s/:?#@\\[\]%]/;

function asciiName(sent: string): string {
  try {
    const name = decodeURIComponent(sent);
    return NOT_OF_A_HOST.test(name) ? '' : domainToASCII(name).toLowerCase().replace(/\.$/, '');
  } catch {
    return '';
  }
}

function problemOf(domain: string, { baseUrl, siteOrigin }: ServiceNames): string | undefined {
  const labels = domain.split('.');
  const last = labels.at(-1) ?? '';
  if (!labels.every((label) => LABEL.test(label)) || labels.length < 2 || /^\d+$/.test(last))
    return 'is no domain name: expected one like www.example.com, without scheme, port, path or wildcard';
  if (domain.length > LIMITS.domainCharacters)
    return `has ${domain.length} characters: at most ${LIMITS.domainCharacters} are possible, because certificates allow no more`;
  const service = new URL(baseUrl).hostname;
  const sites = siteOrigin && new URL(siteOrigin.replace('*', 'x')).hostname.slice('x.'.length);
  // A service on a laptop has one host; the other names under `localhost` are free.
  const own = [...(isLoopback(service) ? [] : [service]), ...(sites ? [sites] : []), ...OF_AWS];
  if (domain === service || own.some((name) => `.${domain}`.endsWith(`.${name}`)))
    return 'is not yours: it belongs to the service';
  if (RESERVED.includes(last) && !(isLoopback(domain) && isLoopback(service)))
    return `cannot get a certificate: no public name ends with .${last}`;
  return undefined;
}
