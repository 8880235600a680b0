import type { Command } from 'commander';
import type {
  ListedAsset,
  ListedDeployment,
  ListedGeneration,
  ListOptions,
  ViewsResponse,
} from '../../../client/client.ts';
import { UsageError } from '../../../terminal/program.ts';
import { cut, printTable, type Table, timestamp } from '../../../terminal/text.ts';
import type { Context } from '../context.ts';
import { asOwner, ownTarget, TARGET } from '../target.ts';

interface ListFlags {
  readonly generations?: boolean;
  readonly assets?: boolean;
  readonly limit: string;
}

/** `ptp list` */
export function registerList(program: Command, context: Context): void {
  program
    .command('list')
    .description('list your deployments, newest first')
    .option('--generations', 'list generations instead')
    .option('--assets', 'list assets instead')
    .option('-n, --limit <count>', 'how many', '20')
    .action((options: ListFlags) => list(options, context));
}

function number(text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new UsageError(`Invalid --limit ${text}: expected a number, 1 or more`);
}

/** Prints the table of a list, or all of it as JSON. */
async function list({ generations, assets, ...options }: ListFlags, context: Context): Promise<void> {
  const limit = number(options.limit);
  const client = await context.client({ needsKey: true });
  if (generations) return print('generations', client.generations, GENERATION, limit, context);
  if (assets) return print('assets', client.assets, ASSET, limit, context);
  return print('deployments', client.deployments, DEPLOYMENT, limit, context);
}

/** Columns of a title or prompt in a terminal. */
const LONGEST = 60;

/** The columns of a list. */
type Columns<Item> = Readonly<Record<string, (item: Item) => string | number>>;

const DEPLOYMENT: Columns<ListedDeployment> = {
  URL: ({ url }) => url,
  DEPLOYED: ({ deployedAt }) => timestamp(deployedAt),
  EXPIRES: ({ expiresAt }) => (expiresAt === undefined ? 'never' : timestamp(expiresAt)),
  ACCESS: ({ access }) => access,
  TITLE: ({ title, status }) => (status === 'taken_down' ? `[taken down] ${title ?? ''}` : (title ?? '')),
};
const GENERATION: Columns<ListedGeneration> = {
  ID: ({ id }) => id,
  STATUS: ({ status }) => status,
  FILES: ({ fileCount }) => fileCount,
  CREATED: ({ createdAt }) => timestamp(createdAt),
  PROMPT: ({ prompt }) => prompt,
};
const ASSET: Columns<ListedAsset> = {
  ID: ({ asset_id }) => asset_id,
  STATE: ({ state }) => state,
  SIZE: ({ attributes: { size } }) => size ?? '',
  CREATED: ({ created_at }) => timestamp(created_at),
  TYPE: ({ attributes: { type } }) => type ?? '',
  NAME: ({ attributes: { name } }) => name ?? '',
};

async function print<Item>(
  what: string,
  resources: { all(options: ListOptions): AsyncIterable<Item> },
  columns: Columns<Item>,
  limit: number,
  context: Context,
): Promise<void> {
  const items: Item[] = [];
  let more = false;
  const page = { limit: Math.min(limit + 1, 100), signal: context.signal };
  for await (const item of resources.all(page)) {
    more = items.length === limit;
    if (more) break;
    items.push(item);
  }
  const rows = items.map((item) => Object.values(columns).map((cell) => cell(item)));
  if (items.length === 0) context.say(`No ${what} at ${context.baseUrl()}`);
  context.result(items, (stdout) => {
    const shown = stdout.isTTY ? rows.map((row) => row.with(-1, cut(String(row.at(-1)), LONGEST))) : rows;
    if (items.length > 0) printTable({ header: Object.keys(columns), rows: shown }, stdout);
  });
  if (more) context.say(`There are more: add --limit ${limit * 5}`);
}

interface ViewsOptions {
  readonly from?: string;
  readonly to?: string;
}

/** `ptp views` */
export function registerViews(program: Command, context: Context): void {
  program
    .command('views')
    .description('count who opened the pages of a deployment')
    .argument(...TARGET)
    .option('--from <day>', 'such as 2026-11-01, in UTC (default: 29 days before --to)')
    .option('--to <day>', 'inclusive (default: today)')
    .action((id: string | undefined, options: ViewsOptions) => views(id, options, context));
}

async function views(argument: string | undefined, options: ViewsOptions, context: Context): Promise<void> {
  const { target, client, options: credentials } = await ownTarget(argument, context);
  const report = await asOwner(target, () => client.deployments.views(target.id, { ...options, ...credentials }));
  if (report.reason !== undefined) context.say(`Not counted: ${report.reason}`);
  context.say(summary(report));
  context.result(report, (stdout) => {
    const { totals, paths, referrers } = report;
    if (totals.views + totals.bots > 0) printTable(dayTable(report), stdout);
    // A pipe gets one table.
    if (!stdout.isTTY) return;
    for (const table of [paths.length > 0 && pathTable(report), referrers.length > 0 && referrerTable(report)])
      if (table) {
        stdout.write('\n');
        printTable(table, stdout);
      }
  });
}

function summary({ totals: { views, visitors }, days, from, to }: ViewsResponse): string {
  const count = (number: number, noun: string) => `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
  const period = `${from} to ${to} (UTC)`;
  if (views === 0) return `No views, ${period}`;
  return `${count(views, 'view')} by ${count(visitors, 'visitor')}, ${period}  ${sparkline(days.map((day) => day.views))}`;
}

const BARS = '▁▂▃▄▅▆▇█';

/** Returns one character for each number, as high as its share of the largest. */
function sparkline(numbers: readonly number[]): string {
  const most = Math.max(1, ...numbers);
  return numbers.map((one) => BARS[Math.round((one / most) * (BARS.length - 1))]).join('');
}

/** Returns the days that have views, with the totals. */
function dayTable({ days, totals }: ViewsResponse): Table {
  return {
    header: ['DAY', 'VIEWS', 'VISITORS', 'BOTS'],
    rows: days
      .filter(({ views, bots }) => views + bots > 0)
      .map(({ date, views, visitors, bots }) => [date, views, visitors, bots]),
    totals: ['total', totals.views, totals.visitors, totals.bots],
  };
}

/** Returns the paths with most views. */
function pathTable({ paths, other }: ViewsResponse): Table {
  const rows = paths.map(({ path, views }) => [path, views]);
  return { header: ['PATH', 'VIEWS'], rows: [...rows, ...others(other.paths)] };
}

/** Returns the sites that visitors came from. */
function referrerTable({ referrers, other }: ViewsResponse): Table {
  const rows = referrers.map(({ host, views }) => [host, views]);
  return { header: ['FROM', 'VIEWS'], rows: [...rows, ...others(other.referrers)] };
}

const others = (views: number) => (views > 0 ? [['(other)', views]] : []);
