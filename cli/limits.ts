import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { Command } from 'commander';
import { type ApiKey, keyCaller, keyState } from '../lambda/access/api-key.ts';
import type { Budget } from '../lambda/access/budgets.ts';
import { KeyStore } from '../lambda/access/key-store.ts';
import { type Closure, StageState } from '../lambda/access/stage-state.ts';
import {
  type CommandIo,
  main as command,
  EXIT_CODES_OF_OPERATORS,
  runProcess,
  UsageError,
} from '../terminal/program.ts';
import { printTable, type Table, timestamp } from '../terminal/text.ts';
import { addStageOption, openStage, type Stage } from './stage.ts';

const NOTES = `
close and open take effect within a minute, without a deployment. A closed
operation responds with 503, before a request is counted or its body is read:
  generate  new generations; those that run go on
  deploy    new deploys, and generations that are to be deployed
  data      changes of what visitors of sites share
  all       all of these, and uploads of assets
Reading, managing and visiting go on.

${EXIT_CODES_OF_OPERATORS}`;

/**
 * Budgets of the day; that of a key is not opened. One that is still spent is closed again by the next call that it
 * denies.
 */
const BUDGETS = ['budget/anonymous', 'budget/service'] as const;

/** The closures that `close` sets and `open` removes, including those that the service sets by itself. */
const CLOSURES: Readonly<Record<string, { readonly close: Closure; readonly open: readonly Closure[] }>> = {
  generate: { close: 'generate', open: ['generate', ...BUDGETS] },
  deploy: { close: 'deploy', open: ['deploy', 'bytes/anonymous'] },
  data: { close: 'data', open: ['data'] },
  all: { close: 'all', open: ['generate', 'deploy', 'data', 'all', 'bytes/anonymous', ...BUDGETS] },
};

interface Options {
  readonly stack?: string;
}

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
      .argument('<what>', 'generate, deploy, data or all')
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
  if (!closures) throw new UsageError(`Cannot ${change} ${what}: expected generate, deploy, data or all`);
  using stage = await openStage(stack, env);
  const state = stateOf(stage);
  if (change === 'close') await state.close(closures.close, UNTIL_OPENED);
  else for (const closure of closures.open) await state.open(closure);
  const done = change === 'close' ? 'closed' : 'open';
  stderr.write(`${what === 'all' ? 'Everything' : what} is ${done}, everywhere within a minute\n`);
}

const stateOf = ({ db, output }: Stage) => new StageState(db, output('RateLimitsTable'), Date.now);

/** The limits of a stage, as its stack outputs them. */
interface Limits {
  /** The value of each, in the structure of the configuration. */
  readonly limits: Readonly<Record<string, unknown>>;
  /** The paths of those that differ from the defaults of the release. */
  readonly configured: readonly string[];
}

