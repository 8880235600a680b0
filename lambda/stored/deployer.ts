import { createHmac } from 'node:crypto';
import type { Caller } from '../access/callers.ts';
import type { FetchedSecret } from '../platform/fetched-secret.ts';

/** How long it is known which pages an address deployed. */
export const DEPLOYER_KEPT_MS = 30 * 86_400_000;

/**
 * Returns what stands for an address that deploys without a credential: a digest that nobody can compute, or compare with those of all
 * addresses, without the secret.
 * @param address as limits see it
 */
export function deployerOf(address: string, secret: string): string {
  return digest(['deployer', 1, address], secret);
}

/** Returns a digest of a deployer and one deployment, by which a takedown knows its own pages: it links no two of them. */
export function deployerMark(deployer: string, deployment: string): string {
  return `address:${digest(['taken down', deployment], deployer)}`;
}

/** Returns who deploys, or undefined for a caller with a credential. */
export async function anonymousDeployer(
  caller: Caller | undefined,
  idSecret: FetchedSecret,
): Promise<string | undefined> {
  if (!caller || caller.credential) return undefined;
  return deployerOf(caller.id.replace(/^address:/, ''), await idSecret());
}

/** 128 bits. */
function digest(parts: readonly (string | number)[], secret: string): string {
  return createHmac('sha256', secret).update(JSON.stringify(parts)).digest('base64url').slice(0, 22);
}
