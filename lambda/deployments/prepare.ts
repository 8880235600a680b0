import { totalSize } from '../sites/accept-files.ts';
import { packContents, unpackSite } from '../sites/archive.ts';
import { DATA_FILE } from '../sites/data/declaration-text.ts';
import { isUnpublished } from '../sites/folder-rules.ts';
import type { Gate } from '../sites/gate/gatekeeper.ts';
import { entryOf } from '../sites/paths.ts';
import { ignoredRules } from '../sites/rules/ignored.ts';
import { prependHeader, splitHeader } from '../sites/source/build.ts';
import { type Deployment, liveVersion } from '../stored/deployment.ts';
import { isHeld } from '../stored/held.ts';
import type { DeployCondition } from '../stored/pointer-store.ts';
import type { SettingsChange } from '../stored/pointer-update.ts';
import type { StoredReport } from './archive-store.ts';
import {
  declaredData,
  ignoredDeclarations,
  type PlannedData,
  planData,
  planWithoutData,
  sourceDeclaration,
  undeclaredWarnings,
} from './data/declared.ts';
import { lifeOfDeploy, type WantedSettings } from './settings.ts';
import type { DeployStage } from './stage.ts';
import {
  aboutSite,
  leftOutWarnings,
  type PackedSite,
  type PackedSource,
  packFiles,
  type Submission,
  warningOf,
  withWarnings,
} from './submission.ts';

export interface PreparedSite extends PackedSite {
  /** The files that visitors see. */
  readonly seen: ReadonlyMap<string, Uint8Array>;
  readonly settings: SettingsChange;
  /** Undefined if nothing changes on a stage that has turned data off. */
  readonly data: PlannedData | undefined;
}

/** The parts of a sender that matter for the prepared site. */
interface Preparing {
  readonly condition: DeployCondition;
  readonly tenant: string;
  readonly countStored?: ((bytes: number) => Promise<void>) | undefined;
  readonly settings?: WantedSettings | undefined;
  /** The address that deploys without a credential, as `anonymousDeployer` returns it. */
  readonly deployer: string | undefined;
}

/**
 * Returns the archive of a deploy, which it builds if the files are source, with the settings that the deploy changes.
 * @param now in Unix milliseconds
 */
export async function prepare(
  site: Submission,
  { condition, tenant, countStored, settings, deployer }: Preparing,
  before: Deployment | undefined,
  now: number,
  stage: DeployStage,
): Promise<PreparedSite> {
  const life = lifeOfDeploy(settings ?? {}, condition, before, stage.anonymousDays, now);
  const packed = await packFiles(site, before, stage.archives);
  const stored = 'source' in packed ? await buildSource(packed, before, tenant, stage) : packed;
  await countStored?.(stored.archive.length + (stored.built?.length ?? 0));
  const seen = unpackSite(stored.built === undefined ? stored.archive : splitHeader(stored.built).rest);
  const { entry } = stored.about;
  const declared = stage.data && declaredData(seen, entry, hasOwnOrigin(before, stage));
  const change = stage.data ? planData(declared, before, condition, now) : planWithoutData(before);
  const data = change && { change, text: declared?.text };
  const place = 'source' in packed ? 'in public/' : 'beside the start page';
  const written = 'source' in packed ? unpackSite(packed.archive) : seen;
  const warnings = [
    ...ignoredDeclarations(seen.keys(), entry, stage.data !== undefined),
    ...(declared?.warnings ?? []),
    ...(stage.data ? undeclaredWarnings(written, declared, place) : []),
  ];
  const about = {
    ...withWarnings(stored.about, warnings),
    ...(declared && { declaration: declared.hash }),
  };
  const isRenewed = life !== undefined && before !== undefined && before.deletedAt === undefined;
  const renewed = isRenewed && settings?.expiresInSeconds === undefined ? { seconds: before.lifeSeconds } : undefined;
  const wanted = { life, renewed, access: settings?.access };
  // Last, since it counts an invalidation.
  const planned =
    before && settings !== undefined ? await stage.copies.planWithdrawal(before, wanted, deployer) : wanted;
  return { ...stored, about, settings: planned, data, seen };
}

/** Adds to a site what the gate found, and the withdrawal of the copies at the edge of a page that becomes held. */
export async function withGate(
  site: PreparedSite,
  found: Gate | undefined,
  before: Deployment | undefined,
  { copies, gate }: Pick<DeployStage, 'copies' | 'gate'>,
): Promise<PreparedSite> {
  const assessed = { ...site, about: { ...site.about, ...(found && { gate: found }) } };
  const live = before && liveVersion(before);
  const becomesHeld = live && !isHeld(before, live, gate?.bounds) && isHeld(before, assessed.about, gate?.bounds);
  if (!becomesHeld) return assessed;
  return { ...assessed, settings: await copies.planHeldWithdrawal(before, site.settings) };
}

/** Reports if only the pages of a deployment are on its origin. */
function hasOwnOrigin(before: Deployment | undefined, { siteOrigin }: Pick<DeployStage, 'siteOrigin'>): boolean {
  return siteOrigin !== undefined || (before?.domains ?? []).some(({ state }) => state === 'active');
}

/**
 * Builds the source of a deploy. Without variables in the request, those of the live version stay.
 * @param before the deployment before this deploy; undefined if it is new
 * @param tenant for `Builder.build`
 * @throws ApiError build_failed, payload_too_large, unavailable
 */
async function buildSource(
  { archive, source }: PackedSource,
  before: Deployment | undefined,
  tenant: string,
  { archives, builder }: Pick<DeployStage, 'archives' | 'builder'>,
): Promise<PackedSite> {
  const kept = before && (await liveReport(before, archives));
  const env = source.variables ?? kept?.env ?? {};
  const input = { files: unpackSite(archive), env, preview: false, chosen: kept?.packages ?? {} };
  const { report, archive: output } = await builder.build(tenant, input);
  const all = unpackSite(output);
  // Such as what `public` has.
  const hidden = [...all.keys()].filter(isUnpublished);
  for (const path of hidden) all.delete(path);
  const top = entryOf([...all.keys()]).replace(/[^/]*$/, '') + DATA_FILE;
  const declaration = all.has(top) ? undefined : sourceDeclaration(unpackSite(archive), source.root);
  if (declaration) all.set(top, declaration);
  const site = Array.from(all, ([path, content]) => ({ path, content }));
  const { hashedNames, ...seen } = aboutSite(site);
  const stored: StoredReport = { ...report, env };
  const built = prependHeader(stored, hidden.length === 0 && !declaration ? output : packContents(all));
  const warning = warningOf([
    ...leftOutWarnings([...source.leftOut, ...hidden]),
    ...ignoredRules(site, seen.entry),
    ...report.warnings,
  ]);
  const about = {
    ...seen,
    fileCount: source.files.length,
    bytes: totalSize(source.files),
    built: built.length,
    ...(warning === undefined ? {} : { warning }),
  };
  return { archive, about, hashedNames, built };
}

/** Returns the report of the live version, or undefined if there is none or it was not built. */
async function liveReport(
  deployment: Deployment,
  archives: DeployStage['archives'],
): Promise<StoredReport | undefined> {
  const live = liveVersion(deployment);
  return live?.built === undefined ? undefined : archives.report(deployment.id, live.version);
}
