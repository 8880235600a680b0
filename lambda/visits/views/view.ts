import { isbot } from 'isbot';
import { limitKey, VIEWER_ADDRESS_HEADER } from '../../access/viewer-address.ts';
import { NAVIGATION_HEADER, OWN_CALL_HEADER } from '../../sites/edge.ts';
import type { SiteResponse } from '../../sites/serving/respond.ts';
import { DEPLOYMENT_ID } from '../../stored/deployment.ts';
import { type Counts, type ListName, OTHER } from '../../stored/views.ts';

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
  /** The address that the rate limiter counts. Only hashes of it are kept. */
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
function referrerOf(referer: string | undefined, page: string, ownHosts: readonly string[]): string | undefined {
  const url = URL.parse(referer ?? '');
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  if (ownHosts.includes(url.hostname) || url.pathname.startsWith(`/d/${page}/`)) return undefined;
  return nameOf(url.hostname.replace(/^www\./, ''), NAME_BYTES.host);
}

function nameOf(text: string, most: number): string {
  return Buffer.byteLength(text) > most || UNPRINTABLE.test(text) ? OTHER : text;
}

/** Returns whether a user agent is that of a program: by the list of `isbot`, which is updated with its package, or by having none. */
function isBot(userAgent: string): boolean {
  return userAgent === '' || isbot(userAgent);
}

/** Views of a name that an instance has not written yet. */
export interface Seen {
  readonly views: number;
  /** The hash of the address that sent it first; undefined if the salt could not be read. */
  readonly by: string | undefined;
}

type SeenNames = ReadonlyMap<string, Seen>;

/** The bounds of the names of a day. */
interface Room {
  /** The most names in the list. */
  readonly room: number;
  /** Returns how many names an address may still introduce. */
  readonly left: (by: string) => number;
}

/** The changes of a write in a list. */
export interface NamesPlan {
  /** The numbers to add to the views of each name, `OTHER` included. */
  readonly added: Counts;
  /** The addresses that introduce names, once for each name. */
  readonly introducers: readonly string[];
  /** The name that leaves the list, with the views that it must still have. */
  readonly evicted?: { readonly name: string; readonly views: number };
  /** Names whose views are counted as `OTHER`. */
  readonly passedOver: Counts;
}

/**
 * Decides under which names views are counted. While a list has room, an address introduces a name. Then a name replaces the one
 * with the fewest views once this instance has seen it more often, so that a list approaches the names with the most views. An address
 * introduces few names a day: one that invents names does not displace those of others.
 * @param seen names, each with its new views
 * @param known the list as it is stored
 * @param earlier views of names that this instance has passed over so far
 */
export function planNames(seen: SeenNames, known: Counts, earlier: Counts, { room, left }: Room): NamesPlan {
  const added = new Map<string, number>();
  const passedOver = new Map<string, number>();
  const introducers: string[] = [];
  const add = (name: string, views: number) => added.set(name, (added.get(name) ?? 0) + views);
  const isIntroduced = (by: string | undefined) => {
    if (by === undefined || introducers.filter((one) => one === by).length >= left(by)) return false;
    introducers.push(by);
    return true;
  };
  const unseen = [...known].filter(([name]) => name !== OTHER && !seen.has(name));
  const last = unseen.toSorted(([, a], [, b]) => a - b)[0];
  const names = [...known.keys()].filter((name) => name !== OTHER).length;
  let evicted: NamesPlan['evicted'];
  for (const [name, { views, by }] of byViews(seen)) {
    const before = earlier.get(name) ?? 0;
    const isFull = names + introducers.length >= room;
    const isMore = evicted === undefined && last !== undefined && before + views > last[1];
    if (name === OTHER || known.has(name)) add(name, views);
    else if (!isFull && isIntroduced(by)) add(name, views);
    else if (isFull && isMore && isIntroduced(by)) {
      evicted = { name: last[0], views: last[1] };
      add(name, before + views);
      // The views of the one that leaves become others, and those that were passed over no longer are.
      add(OTHER, last[1] - before);
    } else {
      passedOver.set(name, views);
      add(OTHER, views);
    }
  }
  return { added, introducers, passedOver, ...(evicted && { evicted }) };
}

function byViews(seen: SeenNames): [string, Seen][] {
  return [...seen].sort(([, a], [, b]) => b.views - a.views);
}
