import { createHmac } from 'node:crypto';
import { constantTimeEqual } from '../../platform/constant-time.ts';
import type { Deployment } from '../deployment.ts';

/** The owner of a site's data: a claim ends the links and cookies of the former one. */
export type DataOwner = Required<Pick<Deployment, 'owner' | 'data'>>;

/** `link` is what the owner opens, `cookie` is what the browser keeps of it. */
export type OwnerPurpose = 'link' | 'cookie';

/** `<end in Unix seconds>.<digest in base64url>` */
const SIGNATURE = /^(\d{1,12})\.([\w-]{43})$/;

/** Signs that a browser is the owner's until a time. @param end in Unix seconds */
export function signOwner({ owner, data }: DataOwner, purpose: OwnerPurpose, end: number): string {
  const digest = createHmac('sha256', Buffer.from(data.key, 'base64url'))
    .update(JSON.stringify(['owner', purpose, owner, end]))
    .digest('base64url');
  return `${end}.${digest}`;
}

/** Returns the end of a signature in Unix seconds, or undefined if it is not valid, or not any more. @param now in Unix milliseconds */
export function ownerUntil(
  owner: DataOwner,
  purpose: OwnerPurpose,
  signature: string | undefined,
  now: number,
): number | undefined {
  const [, end = '', digest] = SIGNATURE.exec(signature ?? '') ?? [];
  if (digest === undefined || Number(end) * 1_000 <= now) return undefined;
  return constantTimeEqual(signOwner(owner, purpose, Number(end)), signature ?? '') ? Number(end) : undefined;
}
