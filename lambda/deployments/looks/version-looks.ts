import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import type { LookResource } from '../../contract/responses/looks.ts';
import { ENV } from '../../platform/env.ts';
import { log } from '../../platform/log.ts';
import { unpackSite } from '../../sites/archive.ts';
import { type Deployment, keptVersions, liveVersion, type Version } from '../../stored/deployment.ts';
import { BROWSERS_BUSY, type Look, type Looker, type LookLine, type NoLook } from '../../stored/looks/looker.ts';
import type { PointerStore } from '../../stored/pointer-store.ts';
import type { ArchiveStore } from '../archive-store.ts';

/** The longest that an execution looks, with its retries (lib/deployments/deployment-looks.ts). */
export const LOOKING_MS = 480_000;

/** A deployment can be managed without it. */
const UNREADABLE: LookLine = { state: 'failed', reason: 'The look cannot be read right now' };

/**
 * Returns the looks at the kept versions of a deployment, by version. Nothing is read for those that nobody looks at.
 * @param skipped why nothing is looked at, as a sentence; undefined if the stage looks
 * @param baseUrl without a trailing slash
 */
export async function readVersionLooks(
  deployment: Deployment,
  archives: Pick<ArchiveStore, 'look'>,
  skipped: string | undefined,
  baseUrl: string,
  now: number,
): Promise<ReadonlyMap<string, LookResource>> {
  const { id, live, access } = deployment;
  // Pictures of private pages are for their owner.
  const path = access ? `/api/v1/deployments/${id}/screenshot` : `/d/${id}.png`;
  const entries = keptVersions(deployment).map(async (version): Promise<[string, LookResource]> => {
    const name = version.version;
    if (version.entry === '') return [name, { state: 'skipped', reason: 'The site has no HTML page' }];
    if (skipped !== undefined) return [name, { state: 'skipped', reason: skipped }];
    const line = await archives.look(id, name).catch((error: unknown) => {
      log.error('look not read', { deployment: id, version: name, error });
      return UNREADABLE;
    });
    if (!line) return [name, absentLook(version, name === live, now)];
    return [name, publicLook(line, (width) => `${baseUrl}${path}?width=${width}&version=${name}`)];
  });
  return new Map(await Promise.all(entries));
}

/** Returns the state of a look that is not stored: one that has begun, has died, or was never started. */
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

/** A look at a version that became live: the input of the state machine. */
export interface VersionLook {
  readonly id: string;
  readonly version: string;
  /** The tenant for `Looker.look`. */
  readonly tenant: string;
  /** Unix milliseconds of the rollback that made it live; absent after a deploy. */
  readonly rolledBackAt?: number | undefined;
}

/** Names an execution, so that a deploy that is repeated is looked at once. */
export function lookName({ id, version, rolledBackAt }: VersionLook): string {
  return rolledBackAt === undefined ? `${id}-${version}` : `${id}-${version}-${rolledBackAt}`;
}

/** A start takes about 10 ms. A response does not wait longer for one that hangs. */
const PATIENCE_MS = 500;

/** Starts looks at versions that became live. */
export interface LookStarter {
  /** Why nothing is looked at, as a sentence; undefined if the stage looks. */
  readonly skipped: string | undefined;
  /** Starts a look, unless it has been started, and does not wait until it has ended. */
  readonly start: (look: VersionLook) => Promise<void>;
}

/** The environment of a function that starts looks, for `readEnv`: `LOOK_SKIPPED`, or the other one. */
export const LOOK_STARTER_ENV = {
  [ENV.looksArn]: z.string().optional(),
  [ENV.lookSkipped]: z.string().optional(),
};

/** Returns the starter of a function. Its client is loaded by the first start. */
export function lookStarter({
  LOOKS_ARN: stateMachine,
  LOOK_SKIPPED,
}: z.output<z.ZodObject<typeof LOOK_STARTER_ENV>>): LookStarter {
  if (stateMachine === undefined || LOOK_SKIPPED !== undefined)
    return { skipped: LOOK_SKIPPED ?? 'This stage has no browser', start: async () => {} };
  return {
    skipped: undefined,
    start: async (look) => {
      const { startExecution } = await import('../../platform/executions.ts');
      await startExecution(stateMachine, lookName(look), look);
    },
  };
}

/**
 * Starts the look at a version that has become live, if it has a page. A failure is only logged, and a start that hangs is left
 * alone: the change is committed.
 * @param entry of the version
 */
export async function startLook(look: VersionLook, entry: string, looks: LookStarter): Promise<void> {
  if (entry === '' || looks.skipped !== undefined) return;
  const started = looks
    .start(look)
    .catch((error: unknown) => log.error('look not started', { deployment: look.id, error }));
  await Promise.race([started, sleep(PATIENCE_MS, undefined, { ref: false })]);
}

/** The stores of a look, and the browser. */
interface VersionLooker {
  readonly pointers: Pick<PointerStore, 'find'>;
  readonly archives: Pick<ArchiveStore, 'site' | 'putLook' | 'deleteLook'>;
  readonly looker: Looker;
}

/** The error after which the state machine retries a look. */
class BrowsersBusy extends Error {
  override readonly name = 'BrowsersBusy';
}

/**
 * Looks at the live version of a deployment, and stores the result. A version that was replaced, deleted or taken down
 * since then is not looked at.
 * @throws BrowsersBusy while no browser is free, and the error of AWS if it cannot be reached
 */
export async function lookAtVersion(
  { id, version, tenant }: Omit<VersionLook, 'rolledBackAt'>,
  stage: VersionLooker,
): Promise<void> {
  const deployment = await stage.pointers.find(id);
  const live = deployment && liveVersion(deployment);
  if (live?.version !== version || deployment?.takenDown) return;
  const archive = await stage.archives.site(id, live);
  // A later deploy has deleted it since the pointer was read.
  if (!archive) return;
  const look = await stage.looker.look(tenant, { files: unpackSite(archive), entry: live.entry });
  if (look.state === 'failed' && look.reason === BROWSERS_BUSY) throw new BrowsersBusy(BROWSERS_BUSY);
  await storeLook({ id, version }, look, stage);
}

/**
 * Stores the look at a version. A deletion removes the version from the pointer before its objects: if the pointer still names it
 * after the write, a later deletion also deletes the look; otherwise it is deleted here.
 */
export async function storeLook(
  { id, version }: Pick<VersionLook, 'id' | 'version'>,
  look: Look | NoLook,
  { pointers, archives }: Pick<VersionLooker, 'pointers' | 'archives'>,
): Promise<void> {
  await archives.putLook(id, version, look);
  const deployment = await pointers.find(id);
  const exists = deployment?.deletedAt === undefined && deployment?.versions.some((one) => one.version === version);
  if (!exists) await archives.deleteLook(id, version);
}
