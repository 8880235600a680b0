import { isbot } from 'isbot';
import { limitKey, VIEWER_ADDRESS_HEADER } from '../../access/viewer-address.ts';
import { NAVIGATION_HEADER, OWN_CALL_HEADER } from '../../sites/edge.ts';
import type { SiteResponse } from '../../sites/serving/respond.ts';
import { DEPLOYMENT_ID } from '../../stored/deployment-id.ts';
import { type ListName, OTHER } from '../../stored/views/day-views.ts';

/** The parts of a visit that decide whether it is a view. Names of headers are in lower case. */
export interface ViewRequest {
  readonly method: string;
  readonly rawPath: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** A view of a page. */
export interface View {
  /** The id of the deployment. */
  readonly page: string;
  readonly isBot: boolean;
  readonly status: number;
  readonly names: readonly (readonly [list: ListName, name: string])[];
  /** As the rate limiter counts it. Only hashes of it are kept. */
  readonly address: string;
  readonly userAgent: string;
}

/** The most bytes of a name in UTF-8. Names of hosts are at most 253 long, and rarely over 60. */
const NAME_BYTES = { path: 200, host: 100 };

/** Control and format characters, halves of surrogate pairs, and code points without a meaning: none is part of a name. */
const UNPRINTABLE = /\p{C}/u;

/** The most characters of a user agent that are read. */
const USER_AGENT_CHARACTERS = 500;

/** Statuses of requests for a part of a file. */
const PARTIAL = [206, 416];

const HTML = /^text\/html\b/i;

/** Returns the id of the deployment that a request may be a view of: a navigation of a person, as far as its headers tell. */
export function viewedPage({ method, rawPath, headers }: ViewRequest): string | undefined {
  if (method !== 'GET' || headers[NAVIGATION_HEADER] !== '1') return undefined;
  // A browser loads it in case its user goes there.
  if (/\bprefetch\b/.test(headers['sec-purpose'] ?? '')) return undefined;
  // A visitor who forges the header only escapes being counted.
  if (headers[OWN_CALL_HEADER] !== undefined) return undefined;
  const id = /^\/(?:d|own)\/([^/]+)\//.exec(rawPath)?.[1] ?? '';
  return DEPLOYMENT_ID.test(id) ? id : undefined;
}

/**
 * Returns the view that a visit was, or undefined if it was none: an HTML page of the site was served, or its page for errors.
 * @param ownHosts hosts of the page itself, besides that of the service
 */
export function viewOf(
  request: ViewRequest,
  { status, headers, served }: SiteResponse,
  ownHosts: readonly string[] = [],
): View | undefined {
  const page = viewedPage(request);
  if (page === undefined || served === undefined || PARTIAL.includes(status)) return undefined;
  if (!HTML.test(headers['Content-Type'] ?? '')) return undefined;
  const userAgent = (request.headers['user-agent'] ?? '').slice(0, USER_AGENT_CHARACTERS);
  const list: ListName = served.isFile ? 'pages' : 'fallbacks';
  const referrer = referrerOf(request.headers.referer, page, ownHosts);
  return {
    page,
    isBot: isBot(userAgent),
    // The edge revalidates what it has, for a viewer who gets all of it.
    status: status === 304 ? 200 : status,
    names: [
      [list, nameOf(`/${served.path}`, NAME_BYTES.path)],
      ...(referrer === undefined ? [] : [['referrers', referrer] as const]),
    ],
    address: limitKey(request.headers[VIEWER_ADDRESS_HEADER] ?? ''),
    userAgent,
  };
}

/** Returns the host of the site that a visitor came from; undefined for none, and for the page itself. */
function referrerOf(
  referer: string | undefined,
  page: string,
  ownHosts: readonly string[],
): string | undefined {
  const url = URL.parse(referer ?? '');
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  if (ownHosts.includes(url.hostname) || url.pathname.startsWith(`/d/${page}/`)) return undefined;
  return nameOf(url.hostname.replace(/^www\./, ''), NAME_BYTES.host);
}

function nameOf(text: string, most: number): string {
  return Buffer.byteLength(text) > most || UNPRINTABLE.test(text) ? OTHER : text;
}

/** Returns whether a user agent is that of a program: by the list of `isbot`, which is updated with its package, or by having none. */
export function isBot(userAgent: string): boolean {
  return userAgent === '' || isbot(userAgent);
}
