import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares two strings in a time that does not depend on their contents. */
export function constantTimeEqual(a: string, b: string): boolean {
  const digest = (value: string) => createHash('sha256').update(value).digest();
  return timingSafeEqual(digest(a), digest(b));
}
