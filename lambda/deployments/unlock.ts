import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { SharedCounter, SharedCounterOptions } from '../access/shared-counter.ts';
import { CLOCKS_APART_MS, type Clock } from '../platform/clock.ts';
import type { Deployment } from '../stored/deployment.ts';
import { ACCESS_PARAMETERS, signAccess } from '../stored/page-access.ts';

/** From the response to the password until the browser has followed it, to a function with another clock. */
const ENTRY_SECONDS = 60 + CLOCKS_APART_MS / 1_000;

/** Ten of an address for a deployment in five minutes. Each is written, so that all instances know it. */
export const WRONG_PASSWORDS: SharedCounterOptions = {
  name: 'wrongPasswords',
  windowSeconds: 300,
  limit: 10,
  batch: 1,
};

/**
 * A hundred of a deployment in five minutes, of all addresses together. Beyond it an address may send one wrong password
 * rather than ten, so that many addresses guess a tenth as fast. Visitors who know the password still come in: closing the
 * page for everyone would let a stranger with ten addresses lock them out for as long as he likes.
 */
export const WRONG_PASSWORDS_OF_PAGE: SharedCounterOptions = {
  name: 'wrongPasswordsOfPage',
  windowSeconds: 300,
  limit: 100,
  batch: 1,
};

/**
 * All passwords of an address in five minutes, including right ones: checking each takes a third of a second of processor time that
 * deploys need. The limit allows many visitors behind one address. Counts are kept in memory, and written for every ten.
 */
export const CHECKED_PASSWORDS: SharedCounterOptions = {
  name: 'passwords',
  windowSeconds: 300,
  limit: 100,
  batch: 10,
};

/** Counts the passwords that visitors send. */
export interface PasswordCounters {
  /** Counts the passwords of an address for all deployments. */
  readonly checkedPasswords: Pick<SharedCounter, 'count'>;
  /** Counts wrong passwords of an address for a deployment. */
  readonly wrongPasswords: Pick<SharedCounter, 'count' | 'note'>;
  /** Counts wrong passwords of all addresses for a deployment. */
  readonly wrongPasswordsOfPage: Pick<SharedCounter, 'count' | 'note'>;
}

/**
 * Returns the query parameters for the redirect back to the pages: a signature that opens them, or the reason why they stay closed.
 * Beyond the limit no password is checked. An address that sends its guesses to many instances at once gets the limit at each.
 * @param address the prefix that the visitor counts against, from `viewerAddress`
 */
export async function unlock(
  { id, access }: Deployment,
  password: string,
  address: string,
  { checkedPasswords, wrongPasswords, wrongPasswordsOfPage }: PasswordCounters,
  clock: Clock,
): Promise<Readonly<Record<string, string>>> {
  // The page is public, perhaps since a moment ago.
  if (access?.hash === undefined) return {};
  const counted = `password/${id}/${address}`;
  const page = `password/${id}`;
  const earlier = wrongPasswords.note(counted);
  const isGuessed = earlier.total > 0 && !wrongPasswordsOfPage.note(page).allowed;
  if (!earlier.allowed || isGuessed) return { 'ptp-closed': 'wait' };
  if (!(await checkedPasswords.count(`passwords/${address}`)).allowed) return { 'ptp-closed': 'wait' };
  if (!(await isPassword(password, access.hash))) {
    const tallies = await Promise.all([wrongPasswords.count(counted), wrongPasswordsOfPage.count(page)]);
    return { 'ptp-closed': tallies.every(({ allowed }) => allowed) ? 'wrong' : 'wait' };
  }
  const end = Math.floor(clock() / 1_000) + ENTRY_SECONDS;
  return { [ACCESS_PARAMETERS.entry]: signAccess(access.key, 'entry', end) };
}

/**
 * Returns the URL of a page with more parameters in its query. The page is one of the site, whatever a form says.
 * @param site the site on its own origin, with a slash at the end
 * @param to the path of the page and its query
 */
export function pageUrl(site: string, to: string, parameters: Readonly<Record<string, string>>): string {
  const [path = '/', query = ''] = to.split(/\?(.*)/s);
  const url = new URL(site);
  // Setting it keeps the host, also for a path such as `//example.com`.
  // Browsers do not encode these characters, which RFC 3986 does not allow in a path.
  url.pathname = path.replace(/[[\]^|]/g, (character) => encodeURIComponent(character));
  url.search = query;
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

const derive = promisify<string, Buffer, number, typeof COST, Buffer>(scrypt);

/**
 * 32 MB and about 0.3 s of a function's processor for each password.
 * https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html#scrypt
 */
const COST = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 1_048_576 };
const BYTES = 32;

/** Returns the stored form of a password: `scrypt$<salt>$<digest>`, both in base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const digest = await derive(normalized(password), salt, BYTES, COST);
  return ['scrypt', salt.toString('base64url'), digest.toString('base64url')].join('$');
}

/** Reports if a password is the one of a hash. */
async function isPassword(password: string, hash: string): Promise<boolean> {
  const [, salt = '', digest = ''] = hash.split('$');
  const derived = await derive(normalized(password), Buffer.from(salt, 'base64url'), BYTES, COST);
  return timingSafeEqual(derived, Buffer.from(digest, 'base64url'));
}

/** Keyboards of different systems write one character in different ways (RFC 8265, 4.2.2). */
function normalized(password: string): string {
  return password.normalize('NFC');
}
