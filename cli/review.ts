import type { Command } from 'commander';
import { ArchiveStore } from '../lambda/deployments/archive-store.ts';
import { dismissed } from '../lambda/reports/reported-page.ts';
import { lookKey } from '../lambda/sites/archive.ts';
import { type Deployment, liveVersion, type Version } from '../lambda/stored/deployment.ts';
import { isHeld } from '../lambda/stored/held.ts';
import { confirm } from '../terminal/ask.ts';
import { type CommandIo, main as command, EXIT_CODES_OF_OPERATORS, runProcess } from '../terminal/program.ts';
import { jsonText } from '../terminal/safe-output.ts';
import { printTable } from '../terminal/text.ts';
import { writeOutput } from '../terminal/written-files.ts';
import {
  listedEntries,
  type ReviewStage,
  reviewEntry,
  reviewLines,
  reviewStage,
  reviewTable,
  waiting,
} from './review-entries.ts';
import { addStageOption, openStage } from './stage.ts';
import { checkedReason, deploymentIn, REASON_CHARACTERS, takeDownOne } from './takedown/one.ts';

const NOTES = `
Without a command, prints the pages that are held and those with open reports,
the most urgent first. Open the picture of a page, not the page.

A released page is public until a version of it has more points. Closed reports
come back with the next one of another sender, and weigh less then.

${EXIT_CODES_OF_OPERATORS}`;

export const main = command('npm run review --', (program, io) => {
  addStageOption(program)
    .description('Shows the pages that wait for a decision of the operator, and decides')
    .option('--json', 'print JSON')
    .addHelpText('after', NOTES)
    .action(async (options: ReviewOptions) => {
      using stage = await openStage(options.stack, io.env);
      await list(options, reviewStage(stage), io);
    });
  const subcommand = (name: string, description: string, perform: ReviewAction) =>
    program
      .command(name)
      .description(description)
      .argument('<id>', 'the id of the deployment, or the URL of one of its pages')
      .action(async (address: string, _, own: Command) => {
        const options: ReviewOptions = own.optsWithGlobals();
        using stage = await openStage(options.stack, io.env);
        await perform(await deploymentIn(address, stage), options, reviewStage(stage), io);
      });
  const decision = (name: string, description: string, perform: ReviewAction) =>
    subcommand(name, description, perform).option('-y, --yes', 'do not ask for confirmation');
  subcommand('show', 'print what is known of a page: reasons, reports, screenshot', show).option(
    '--picture <file>',
    'write what a browser saw of it, as PNG',
  );
  decision('release', 'make a page public that is held', release);
  decision('takedown', 'take a page down', takeDown).option(
    '--reason <text>',
    `what its pages show, in quotes, at most ${REASON_CHARACTERS} characters`,
  );
  decision('dismiss', 'close the reports of a page', dismiss);
});

/** The options of all `npm run review` commands. */
interface ReviewOptions {
  readonly stack?: string;
  readonly json?: boolean;
  readonly picture?: string;
  readonly reason?: string;
  readonly yes?: boolean;
}

type ReviewAction = (id: string, options: ReviewOptions, stage: ReviewStage, io: CommandIo) => Promise<void>;

const MONTH_MS = 30 * 86_400_000;

/** Prints the pages that wait for a decision. */
async function list({ json = false }: ReviewOptions, stage: ReviewStage, { stdout, stderr }: CommandIo): Promise<void> {
  const now = Date.now();
  const entries = waiting(await listedEntries(stage));
  if (json) stdout.write(`${jsonText(entries)}\n`);
  else if (entries.length === 0) stderr.write('Nothing to review\n');
  else printTable(reviewTable(entries, now), stdout);
  const expires = stage.optionalOutput('SecurityTextExpires');
  if (expires !== undefined && Date.parse(expires) - now < MONTH_MS)
    stderr.write(`/.well-known/security.txt expires at ${expires}: deploy the stack again\n`);
}

const show: ReviewAction = async (id, { json = false, picture }, stage, { stdout }) => {
  const deployment = await requireDeployment(id, stage);
  const [reported, heldSince] = await Promise.all([stage.reports.find(id), stage.held.since(id)]);
  const entry = reviewEntry({ id, deployment, reported, heldSince }, stage);
  const details = reported?.details ?? [];
  const look = await screenshotOf(id, liveVersion(deployment), stage);
  if (picture !== undefined) {
    if (!look.png) throw new Error(`No picture was written: ${look.text}`);
    writeOutput(picture, process.cwd(), look.png, true);
  }
  const screenshot = picture === undefined ? look.text : picture;
  if (json) stdout.write(`${jsonText({ ...entry, details, screenshot: look.place })}\n`);
  else for (const line of reviewLines(entry, details, screenshot)) stdout.write(`${line}\n`);
};

const release: ReviewAction = async (id, { yes }, stage, io) => {
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

const takeDown: ReviewAction = async (id, { reason, yes = false }, stage, io) => {
  await takeDownOne(id, { at: Date.now(), ...checkedReason(reason) }, yes, stage, io);
};

const dismiss: ReviewAction = async (id, { yes }, stage, io) => {
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
  /** The key of the object with the pictures, if there is one. */
  readonly place: string | null;
  readonly text: string;
  readonly png: Uint8Array | undefined;
}

async function screenshotOf(id: string, live: Version | undefined, { s3, output }: ReviewStage): Promise<Screenshot> {
  if (!live) return { place: null, text: 'none: the deployment is deleted', png: undefined };
  const bucket = output('SitesBucket');
  const pictures = await new ArchiveStore(s3, bucket).pictures(id, live.version);
  const png = pictures?.get(1280) ?? pictures?.get(390);
  if (!png) return { place: null, text: 'none: no browser has looked at the page', png };
  const place = `s3://${bucket}/${lookKey(id, live.version)}`;
  return { place, text: `${place}; --picture FILE writes it as PNG`, png };
}

if (import.meta.main) await runProcess(main);
