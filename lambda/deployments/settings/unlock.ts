import type { SharedCounter, SharedCounterOptions } from '../../access/shared-counter.ts';
import { CLOCKS_APART_MS, type Clock } from '../../platform/clock.ts';
import type { Deployment } from '../../stored/deployment.ts';
import { ACCESS_PARAMETERS, signAccess } from '../../stored/page-access.ts';
import { isPassword } from './password.ts';

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
 * All passwords of an address in five minutes, including right ones: checking each takes a third of a second of processor time that
 * deploys need. The limit allows for a school, which shares an address. Counts are kept in memory, and written for every ten.
 */
export const CHECKED_PASSWORDS: SharedCounterOptions = {
  name: 'passwords',
  windowSeconds: 300,
  limit: 100,
  batch: 10,
};

export interface UnlockPorts {
  /** Counts the passwords of an address for all deployments. */
  readonly checkedPasswords: Pick<SharedCounter, 'count'>;
  /** Counts wrong passwords of an address for a deployment. */
  readonly wrongPasswords: Pick<SharedCounter, 'count' | 'note'>;
  readonly clock: Clock;
}

/**
 * Returns the query with which a visitor goes back to the pages: a signature that opens them, or why they stay closed. Beyond the
 * limit no password is checked. An address that sends its guesses to many instances at once gets as many more as there are instances.
 * @param address of the visitor, as limits see it
 */
export async function unlock(
  { id, access }: Deployment,
  password: string,
  address: string,
  { checkedPasswords, wrongPasswords, clock }: UnlockPorts,
): Promise<Readonly<Record<string, string>>> {
  // It is public, or became so meanwhile.
  if (access?.hash === undefined) return {};
  const counted = `password/${id}/${address}`;
  if (!wrongPasswords.note(counted).allowed) return { 'ptp-closed': 'wait' };
  if (!(await checkedPasswords.count(`passwords/${address}`)).allowed) return { 'ptp-closed': 'wait' };
  if (!(await isPassword(password, access.hash))) {
    const { allowed } = await wrongPasswords.count(counted);
    return { 'ptp-closed': allowed ? 'wrong' : 'wait' };
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
