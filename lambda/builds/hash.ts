import { createHash } from 'node:crypto';

/** Returns the SHA-256 of a content in base64url. */
export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('base64url');
}

/** Returns the hash in the name of a file, in a form that serving recognizes (`isHashedName`), so that browsers may keep the file. */
export function nameHash(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 16);
}