/** The subject of each limit, in the order of the table; a line has at most 100 characters. */
const BOUNDS: readonly (readonly [limit: string, bounds: string])[] = [
  ['rateLimit.windowSeconds', 'seconds of a window'],
  ['rateLimit.anonymous', 'requests of an address'],
  ['rateLimit.key', 'requests of a key or token'],
  ['rateLimit.reads', 'reads of a caller'],
  ['rateLimit.zips', 'zips of an address in 5 minutes'],
  ['rateLimit.reports', 'pages that an address reports a day'],
  ['bytesPerDay.anonymous', 'deployed by an address'],
  ['bytesPerDay.anonymousTogether', 'deployed by all addresses'],
  ['bytesPerDay.key', 'deployed and uploaded by a key'],
  ['generation.anonymous', 'generations without a key'],
  ['generation.running.anonymous', 'generations of an address at once'],
  ['generation.running.key', 'generations of a key at once'],
  ['generation.running.service', 'all generations at once'],
  ['budgets.anonymous.usd', 'dollars a day without a key'],
  ['budgets.anonymous.tokens', 'tokens a day without a key'],
  ['budgets.key.usd', 'dollars a day of a key'],
  ['budgets.key.tokens', 'tokens a day of a key'],
  ['budgets.service.usd', 'dollars a day of all callers'],
  ['budgets.service.tokens', 'tokens a day of all callers'],
  ['data.writesPerMinute', 'changes of data of an address a minute'],
  ['data.creationsPerDay', 'items of a site a day'],
  ['data.anonymousCreationsPerDay', 'items of sites without an owner a day'],
  ['throttle.rate', 'requests a second of all callers'],
  ['throttle.burst', 'requests at once'],
  ['throttle.generateRate', 'generate a second'],
  ['throttle.generateBurst', 'generate at once'],
  ['throttle.deployRate', 'deploys a second'],
  ['throttle.deployBurst', 'deploys at once'],
  ['throttle.reportRate', 'reports of pages a second'],
  ['throttle.reportBurst', 'reports of pages at once'],
  ['throttle.dataRate', 'requests of data a second'],
  ['throttle.dataBurst', 'requests of data at once'],
  ['concurrency.generationApi', 'starts and waits at once'],
  ['concurrency.attempts', 'invocations with attempts at once'],
  ['concurrency.sites', 'visits at once'],
  ['concurrency.deployments', 'requests for deployments at once'],
  ['concurrency.generatedDeploys', 'deploys of generations at once'],
  ['concurrency.webhooks', 'notifications at once'],
  ['concurrency.invalidations', 'removals from the edge at once'],
  ['concurrency.agents', 'requests of agents at once'],
  ['concurrency.downloads', 'zips at once'],
  ['concurrency.builds', 'builds at once'],
  ['concurrency.looks', 'browsers at once'],
  ['concurrency.deploymentLooks', 'looks at deployments at once'],
  ['tables.maxReadRequestUnits', 'reads a second of each table'],
  ['tables.maxWriteRequestUnits', 'writes a second of each table'],
  ['assets.maxBytes', 'bytes of an upload'],
  ['deployments.invalidationsPerMonth', 'deletions a month that clear the edge'],
  ['apiGatewayDoor', "API Gateway's own address"],
  ['waf', 'a web ACL of the stack'],
];

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-execution-service-limits-table.html */
const QUOTAS: readonly (readonly [quota: string, value: number, bounds: string])[] = [
  ['API Gateway: body', 10_485_760, 'bytes of a request'],
  ['API Gateway: URL and headers', 10_240, 'bytes of a request'],
  ['CloudFront: response timeout', 120, 'seconds of silence of the API'],
  ['Lambda: timeout', 900, 'seconds of an invocation'],
];

/** Returns the table of all limits of a stage: their values, where those come from, and what they bound. */
function limitsTable(limits: Limits, keys: readonly ApiKey[], now: number): Table {
  const configured = BOUNDS.map(([limit, bounds]) => {
    const source = limits.configured.includes(limit) ? 'configuration' : 'default';
    return [limit, shown(limitAt(limits, limit)), source, bounds];
  });
  const ofKeys = keys.filter((key) => keyState(key, now) === 'valid').flatMap(limitsOfKey);
  const quotas = QUOTAS.map(([quota, value, bounds]) => [quota, shown(value), 'AWS quota', bounds]);
  return { header: ['LIMIT', 'VALUE', 'FROM', 'BOUNDS'], rows: [...configured, ...ofKeys, ...quotas] };
}

function limitsOfKey({ id, name, limit, budget }: ApiKey): string[][] {
  const own: [value: unknown, bounds: string][] = [
    [limit, 'requests'],
    [budget?.usd, 'dollars a day'],
    [budget?.tokens, 'tokens a day'],
  ];
  return own.flatMap(([value, bounds]) =>
    value === undefined ? [] : [[`key ${id}`, shown(value), 'key', `${bounds} of ${name}`]],
  );
}

/** Returns the value at a path such as `rateLimit.key`; undefined if there is none. */
function limitAt({ limits }: Limits, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (value as typeof limits | undefined)?.[name], limits);
}

