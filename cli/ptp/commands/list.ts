import type { Command } from 'commander';
import type { ListedAsset, ListedDeployment, ListedGeneration, ListOptions } from '../../../client/client.ts';
import { UsageError } from '../../../terminal/program.ts';
import { printTable } from '../../../terminal/table.ts';
import { timestamp } from '../../../terminal/time.ts';
import type { Context } from '../context.ts';

interface Options {
  readonly generations?: boolean;
  readonly assets?: boolean;
  readonly limit: string;
}

/** `ptp list` */
export function register(program: Command, context: Context): void {
  program
    .command('list')
    .description('list your deployments, newest first')
    .option('--generations', 'list generations instead')
    .option('--assets', 'list assets instead')
    .option('-n, --limit <count>', 'how many', '20')
    .action((options: Options) => list(options, context));
}

function number(text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new UsageError(`Invalid --limit ${text}: expected a number, 1 or more`);
}

/** Prints the table of a list, or all of it as JSON. */
async function list({ generations, assets, ...options }: Options, context: Context): Promise<void> {
  const limit = number(options.limit);
  const client = await context.client({ needsKey: true });
  if (generations) return print('generations', client.generations, GENERATION, limit, context);
  if (assets) return print('assets', client.assets, ASSET, limit, context);
  return print('deployments', client.deployments, DEPLOYMENT, limit, context);
}

/** Where a terminal shows the beginning of a title or prompt only. */
const LONGEST = 60;

/** The columns of a list. What others wrote is last, because terminals show some characters wider than others. */
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
    const shown = stdout.isTTY ? rows.map((row) => row.with(-1, cut(String(row.at(-1))))) : rows;
    if (items.length > 0) printTable({ header: Object.keys(columns), rows: shown }, stdout);
  });
  if (more) context.say(`There are more: add --limit ${limit * 5}`);
}

function cut(text: string): string {
  const characters = [...text];
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST - 1).join('')}…` : text;
}
