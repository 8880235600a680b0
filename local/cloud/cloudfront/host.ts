/** Returns the name in a `Host` field (RFC 9110, 7.2). Unlike on AWS, local requests have a port there. */
export function withoutPort(host: string): string {
  return host.replace(/:\d*$/, '');
}