function shown(value: unknown): string {
  if (typeof value === 'number') return value.toLocaleString('en');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return 'none';
}

const DAY_SECONDS = 86_400;
const MICRO = 1_000_000;
const CLOSED = 'closed#';

/** The end of what is closed until the operator opens it. */
const UNTIL_OPENED = Number.MAX_SAFE_INTEGER;

/** Returns the table of closures, and of how much of the daily limits (UTC) is used. */
async function todayTable(limits: Limits, keys: readonly ApiKey[], stage: Stage, now: number): Promise<Table> {
  const rows = [...(await closures(stage, now)), ...(await counted(limits, stage, now))];
  return { header: ['TODAY', 'TAKEN', 'OF'], rows: [...rows, ...(await budgets(limits, keys, stage, now))] };
}

async function closures({ db, output }: Stage, now: number): Promise<string[][]> {
  const state = await new StageState(db, output('RateLimitsTable'), () => now).read();
  return Object.entries(state).flatMap(([name, until]) => {
    if (!name.startsWith(CLOSED) || typeof until !== 'number' || until <= now) return [];
    const end = until === UNTIL_OPENED ? 'until it is opened' : `until ${timestamp(until)}`;
    return [[name.slice(CLOSED.length), 'closed', end]];
  });
}

/** What all callers without a key have together: the item of the table of rate limits, its attribute, and the limit. */
const TOGETHER = [
  ['bytes/anonymous', '#anonymous', 'bytes', 'bytesPerDay.anonymousTogether'],
  ['data/anonymous', '#data', 'dataCreations', 'data.anonymousCreationsPerDay'],
] as const;

/** Instances share what they count in batches, so the number may be a little low. */
async function counted(limits: Limits, { db, output }: Stage, now: number): Promise<string[][]> {
  const today = Math.floor(now / 1000 / DAY_SECONDS);
  const rows = TOGETHER.map(async ([name, caller, attribute, limit]) => {
    const most = limitAt(limits, limit);
    if (most === undefined) return [];
    const get = new GetCommand({ TableName: output('RateLimitsTable'), Key: { caller } });
    const { Item: item } = await db.send(get);
    const taken = item?.[`${attribute}Window`] === today ? item[attribute] : 0;
    return [[name, number(taken), number(most)]];
  });
  return (await Promise.all(rows)).flat();
}

async function budgets(
  limits: Limits,
  keys: readonly ApiKey[],
  { db, output }: Stage,
  now: number,
): Promise<string[][]> {
  const day = new Date(now).toISOString().slice(0, 10);
  const get = new GetCommand({ TableName: output('GenerationsTable'), Key: { id: `#budget-${day}` } });
  const counters = Object.entries((await db.send(get)).Item ?? {});
  return counters.flatMap(([name, taken]) => {
    const [, scope, unit] = /^(.+)\/(microUsd|tokens)$/.exec(name) ?? [];
    if (scope === undefined || typeof taken !== 'number') return [];
    const { usd, tokens } = budgetOf(scope, limits, keys);
    const row =
      unit === 'tokens'
        ? [number(taken), tokens === undefined ? 'none' : number(tokens)]
        : [dollars(taken / MICRO), usd === undefined ? 'none' : dollars(usd)];
    return [[`budget/${scope}`, ...row]];
  });
}

/** Returns the budget of a scope; that of a key is its own, if it has one. */
function budgetOf(scope: string, limits: Limits, keys: readonly ApiKey[]): Budget {
  const isShared = scope === 'anonymous' || scope === 'service';
  const own = isShared ? undefined : keys.find((key) => keyCaller(key) === scope && key.budget)?.budget;
  return own ?? ((limitAt(limits, `budgets.${isShared ? scope : 'key'}`) ?? {}) as Budget);
}

const dollars = (usd: number) => `$${usd.toFixed(2)}`;

const number = (value: unknown) => Number(value).toLocaleString('en');

if (import.meta.main) await runProcess(main);
