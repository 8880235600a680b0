import type { GateKind } from '../../contract/gate.ts';
import { readPage } from './read-page.ts';
import { readScript } from './read-script.ts';
import { Reading } from './reading.ts';
import { scorePage } from './score.ts';
import { SiteFindings } from './site-findings.ts';

/** Why a site has points. */
export interface GateReason {
  readonly kind: GateKind;
  /** In plain words; at most 200 characters. */
  readonly reason: string;
  /** The file that it is about. */
  readonly path: string;
  readonly points: number;
}

/** What the gate thinks of a site. */
export interface Assessment {
  /** The points of its worst page. */
  readonly points: number;
  /** Those of that page, most points first; at most 10. */
  readonly reasons: readonly GateReason[];
  /** URLs of other hosts that the pages and their scripts name, each with a path where; at most 1,000. */
  readonly urls: ReadonlyMap<string, string>;
}

const MOST_REASONS = 10;
const LONGEST_REASON = 200;
const MOST_URLS = 1_000;

/**
 * Assesses what visitors of a site see: the points say how much it looks like a page that deceives them. The points are
 * those of its worst page, with the scripts and frames that it loads.
 * @param files by their paths, as visitors get them
 * @param entry path of the page that visitors see first; its folder is the root of the site
 * @param ownHosts names of the service: what is sent there, or under a subdomain, is not sent to a stranger
 */
export function assess(
  files: ReadonlyMap<string, Uint8Array>,
  entry: string,
  ownHosts: readonly string[] = [],
): Assessment {
  const root = entry.slice(0, entry.lastIndexOf('/') + 1);
  const site = new SiteFindings(files, root, new Reading(ownHosts, { page: readPage, script: readScript }));
  const urls = new Map<string, string>();
  let worst: Pick<Assessment, 'points' | 'reasons'> = { points: 0, reasons: [] };
  for (const [path, findings] of site.wholes(entry)) {
    for (const url of findings.urls.keys()) if (urls.size < MOST_URLS) urls.set(url, path);
    const reasons = scorePage(findings);
    const points = reasons.reduce((sum, reason) => sum + reason.points, 0);
    if (points > worst.points) worst = { points, reasons: reasons.map((reason) => ({ ...reason, path })) };
  }
  return { ...worst, reasons: strongest(worst.reasons), urls };
}

/** Returns the reasons with most points, within their bounds. */
export const strongest = (reasons: readonly GateReason[]): GateReason[] =>
  reasons
    .toSorted((a, b) => b.points - a.points)
    .slice(0, MOST_REASONS)
    .map(({ kind, reason, path, points }) => ({
      kind,
      reason: reason.slice(0, LONGEST_REASON),
      path: path.slice(0, LONGEST_REASON),
      points,
    }));

/** The points of a site and why, as they are stored with a version. */
export interface Gate {
  readonly points: number;
  readonly reasons: readonly GateReason[];
}

/** Returns the points of a site; undefined if it has none. */
export type Gatekeeper = (files: ReadonlyMap<string, Uint8Array>, entry: string) => Promise<Gate | undefined>;

/** More than any bound may be. */
const BAD_URL_POINTS = 300;

/**
 * Returns the function that assesses sites and looks up the URLs that they name.
 * @param ownHosts as `assess` has it
 */
export function gatekeeper(ownHosts: readonly string[], badUrls: BadUrls | undefined): Gatekeeper {
  return async (files, entry) => {
    const { points, reasons, urls } = assess(files, entry, ownHosts);
    const found = new Set(await badUrls?.find([...urls.keys()]));
    const bad = [...urls].filter(([url]) => found.has(url)).map(([url, path]) => badUrlReason(url, path));
    const all = points + bad.length * BAD_URL_POINTS;
    return all === 0 ? undefined : { points: all, reasons: strongest([...bad, ...reasons]) };
  };
}

const badUrlReason = (url: string, path: string): GateReason => ({
  kind: 'url',
  reason: `It names a URL that is listed as bad: ${JSON.stringify(url.slice(0, 120))}`,
  path,
  points: BAD_URL_POINTS,
});

/** Knows URLs that are bad, such as those of a list. */
export interface BadUrls {
  /** Returns those of some URLs that are bad. */
  readonly find: (urls: readonly string[]) => Promise<readonly string[]>;
}

/**
 * Returns the bad URLs of a list: one a line, as the name of a host, which includes its subdomains, or as the beginning of a URL. What
 * follows `#` after a space, or at the beginning of a line, is a comment.
 */
export function listedUrls(list: string): BadUrls {
  const prefixes = new Map<string, string[]>();
  for (const line of list.split('\n')) {
    const entry = parse(line.replace(/(?:^|\s)#.*/, '').trim());
    if (entry) prefixes.set(entry.host, [...(prefixes.get(entry.host) ?? []), entry.path]);
  }
  const isBad = (text: string) => {
    const url = parse(text);
    return url !== undefined && hostsOf(url.host).some((host) => prefixes.get(host)?.some(begins(url.path)));
  };
  return { find: async (urls) => urls.filter(isBad) };
}

const begins = (path: string) => (prefix: string) => path.startsWith(prefix);

/** Returns the host of a URL, and what follows it; a host alone has the path `/`. */
function parse(text: string): { readonly host: string; readonly path: string } | undefined {
  const url = URL.parse(/^[a-z]+:\/\//i.test(text) ? text : `https://${text}`);
  return url?.hostname ? { host: url.hostname, path: url.pathname + url.search } : undefined;
}

/** Returns a host and the domains that it is in. */
function hostsOf(host: string): string[] {
  const labels = host.split('.');
  return labels.map((_, i) => labels.slice(i).join('.'));
}
