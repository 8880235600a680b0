import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify<string, Buffer, number, typeof COST, Buffer>(scrypt);

/**
 * 32 MB and about 0.3 s of a function's processor for each password.
 * https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html#scrypt
 */
const COST = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 1_048_576 };
const BYTES = 32;

/** Returns what is stored of a password: `scrypt$<salt>$<digest>`, both in base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const digest = await derive(normalized(password), salt, BYTES, COST);
  return ['scrypt', salt.toString('base64url'), digest.toString('base64url')].join('$');
}

/** Reports if a password is the one of a hash. */
export async function isPassword(password: string, hash: string): Promise<boolean> {
  const [, salt = '', digest = ''] = hash.split('$');
  const derived = await derive(normalized(password), Buffer.from(salt, 'base64url'), BYTES, COST);
  return timingSafeEqual(derived, Buffer.from(digest, 'base64url'));
}

/** Keyboards of different systems write one character in different ways (RFC 8265, 4.2.2). */
function normalized(password: string): string {
  return password.normalize('NFC');
}
