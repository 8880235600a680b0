import { createHash } from 'node:crypto';
import { parseJson } from './json-text.ts';

/** Returns the hash of a declaration: two files that differ in white space only have the same rules. */
export function rulesHash(text: string): string {
  const canonical = JSON.stringify(parseJson(text));
  return createHash('sha256').update(canonical).digest('hex').slice(0, 32);
}
