import { createHash } from 'node:crypto';

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

/** `length` lower-case base32 characters (at most 51) that depend on `text` only: ids that outlive a restart. */
export function stableId(text: string, length: number): string {
  const bits = BigInt(`0x${createHash('sha256').update(text).digest('hex')}`);
  return Array.from({ length }, (_, i) => BASE32[Number((bits >> BigInt(5 * i)) & 31n)]).join('');
}

/** `<stack>-<logical id>`, cut to `limit` characters with the id's last eight kept, since those are its hash. */
export function physicalName(stackName: string, logicalId: string, limit: number): string {
  const name = `${stackName}-${logicalId}`;
  return name.length <= limit ? name : `${name.slice(0, limit - 9)}-${name.slice(-8)}`;
}

/** A logical id as people call the resource: without the hash that the CDK adds. */
export function displayName(logicalId: string): string {
  return logicalId.replace(/[0-9A-F]{8}$/, '');
}
