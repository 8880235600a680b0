import { randomBytes } from 'node:crypto';
import { ACCESS_COOKIES } from '../sites/edge.ts';
import { signedUntil, signUntil } from './signature.ts';

/** Who may see private pages: everyone with the password, or with the link. */
export interface Access {
  readonly type: 'password' | 'link';
  /** The result of `hashPassword`, if a password is required. */
  readonly hash?: string;
  /** When the link ends, in Unix seconds. */
  readonly until?: number;
  /** The key that signs links and cookies. Random, and new after each change of the access, which ends all of them. */
  readonly key: string;
}

/**
 * What a signature allows: `link` is sent to people, `entry` is what a right password leads to, and `cookie` is what a browser keeps of
 * either.
 */
type Purpose = 'link' | 'entry' | 'cookie';

/** The parameters of the query of a page that carry a signature, by their purpose. */
export const ACCESS_PARAMETERS = { link: 'ptp-link', entry: 'ptp-entry' } as const;

export function newAccessKey(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Signs access to a page until a time.
 * @param key of `Access`: worthless for other pages, and after a change of the access
 * @param end in Unix seconds
 */
export function signAccess(key: string, purpose: Purpose, end: number): string {
  return signUntil(key, [purpose], end);
}

/** Returns the end of a signature in Unix seconds, or undefined if it is not valid, or not any more. @param now in Unix milliseconds */
export function accessUntil(key: string, purpose: Purpose, signature: string | undefined, now: number) {
  return signedUntil(key, [purpose], signature, now);
}

/** A browser that asks for a page. */
export interface Browser {
  /** The pairs of the Cookie header, `name=value`. */
  readonly cookies: readonly string[];
  /** Whether the page is on https, as everywhere but on a laptop. */
  readonly secure: boolean;
}

/** Returns the name of the cookie that admits a browser to a private page. */
export function accessCookieName({ secure }: Pick<Browser, 'secure'>): string {
  return secure ? ACCESS_COOKIES.https : ACCESS_COOKIES.http;
}

/** Reports if a browser has the cookie of a private page. @param now in Unix milliseconds */
export function isAdmitted({ key }: Access, browser: Browser, now: number): boolean {
  const sent = cookiesOf(browser, accessCookieName(browser));
  return sent.some((value) => accessUntil(key, 'cookie', value, now) !== undefined);
}

/**
 * Returns the values of a cookie. Another page under the same domain can add a cookie of the same name where the prefix is missing: any
 * that is valid counts.
 */
export function cookiesOf({ cookies }: Pick<Browser, 'cookies'>, name: string): string[] {
  const sent = cookies.filter((pair) => pair.startsWith(`${name}=`)).slice(0, 5);
  return sent.map((pair) => pair.slice(name.length + 1));
}
