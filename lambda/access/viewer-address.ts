import { isIPv6 } from 'node:net';

/** Headers that our CloudFront function and distribution set, overwriting those of the caller. */
export const VIEWER_ADDRESS_HEADER = 'x-ptp-viewer-address';
export const VIEWER_HOST_HEADER = 'x-ptp-viewer-host';
export const ORIGIN_SECRET_HEADER = 'x-ptp-origin-secret';

/** The challenge of a 401 (RFC 6750, 3). */
export const CHALLENGE = 'Bearer realm="prompt-to-project"';

interface ReceivedRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly sourceIp: string;
  /** Whether it came through our distribution. */
  readonly throughDistribution?: boolean;
}

/**
 * Returns the address to count a request for: the viewer's as CloudFront sees it for requests through our distribution,
 * otherwise the one that API Gateway sees. `X-Forwarded-For` is never trusted.
 */
export function viewerAddress({ headers, sourceIp, throughDistribution }: ReceivedRequest): string {
  const viewer = throughDistribution ? headers[VIEWER_ADDRESS_HEADER] : undefined;
  return limitKey(viewer ?? sourceIp);
}

/**
 * Returns what an address counts for. Maps an IPv6 address to its /56, all of which a customer of a provider commonly gets (RIPE-690, 4.2), and a mapped address to
 * its IPv4.
 */
export function limitKey(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.toLowerCase().split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const rest = tail === '' ? [] : tail.split(':');
    groups.push(...Array<string>(Math.max(0, 8 - groups.length - rest.length)).fill('0'), ...rest);
  }
  const [first = '0', second = '0', third = '0', fourth = '0'] = groups;
  const upper = (Number.parseInt(fourth, 16) & 0xff00).toString(16);
  const prefix = [first, second, third].map((group) => Number.parseInt(group, 16).toString(16));
  return `${[...prefix, upper].join(':')}::/56`;
}
