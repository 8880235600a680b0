import { unpackSite } from '../../sites/archive.ts';
import type { Gate } from '../../sites/gate/gatekeeper.ts';
import { readLine } from '../../sites/source/built-site.ts';
import type { Builder } from '../../stored/builds/builder.ts';
import { type Deployment, liveVersion } from '../../stored/deployment.ts';
import { isHeld } from '../../stored/held.ts';
import { type EdgeCopiesPorts, withHeldWithdrawal, withWithdrawal } from '../copies/edge-copies.ts';
import type { GatePort } from '../gate.ts';
import type { SettingsChange } from '../settings/settings-update.ts';
import { lifeOfDeploy, type WantedSettings } from '../settings/wanted-settings.ts';
import type { ArchiveStore } from '../store/archive-store.ts';
import type { DeployCondition } from '../store/deployment-store.ts';
import { buildSource } from './build-source.ts';
import { type PackedSite, packFiles, type Submission } from './submission.ts';

export interface PreparePorts extends EdgeCopiesPorts {
  readonly archives: ArchiveStore;
  readonly builder: Builder;
  readonly anonymousDays: number;
  readonly gate?: GatePort | undefined;
}

export interface PreparedSite extends PackedSite {
  readonly settings: SettingsChange;
}

/** Who deploys, as far as it matters for what is stored. */
interface Preparing {
  readonly condition: DeployCondition;
  readonly tenant: string;
  readonly settings?: WantedSettings | undefined;
}

/**
 * Returns the files of a deploy as they are stored, after a build if they are source, with what the gate found in what visitors will
 * see, and what else the deploy changes.
 * @param now in Unix milliseconds
 */
export async function prepare(
  site: Submission,
  { condition, tenant, settings }: Preparing,
  before: Deployment | undefined,
  now: number,
  ports: PreparePorts,
): Promise<PreparedSite> {
  const life = lifeOfDeploy(settings ?? {}, condition, before, ports.anonymousDays, now);
  const packed = await packFiles(site, before, ports.archives);
  const stored = 'source' in packed ? await buildSource(packed, before, tenant, ports) : packed;
  const gate = await assessed(stored, ports.gate);
  const about = gate ? { ...stored.about, gate } : stored.about;
  const isRenewed = life !== undefined && before !== undefined && before.deletedAt === undefined;
  const renewed =
    isRenewed && settings?.expiresInSeconds === undefined ? { seconds: before.lifeSeconds } : undefined;
  const wanted = { life, renewed, access: settings?.access };
  // Last, since it counts an invalidation.
  const change = await withEndedCopies(before, wanted, settings !== undefined, gate, ports);
  return { ...stored, about, settings: change };
}

/** Returns what the gate finds in what visitors will see. */
async function assessed(
  { archive, built, about }: PackedSite,
  gate: GatePort | undefined,
): Promise<Gate | undefined> {
  return gate?.assess(unpackSite(built === undefined ? archive : readLine(built).rest), about.entry);
}

/** Returns a change of a deployment with the withdrawal of the copies at the edge that it ends. */
async function withEndedCopies(
  before: Deployment | undefined,
  wanted: SettingsChange,
  isSet: boolean,
  found: Gate | undefined,
  ports: PreparePorts,
): Promise<SettingsChange> {
  if (!before) return wanted;
  const change = isSet ? await withWithdrawal(before, wanted, ports) : wanted;
  const live = liveVersion(before);
  if (!live) return change;
  const bounds = ports.gate?.bounds;
  const becomesHeld = !isHeld(before, live, bounds) && isHeld(before, found ? { gate: found } : {}, bounds);
  return becomesHeld ? withHeldWithdrawal(before, change, ports) : change;
}
