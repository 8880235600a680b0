import type { Command } from 'commander';
import { KeyStore } from '../../lambda/access/key-store.ts';
import { type Closure, StageState } from '../../lambda/access/stage-state.ts';
import {
  type CommandIo,
  main as command,
  EXIT_CODES_OF_OPERATORS,
  UsageError,
} from '../../terminal/program.ts';
import { printTable } from '../../terminal/table.ts';
import { addStageOption, openStage, type Stage } from '../stage.ts';
import { type Limits, limitsTable } from './table.ts';
import { todayTable, UNTIL_OPENED } from './today.ts';

const NOTES = `
close and open take effect within a minute, without a deployment. A closed
operation responds with 503, before a request is counted or its body is read:
  generate  new generations; those that run go on
  deploy    new deploys, and generations that are to be deployed
  all       both, and uploads of assets
Reading, managing and visiting go on.

${EXIT_CODES_OF_OPERATORS}`;

/** Budgets of the day; that of a key is not opened. One that is still spent is closed again by the next call that it denies. */
const BUDGETS = ['budget/anonymous', 'budget/service'] as const;

/** What `open` opens, with what the service closes by itself. */
const CLOSURES: Readonly<Record<string, { readonly close: Closure; readonly open: readonly Closure[] }>> = {
  generate: { close: 'generate', open: ['generate', ...BUDGETS] },
  deploy: { close: 'deploy', open: ['deploy', 'bytes/anonymous'] },
  all: { close: 'all', open: ['generate', 'deploy', 'all', 'bytes/anonymous', ...BUDGETS] },
};

interface Options {
  readonly stack?: string;
}

/** `npm run limits` */
export const main = command('npm run limits --', (program, io) => {
  addStageOption(program)
    .description('Shows the limits of a service, and closes and opens it')
    .addHelpText('after', NOTES);
  program
    .command('show')
    .description('print every limit, where it comes from and what it bounds')
    .action((_, own: Command) => show(own.optsWithGlobals(), io));
  const change = (name: 'close' | 'open', description: string) =>
    program
      .command(name)
      .description(description)
      .argument('<what>', 'generate, deploy or all')
      .action((what: string, _, own: Command) => perform(name, what, own.optsWithGlobals(), io));
  change('close', 'stop what a service does for its callers');
  change('open', 'start it again');
});

async function show({ stack }: Options, { stdout, env }: CommandIo): Promise<void> {
  using stage = await openStage(stack, env);
  const now = Date.now();
  const limits = JSON.parse(stage.output('Limits')) as Limits;
  const keys = await new KeyStore(stage.db, stage.output('ApiKeysTable')).list();
  printTable(limitsTable(limits, keys, now), stdout);
  stdout.write('\n');
  printTable(await todayTable(limits, keys, stage, now), stdout);
}

async function perform(
  change: 'close' | 'open',
  what: string,
  { stack }: Options,
  { stderr, env }: CommandIo,
): Promise<void> {
  const closures = Object.hasOwn(CLOSURES, what) ? CLOSURES[what] : undefined;
  if (!closures) throw new UsageError(`Cannot ${change} ${what}: expected generate, deploy or all`);
  using stage = await openStage(stack, env);
  const state = stateOf(stage);
  if (change === 'close') await state.close(closures.close, UNTIL_OPENED);
  else for (const closure of closures.open) await state.open(closure);
  const done = change === 'close' ? 'closed' : 'open';
  stderr.write(`${what === 'all' ? 'Everything' : what} is ${done}, everywhere within a minute\n`);
}

const stateOf = ({ db, output }: Stage) => new StageState(db, output('RateLimitsTable'), Date.now);
