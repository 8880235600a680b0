import type { LookResource } from '../../contract/responses/looks.ts';
import type { Clock } from '../../platform/clock.ts';
import { log } from '../../platform/log.ts';
import type { Deployment, Version } from '../../stored/deployment.ts';
import type { LookLine } from '../../stored/looks/stored-look.ts';
import type { ArchiveStore } from '../store/archive-store.ts';
import { keptVersions } from '../store/retention.ts';
import type { LookStarter } from './look-starter.ts';

/** The longest that an execution looks, with its retries (lib/deployments/deployment-looks.ts). */
export const LOOKING_MS = 480_000;

/** A deployment can be managed without it. */
const UNREADABLE: LookLine = { state: 'failed', reason: 'The look cannot be read right now' };

export interface LooksPorts {
  readonly archives: Pick<ArchiveStore, 'look'>;
  readonly looks: LookStarter;
  readonly clock: Clock;
  /** Without a trailing slash. */
  readonly baseUrl: string;
}

/** Returns what a browser saw of each version of a deployment, by version. Nothing is read for those that nobody looks at. */
export async function looksOf(
  deployment: Deployment,
  { archives, looks: { skipped }, clock, baseUrl }: LooksPorts,
): Promise<ReadonlyMap<string, LookResource>> {
  const { id, live, access } = deployment;
  // Those of private pages are for their owner.
  const path = access ? `/api/v1/deployments/${id}/screenshot` : `/d/${id}.png`;
  const entries = keptVersions(deployment).map(async (version): Promise<[string, LookResource]> => {
    const name = version.version;
    if (version.entry === '') return [name, { state: 'skipped', reason: 'The site has no HTML page' }];
    if (skipped !== undefined) return [name, { state: 'skipped', reason: skipped }];
    const line = await archives.look(id, name).catch((error: unknown) => {
      log.error('look not read', { deployment: id, version: name, error });
      return UNREADABLE;
    });
    if (!line) return [name, absentLook(version, name === live, clock())];
    return [name, publicLook(line, (width) => `${baseUrl}${path}?width=${width}&version=${name}`)];
  });
  return new Map(await Promise.all(entries));
}

/** Returns the look at a version of which none is stored: one that has begun, has died, or was never started. */
function absentLook({ deployedAt, rolledBackAt = 0 }: Version, isLive: boolean, now: number): LookResource {
  if (now - Math.max(deployedAt, rolledBackAt) < LOOKING_MS) return { state: 'looking' };
  if (isLive) return { state: 'failed', reason: 'No browser has looked at this version' };
  return { state: 'skipped', reason: 'It was replaced before a browser looked at it' };
}

function publicLook(line: LookLine, urlOf: (width: number) => string): LookResource {
  if (line.state !== 'looked') return { state: line.state, reason: line.reason };
  const { state, problems, widths } = line;
  const screenshots = Object.fromEntries(widths.map((width) => [width, urlOf(width)]));
  return { state, problems: [...problems], screenshots };
}
