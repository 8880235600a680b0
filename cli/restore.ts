import type { Command } from 'commander';
import { confirm } from '../terminal/ask.ts';
import { type CommandIo, main as command, EXIT_CODES_OF_OPERATORS, runProcess } from '../terminal/program.ts';
import { printTable } from '../terminal/text.ts';
import { hasItemWith, restoredIn } from './restore/items.ts';
import { checkObjects } from './restore/objects.ts';
import { copySecret, differingSecrets, type Plan, type PlanOptions, planOf, planTable } from './restore/plan.ts';
import { deleteTable, recoveredName, recoverTables, tableCopies, temporaryTables } from './restore/tables.ts';
import { addStageOption, openStage, type Stage } from './stage.ts';
import { invalidate } from './takedown/one.ts';

const NOTES = `
Copies data into a running stack, and keeps its existing items and objects. --at
restores the tables of the stack, or of --from-stack, to a time in the last 35
days, and recovers the objects that they reference. --from-stack copies the data
of another stack, or the data that a deleted stack retained. --from names one
source, such as deployments=my-table or archives=my-bucket, and can be repeated.

check finds deployments and assets without their objects; check --repair recovers
deleted objects. clean deletes the temporary tables of --at.

Every command can be interrupted and run again. A restore does not include
generations, rate limits, budgets of the day, views, or records of Idempotency-Key.

${EXIT_CODES_OF_OPERATORS}`;

interface Options extends PlanOptions {
  readonly stack?: string;
  readonly overwrite?: boolean;
  readonly repair?: boolean;
  readonly yes?: boolean;
}

const several = (value: string, before: readonly string[] = []) => [...before, value];

export const main = command('npm run restore --', (program, io) => {
  addStageOption(program)
    .description('Restores deployments, assets, keys and secrets into a stack')
    .option('--at <time>', 'restore the tables to this time, such as 2026-11-24T03:00Z')
    .option('--from-stack <name>', 'copy from another stack, even a deleted one')
    .option('--from-region <region>', 'the region of that stack, if it is another one')
    .option('--from <what=name>', 'copy from a table, bucket or secret; can be repeated', several)
    .option('--only <id>', 'restore one deployment or asset; can be repeated', several)
    .option('--overwrite', 'replace existing deployments, assets and secrets of the stack')
    .option('-y, --yes', 'do not ask for confirmation')
    .addHelpText('after', NOTES)
    .action((options: Options) => restore(options, io));
  program
    .command('check')
    .description('find deployments and assets whose objects are missing')
    .option('--repair', 'recover deleted objects whose versions still exist')
    .action((_, own: Command) => check(own.optsWithGlobals(), io));
  program
    .command('clean')
    .description('delete the temporary tables of earlier restores')
    .action((_, own: Command) => clean(own.optsWithGlobals(), io));
});

async function restore(options: Options, io: CommandIo): Promise<void> {
  using stage = await openStage(options.stack, io.env);
  const plan = await planOf(options, stage);
  io.stderr.write(`Into ${stage.stackName}:\n`);
  printTable(planTable(plan), io.stdout);
  const { overwrite = false, only, yes = false } = options;
  if (!yes) await confirm(question(overwrite), io);
  const say = (line: string) => void io.stdout.write(`${line}\n`);
  const { copied, at, source } = plan;
  const tables = copied.flatMap(({ kind, from }) => (kind === 'table' ? [from] : []));
  if (at) await recoverTables(tables, at, stage, say);
  await restoreSecrets(plan, overwrite, stage, say);
  const ids = only && new Set(only);
  for (const copy of await tableCopies(plan, { overwrite, only: ids }, stage, io.stderr)) {
    say(await copy.run());
    await removeCopies(copy.closed, stage, say);
  }
  const buckets = copied.filter(({ kind }) => kind === 'bucket').map(({ name, from }) => [name, from]);
  const sources = source === stage ? Object.fromEntries(buckets) : {};
  report(await checkObjects(stage, { repairs: true, sources }, io.stderr), say);
  if (at) say(temporaryNotice(tables.map((table) => recoveredName(table, at))));
}

/** Removes what the edge keeps of pages that were public until now. */
async function removeCopies(ids: readonly string[], stage: Stage, say: (line: string) => void): Promise<void> {
  if (ids.length === 0) return;
  try {
    await invalidate(ids, `restore-${Date.now()}`, stage);
    say(`These pages are private again: ${ids.join(', ')}`);
  } catch (error) {
    const { message } = error as Error;
    say(
      `These pages are private again, but edge locations may have copies of them (${message}). To remove the copies, take each page ` +
        `down, and undo that: ${ids.join(', ')}`,
    );
  }
}

function question(overwrite: boolean): string {
  if (!overwrite) return 'Copy items and objects that the stack does not have?';
  return 'Replace deployments and assets of the stack with their former state? Later deploys are lost';
}

async function restoreSecrets(
  { copied, source }: Plan,
  overwrite: boolean,
  stage: Stage,
  say: (line: string) => void,
): Promise<void> {
  const ends = { from: source.secrets, to: stage.secrets };
  const secrets = copied.filter(({ kind }) => kind === 'secret');
  const differ = await differingSecrets(secrets, ends);
  if (differ.length === 0) return;
  if (!overwrite && (await hasItemWith(stage.db, stage.output('DeploymentsTable'), 'live')))
    throw new Error(
      'The stack already has deployments, whose addresses and tokens derive from its own secrets: restore into a stack ' +
        'without deployments, or pass --overwrite to invalidate their tokens',
    );
  for (const secret of differ) await copySecret(secret, ends);
  say('Copied the secrets. Every function uses them within five minutes');
}

function report(missing: readonly string[], say: (line: string) => void): void {
  if (missing.length === 0) return void say('No object of a deployment or asset is missing');
  say('These objects are missing:');
  for (const key of missing) say(`  ${key}`);
  throw new Error(
    `${missing.length} objects are missing: their versions do not work until the owners deploy again or roll back`,
  );
}

const temporaryNotice = (names: readonly string[]) =>
  `Temporary tables cost storage until you delete them with npm run restore -- clean: ${names.join(', ')}`;

async function check({ stack, repair = false }: Options, io: CommandIo): Promise<void> {
  using stage = await openStage(stack, io.env);
  const missing = await checkObjects(stage, { repairs: repair }, io.stderr);
  report(missing, (line) => void io.stdout.write(`${line}\n`));
}

async function clean({ stack, fromStack, yes = false }: Options, io: CommandIo): Promise<void> {
  using stage = await openStage(stack, io.env);
  const own = Object.values(restoredIn(await stage.resources(fromStack ?? stage.stackName)));
  const names = await temporaryTables(own, stage.db);
  if (names.length === 0) return void io.stdout.write('There are no temporary tables\n');
  for (const name of names) io.stdout.write(`${name}\n`);
  if (!yes) await confirm(`Delete these ${names.length} tables?`, io);
  for (const name of names) await deleteTable(name, stage.db);
  io.stdout.write('Deleted\n');
}

if (import.meta.main) await runProcess(main);
