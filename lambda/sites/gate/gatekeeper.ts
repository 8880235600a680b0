import { setImmediate as nextTurn } from 'node:timers/promises';
import type { GateKind } from '../../contract/gate.ts';
import { decodeHtml } from '../charset.ts';
import { readRedirects } from '../rules/redirects.ts';
import { nameClaims } from './claims.ts';
import { Findings } from './findings.ts';
import { imitatedBrand } from './hosts.ts';
import { type LocalReferences, readPage } from './read-page.ts';
import { readScript } from './read-script.ts';
import { Reading } from './reading.ts';
import { scorePage } from './score.ts';

/** Why a site has points. */
interface GateReason {
  readonly kind: GateKind;
  /** In plain words; at most 200 characters. */
  readonly reason: string;
  /** The file that it is about. */
  readonly path: string;
  readonly points: number;
}

/** The gate's assessment of a site. */
interface Assessment {
  /** The points of its worst page. */
  readonly points: number;
  /** The reasons of that page, most points first; at most 10. */
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
  const site = new SiteFindings(files, entry, ownHosts);
  for (const _ of site.read());
  return scored(site);
}

function scored(site: SiteFindings): Assessment {
  const urls = new Map<string, string>();
  let worst: Pick<Assessment, 'points' | 'reasons'> = { points: 0, reasons: [] };
  for (const [path, findings] of site.wholes()) {
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
 * Returns the function that assesses sites and looks up the URLs that they name. It lets other work run after each file, such as
 * storing them.
 * @param ownHosts as `assess` has it
 * @param isBad whether a URL is one of a list
 */
export function gatekeeper(ownHosts: readonly string[], isBad: (url: string) => boolean): Gatekeeper {
  return async (files, entry) => {
    const site = new SiteFindings(files, entry, ownHosts);
    for (const _ of site.read()) await nextTurn();
    const { points, reasons, urls } = scored(site);
    const bad = [...urls].filter(([url]) => isBad(url)).map(([url, path]) => badUrlReason(url, path));
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

/**
 * Returns whether a URL is one of a list: one a line, as the name of a host, which includes its subdomains, or as the
 * beginning of a URL. What follows `#` after a space, or at the beginning of a line, is a comment.
 */
export function listedUrls(list: string): (url: string) => boolean {
  const prefixes = new Map<string, string[]>();
  for (const line of list.split('\n')) {
    const entry = parse(line.replace(/(?:^|\s)#.*/, '').trim());
    if (entry) prefixes.set(entry.host, [...(prefixes.get(entry.host) ?? []), entry.path]);
  }
  return (text) => {
    const url = parse(text);
    return url !== undefined && hostsOf(url.host).some((host) => prefixes.get(host)?.some(begins(url.path)));
  };
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

/** Files that browsers show as a page. A drawing is one: it may hold forms and scripts. */
const PAGE = /\.(?:s?html?|xhtml|svg)$/i;
const SCRIPT = /\.(?:m?js|cjs)$/i;

interface PagePart {
  readonly findings: Findings;
  readonly local: LocalReferences;
}

/** The findings of a site's files, each read once, and joined for each page with those of the files that it loads. */
export class SiteFindings {
  readonly #files: ReadonlyMap<string, Uint8Array>;
  readonly #entry: string;
  readonly #root: string;
  readonly #reading: Reading;
  readonly #pages = new Map<string, PagePart>();
  readonly #scripts = new Map<string, Findings>();

  constructor(files: ReadonlyMap<string, Uint8Array>, entry: string, ownHosts: readonly string[]) {
    this.#files = files;
    this.#entry = entry;
    this.#root = entry.slice(0, entry.lastIndexOf('/') + 1);
    this.#reading = new Reading(ownHosts, { page: readPage, script: readScript });
  }

  /** Reads the files, and yields after each. */
  *read(): Generator<void> {
    // The entry is read first, while nothing of the budgets is used.
    const paths = [...this.#files.keys()].toSorted((a, b) => Number(b === this.#entry) - Number(a === this.#entry));
    for (const path of paths.filter((one) => PAGE.test(one))) {
      this.#pages.set(path, this.#page(path));
      yield;
    }
    for (const path of paths.filter((one) => SCRIPT.test(one))) {
      this.#scripts.set(path, this.#script(path));
      yield;
    }
  }

  /** Returns the findings of each page with its scripts and frames. The entry gets the scripts that no page names. */
  wholes(): Map<string, Findings> {
    const unnamed = new Map(this.#scripts);
    const wholes = new Map<string, Findings>();
    for (const [path, { findings, local }] of this.#pages) {
      const whole = new Findings();
      whole.merge(findings);
      for (const script of this.#resolved(local.scripts, path)) {
        const part = this.#scripts.get(script);
        if (part) whole.merge(part);
        unnamed.delete(script);
      }
      for (const frame of this.#resolved(local.frames, path)) {
        const part = frame === path ? undefined : this.#pages.get(frame);
        if (part) whole.merge(part.findings);
      }
      wholes.set(path, whole);
    }
    const first = wholes.get(this.#entry) ?? new Findings();
    for (const script of unnamed.values()) first.merge(script);
    this.#redirects(first);
    return wholes.set(this.#entry, first);
  }

  #page(path: string): PagePart {
    this.#reading.budget.nextFile();
    const findings = new Findings();
    const local = { scripts: new Set<string>(), frames: new Set<string>() };
    readPage(decodeHtml(this.#files.get(path) ?? ''), findings, this.#reading, 0, local);
    for (const folder of path.slice(this.#root.length).split('/').slice(0, 10))
      findings.claim(nameClaims(folder.replace(PAGE, '')));
    return { findings, local };
  }

  #script(path: string): Findings {
    this.#reading.budget.nextFile();
    const findings = new Findings();
    readScript(new TextDecoder().decode(this.#files.get(path)), findings, this.#reading);
    return findings;
  }

  #resolved(references: ReadonlySet<string>, path: string): ReadonlySet<string> {
    const paths = Array.from(references, (reference) => resolve(reference, path, this.#root));
    return new Set(paths.filter((one) => one !== undefined));
  }

  /** Adds the redirects of all paths, and those to a host that imitates a brand. */
  #redirects(into: Findings): void {
    for (const { from, to } of readRedirects(this.#files.get(`${this.#root}_redirects`))) {
      const target = this.#reading.url(to);
      if (target === undefined) continue;
      const isRoot = from.start.length === 1 && from.start[0] === '';
      if (isRoot || imitatedBrand(target.host)) into.add('redirects', target);
      else into.url(target);
    }
  }
}

/** Returns the path of the file that a page refers to. */
function resolve(reference: string, path: string, root: string): string | undefined {
  const origin = 'http://site.invalid/';
  const base = reference.startsWith('/') ? origin + root : origin + path;
  const relative = reference.startsWith('/') ? reference.replace(/^\/+/, '') : reference;
  const url = URL.parse(relative, base);
  if (url === null || url.origin !== new URL(origin).origin) return undefined;
  try {
    return decodeURIComponent(url.pathname.slice(1));
  } catch {
    return undefined;
  }
}
