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
