import { writeFileSync } from 'node:fs';
import { ArchiveStore } from '../../lambda/deployments/archive-store.ts';
import { dismissed } from '../../lambda/reports/reported-page.ts';
import { lookKey } from '../../lambda/sites/archive.ts';
import { type Deployment, liveVersion, type Version } from '../../lambda/stored/deployment.ts';
import { isHeld } from '../../lambda/stored/held.ts';
import { confirm } from '../../terminal/ask.ts';
import type { CommandIo } from '../../terminal/program.ts';
import { printTable } from '../../terminal/table.ts';
import { takeDownOne } from '../takedown/one.ts';
import { checkedReason } from '../takedown/reason.ts';
import { reviewEntry, waiting } from './entry.ts';
import { listedEntries, type ReviewStage } from './stage.ts';
import { reviewLines, reviewTable } from './text.ts';

/** The options of all `npm run review` commands. */
export interface ReviewOptions {
  readonly stack?: string;
  readonly json?: boolean;
  readonly picture?: string;
  readonly reason?: string;
  readonly yes?: boolean;
}

export type ReviewAction = (
  id: string,
  options: ReviewOptions,
  stage: ReviewStage,
  io: CommandIo,
) => Promise<void>;

const MONTH_MS = 30 * 86_400_000;

/** Prints the pages that wait for a decision. */
export async function list(
  { json = false }: ReviewOptions,
  stage: ReviewStage,
  { stdout, stderr }: CommandIo,
): Promise<void> {
  const now = Date.now();
  const entries = waiting(await listedEntries(stage));
  if (json) stdout.write(`${JSON.stringify(entries, null, 2)}\n`);
  else if (entries.length === 0) stderr.write('Nothing to review\n');
  else printTable(reviewTable(entries, now), stdout);
  const expires = stage.optionalOutput('SecurityTextExpires');
  if (expires !== undefined && Date.parse(expires) - now < MONTH_MS)
    stderr.write(`/.well-known/security.txt expires at ${expires}: deploy the stack again\n`);
}

export const show: ReviewAction = async (id, { json = false, picture }, stage, { stdout }) => {
  const deployment = await requireDeployment(id, stage);
  const [reported, heldSince] = await Promise.all([stage.reports.find(id), stage.held.since(id)]);
  const entry = reviewEntry({ id, deployment, reported, heldSince }, stage);
  const details = reported?.details ?? [];
  const look = await screenshotOf(id, liveVersion(deployment), stage);
  if (picture !== undefined) {
    if (!look.png) throw new Error(`No picture was written: ${look.text}`);
    writeFileSync(picture, look.png);
  }
  const screenshot = picture === undefined ? look.text : picture;
  if (json) stdout.write(`${JSON.stringify({ ...entry, details, screenshot: look.place }, null, 2)}\n`);
  else for (const line of reviewLines(entry, details, screenshot)) stdout.write(`${line}\n`);
};

export const release: ReviewAction = async (id, { yes }, stage, io) => {
  const deployment = await requireDeployment(id, stage);
  const live = liveVersion(deployment);
  if (!live) throw new Error(`The deployment ${id} is deleted`);
  if (!isHeld(deployment, live, stage.bounds)) throw new Error(`The deployment ${id} is not held`);
  const points = live.gate?.points ?? 0;
  if (!yes) await confirm(`Make ${stage.url(id)} public, which has ${points} points?`, io);
  const change = await stage.deployments.release(id, live.version, points, Date.now());
  if (!change.done) throw new Error(`The deployment ${id} was changed at the same time: look at it again`);
  const since = await stage.held.since(id);
  if (since !== undefined) await stage.held.remove(id, since);
  io.stdout.write(`${stage.url(id)} is public, and so are its next versions with at most ${points} points\n`);
};

export const takeDown: ReviewAction = async (id, { reason, yes = false }, stage, io) => {
  await takeDownOne(id, { at: Date.now(), ...checkedReason(reason) }, yes, stage, io);
};

export const dismiss: ReviewAction = async (id, { yes }, stage, io) => {
  const reported = await stage.reports.find(id);
  if (!reported?.open) throw new Error(`There are no open reports of ${id}`);
  if (!yes) await confirm(`Close the reports of ${stage.url(id)}?`, io);
  await stage.reports.change(id, (before) => (before?.open ? dismissed(before) : undefined));
  io.stdout.write(`The reports of ${stage.url(id)} are closed\n`);
};

async function requireDeployment(id: string, { deployments }: ReviewStage): Promise<Deployment> {
  const deployment = await deployments.find(id);
  if (!deployment) throw new Error(`There is no deployment ${id}`);
  return deployment;
}

interface Screenshot {
  /** Of the object with the pictures, if there is one. */
  readonly place: string | null;
  readonly text: string;
  readonly png: Uint8Array | undefined;
}

async function screenshotOf(
  id: string,
  live: Version | undefined,
  { s3, output }: ReviewStage,
): Promise<Screenshot> {
  if (!live) return { place: null, text: 'none: the deployment is deleted', png: undefined };
  const bucket = output('SitesBucket');
  const pictures = await new ArchiveStore(s3, bucket).pictures(id, live.version);
  const png = pictures?.get(1280) ?? pictures?.get(390);
  if (!png) return { place: null, text: 'none: no browser has looked at the page', png };
  const place = `s3://${bucket}/${lookKey(id, live.version)}`;
  return { place, text: `${place}; --picture FILE writes it as PNG`, png };
}
