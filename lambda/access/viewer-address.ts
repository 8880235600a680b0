import { isIPv6 } from 'node:net';
import { constantTimeEqual } from '../platform/constant-time.ts';

/** Headers that our CloudFront function and distribution set; a caller's own are overwritten there. */
export const VIEWER_ADDRESS_HEADER = 'x-ptp-viewer-address';
export const VIEWER_HOST_HEADER = 'x-ptp-viewer-host';
export const ORIGIN_SECRET_HEADER = 'x-ptp-origin-secret';

/** RFC 6750, 3: what a credential is asked for with. */
export const CHALLENGE = 'Bearer realm="prompt-to-project"';

interface Origin {
  readonly headers: Readonly<Record<string, string>>;
  readonly sourceIp: string;
}

/** Whether the request came through our distribution: only it knows the secret. */
export function throughDistribution({ headers }: Origin, originSecret: string): boolean {
  return constantTimeEqual(headers[ORIGIN_SECRET_HEADER] ?? '', originSecret);
}

/**
 * The address that a request is counted for: the viewer's as CloudFront saw it when the request came through
 * our distribution, else the one that API Gateway saw. `X-Forwarded-For` is never believed.
 */
export function viewerAddress(request: Origin, originSecret: string): string {
  const viewer = throughDistribution(request, originSecret)
    ? request.headers[VIEWER_ADDRESS_HEADER]
    : undefined;
  return limitKey(viewer ?? request.sourceIp);
}

/** An IPv6 host owns a /64 (RFC 4291), so its addresses count together; IPv4 counts as it is, also when mapped. */
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
