import { BlockList, isIP } from 'node:net';

/** IPv6 has its public addresses in 2000::/3; outside are also those that stand for an IPv4 address, except 6to4 and Teredo. */
const GLOBAL_IPV6 = blocks('2000::/3');

/** The IANA special-purpose address registries, multicast, and the metadata service of Azure. */
const SPECIAL = blocks(`
  0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.31.196.0/24
  192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4
  168.63.129.16/32 2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3ffe::/16 3fff::/20
`);

/** Returns a function that returns the list of some blocks of addresses: made for the first address, not with each cold start. */
function blocks(text: string): () => BlockList {
  let list: BlockList | undefined;
  return () => {
    if (list) return list;
    list = new BlockList();
    for (const block of text.trim().split(/\s+/)) {
      const [network = '', prefix] = block.split('/');
      list.addSubnet(network, Number(prefix), isIP(network) === 6 ? 'ipv6' : 'ipv4');
    }
    return list;
  };
}

/** Names of the machine and of its network. */
const LOCAL_NAME = /(?:^|\.)(?:localhost|local|internal|home\.arpa)\.?$/;

/** Whether an address is one of the public internet; false for anything that is not an address. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !SPECIAL().check(address, 'ipv4');
  return family === 6 && GLOBAL_IPV6().check(address, 'ipv6') && !SPECIAL().check(address, 'ipv6');
}

/**
 * Returns whether the host of a URL is on the public internet, as far as its name tells.
 * @param hostname of a `URL`, which has normalized the forms of addresses
 */
export function isPublicHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  return isIP(host) ? isPublicAddress(host) : !LOCAL_NAME.test(host);
}

/** Returns why a webhook must not be sent to a URL, as a predicate, as far as the URL tells. */
export function webhookUrlProblem({ protocol, hostname }: URL, allowPrivate: boolean): string | undefined {
  if (allowPrivate) return undefined;
  if (protocol !== 'https:') return 'must be an https URL';
  return isPublicHost(hostname) ? undefined : `must be at a public address, not ${hostname}`;
}

/** Programs of a laptop listen on the ports that need no privilege. */
const FIRST_FREE_PORT = 1_024;

/**
 * Returns why a webhook must not be at the port of a URL, as a predicate: to another service, such as ssh or mail, its request
 * would look like an attack of ours. Deliveries that were accepted are not refused.
 */
export function webhookPortProblem(
  { protocol, port }: Pick<URL, 'protocol' | 'port'>,
  allowPrivate: boolean,
): string | undefined {
  // A URL leaves out the port of its protocol.
  const number = Number(port || (protocol === 'https:' ? 443 : 80));
  if (!allowPrivate) return number === 443 ? undefined : `must have port 443, not ${number}`;
  if (number === 80 || number === 443 || number >= FIRST_FREE_PORT) return undefined;
  return `must have port 80, 443, or ${FIRST_FREE_PORT} and above, not ${number}`;
}
