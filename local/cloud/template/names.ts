import { createHash } from 'node:crypto';

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

/** Returns an id of `length` lower-case base32 characters (at most 51) that depends only on `text`. */
export function stableId(text: string, length: number): string {
  const bits = BigInt(`0x${createHash('sha256').update(text).digest('hex')}`);
  return Array.from({ length }, (_, i) => BASE32[Number((bits >> BigInt(5 * i)) & 31n)]).join('');
}

/** Returns `<stack>-<logical id>`, shortened to `limit` characters without losing the hash at the end of the id. */
export function physicalName(stackName: string, logicalId: string, limit: number): string {
  const name = `${stackName}-${logicalId}`;
  return name.length <= limit ? name : `${name.slice(0, limit - 9)}-${name.slice(-8)}`;
}

/** Returns a logical id without the hash that the CDK appends. */
export function displayName(logicalId: string): string {
  return logicalId.replace(/[0-9A-F]{8}$/, '');
}
