import { createHmac, randomBytes } from 'node:crypto';
import { DATA_COOKIES } from '../sites/edge.ts';
import { type DataOwner, ownerUntil, signOwner } from '../stored/data/site-data.ts';
import { type Browser, cookiesOf } from '../stored/page-access.ts';

/** Browsers keep no cookie longer than 400 days (RFC 6265bis). */
const VISITOR_SECONDS = 400 * 86_400;

const OWNER_SECONDS = 30 * 86_400;

/** 16 bytes in base64url. */
const VISITOR_ID = /^[\w-]{22}$/;

const nameOf = (cookie: keyof typeof DATA_COOKIES, { secure }: Pick<Browser, 'secure'>) =>
  DATA_COOKIES[cookie][secure ? 'https' : 'http'];

/** Returns the id of the visitor whose browser sent a request; undefined if it is not known yet. */
export function visitorId(browser: Browser): string | undefined {
  return cookiesOf(browser, nameOf('visitor', browser)).find((value) => VISITOR_ID.test(value));
}

/**
 * Returns the id of a visitor who is not known yet.
 * @param request a secret that the repeats of a request share, which get the same id: the response that set the cookie may be lost
 * @param key of the site
 */
export function newVisitorId(request: string | undefined, key: string): string {
  return request === undefined ? randomBytes(16).toString('base64url') : keyedHash(['request', request], key);
}

/** Returns what items name as their author: differs by site, and does not reveal the id. @param key of the site */
export function authorOf(visitor: string, key: string): string {
  return keyedHash(['visitor', visitor], key);
}

/** 128 bits. */
function keyedHash(parts: readonly string[], key: string): string {
  const digest = createHmac('sha256', Buffer.from(key, 'base64url')).update(JSON.stringify(parts)).digest();
  return digest.subarray(0, 16).toString('base64url');
}

export function visitorCookie(visitor: string, browser: Pick<Browser, 'secure'>): string {
  return cookie(nameOf('visitor', browser), visitor, VISITOR_SECONDS, browser);
}

/** Reports if a browser is that of the site's owner. @param now in Unix milliseconds */
export function isOwners(owner: DataOwner, browser: Browser, now: number): boolean {
  const sent = cookiesOf(browser, nameOf('owner', browser));
  return sent.some((value) => ownerUntil(owner, 'cookie', value, now) !== undefined);
}

/** Returns the cookie that makes a browser the owner's. @param now in Unix milliseconds */
export function ownerCookie(owner: DataOwner, browser: Pick<Browser, 'secure'>, now: number): string {
  const end = Math.floor(now / 1_000) + OWNER_SECONDS;
  return cookie(nameOf('owner', browser), signOwner(owner, 'cookie', end), OWNER_SECONDS, browser);
}

/** Returns the cookie that makes a browser that of a visitor again. */
export function endedOwnerCookie(browser: Pick<Browser, 'secure'>): string {
  return cookie(nameOf('owner', browser), '', 0, browser);
}

function cookie(name: string, value: string, seconds: number, { secure }: Pick<Browser, 'secure'>): string {
  const attributes = [`${name}=${value}`, 'Path=/', `Max-Age=${seconds}`, 'HttpOnly', 'SameSite=Lax'];
  return [...attributes, ...(secure ? ['Secure'] : [])].join('; ');
}
