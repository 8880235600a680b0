/** The name in a `Host` field (RFC 9110, 7.2): no request that AWS sees has a port there, every local one has. */
export function withoutPort(host: string): string {
  return host.replace(/:\d*$/, '');
}
