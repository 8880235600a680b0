import { domainToASCII } from 'node:url';
import { ApiError } from '../../contract/errors.ts';
import { LIMITS } from '../../contract/limits.ts';
import { quote } from '../../contract/messages.ts';
import { isLoopback } from '../../stored/custom-domain.ts';
import type { Origins } from '../resource.ts';

const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** Top-level domains that no public name has, so that no certificate can be issued (RFC 6761, RFC 6762, RFC 7686, RFC 9476). */
const RESERVED = ['alt', 'arpa', 'example', 'internal', 'invalid', 'local', 'localhost', 'onion', 'test'];

/** Those of AWS, which nobody else can point elsewhere. */
const OF_AWS = ['amazonaws.com', 'cloudfront.net', 'on.aws'];

/**
 * Returns the domain name in a path, in lower case and Punycode.
 * @param sent as it is in the path
 * @throws ApiError invalid_request for a name that a deployment cannot have
 */
export function acceptDomain(sent: string, origins: Origins): string {
  const domain = asciiName(sent);
  const problem = problemOf(domain, origins);
  if (problem === undefined) return domain;
  throw new ApiError('invalid_request', `${quote(domain || sent)} ${problem}`);
}

/** What ends the host of a URL, or is none of it: a URL is not cut to its host. */
const NOT_OF_A_HOST = /[\s/:?#@\\[\]%]/;

function asciiName(sent: string): string {
  try {
    const name = decodeURIComponent(sent);
    return NOT_OF_A_HOST.test(name) ? '' : domainToASCII(name).toLowerCase().replace(/\.$/, '');
  } catch {
    return '';
  }
}

function problemOf(domain: string, { baseUrl, siteOrigin }: Origins): string | undefined {
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
