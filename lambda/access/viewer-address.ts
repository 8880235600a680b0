import { isIPv6 } from 'node:net';
import { constantTimeEqual } from '../platform/constant-time.ts';

/** Headers that our CloudFront function and distribution set, overwriting those of the caller. */
export const VIEWER_ADDRESS_HEADER = 'x-ptp-viewer-address';
export const VIEWER_HOST_HEADER = 'x-ptp-viewer-host';
export const ORIGIN_SECRET_HEADER = 'x-ptp-origin-secret';

/** The challenge of a 401 (RFC 6750, 3). */
export const CHALLENGE = 'Bearer realm="prompt-to-project"';

interface Origin {
  readonly headers: Readonly<Record<string, string>>;
  readonly sourceIp: string;
}

/** Returns whether the request came through our distribution, which adds a secret. */
export function throughDistribution({ headers }: Origin, originSecret: string): boolean {
  return constantTimeEqual(headers[ORIGIN_SECRET_HEADER] ?? '', originSecret);
}

/**
 * Returns the address to count a request for: the viewer's as CloudFront sees it for requests through our distribution,
 * otherwise the one that API Gateway sees. `X-Forwarded-For` is never trusted.
 */
export function viewerAddress(request: Origin, originSecret: string): string {
  const viewer = throughDistribution(request, originSecret)
    ? request.headers[VIEWER_ADDRESS_HEADER]
    : undefined;
  return limitKey(viewer ?? request.sourceIp);
}

/** Maps an IPv6 address to its /64, all of which a host can use (RFC 4291), and a mapped address to its IPv4. */
function limitKey(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.toLowerCase().split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const rest = tail === '' ? [] : tail.split(':');
    groups.push(...Array<string>(Math.max(0, 8 - groups.length - rest.length)).fill('0'), ...rest);
  }
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
