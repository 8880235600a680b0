import { assess, type GateReason, strongest } from './assess.ts';
import type { BadUrls } from './bad-urls.ts';

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
