import { createHmac } from 'node:crypto';
import { constantTimeEqual } from '../platform/constant-time.ts';

/** `<end in Unix seconds>.<digest in base64url>` */
const SIGNATURE = /^(\d{1,12})\.[\w-]{43}$/;

/** Signs what is allowed until a time. @param key in base64url @param end in Unix seconds */
export function signUntil(key: string, allowed: readonly string[], end: number): string {
  const digest = createHmac('sha256', Buffer.from(key, 'base64url'))
    .update(JSON.stringify([...allowed, end]))
    .digest('base64url');
  return `${end}.${digest}`;
}

/** Returns the end of a signature in Unix seconds, or undefined if it is not valid, or not any more. @param now in Unix milliseconds */
export function signedUntil(key: string, allowed: readonly string[], signature = '', now: number): number | undefined {
  const end = Number(SIGNATURE.exec(signature)?.[1] ?? 0);
  return end * 1_000 > now && constantTimeEqual(signUntil(key, allowed, end), signature) ? end : undefined;
}
