import { createHmac } from 'node:crypto';
import { visitorHash } from '../../stored/views/visitors.ts';
import type { CountedView } from './batch.ts';
import type { View } from './view.ts';

/**
 * Returns what is counted of a view. Its address and user agent end here: without the salt of the day, which is deleted, the hashes say
 * nothing about them, and those of two pages or two days cannot be compared.
 */
export function countedView(view: View, salt: Uint8Array | undefined): CountedView {
  const { page, address, userAgent, isBot, status, names } = view;
  const digest = (...parts: readonly string[]) =>
    salt && createHmac('sha256', salt).update(JSON.stringify(parts)).digest();
  const visitor = digest(page, address, userAgent);
  return {
    isBot,
    status,
    names,
    visitor: visitor && visitorHash(visitor),
    by: digest(page, address)?.toString('base64url').slice(0, 8),
  };
}
