import type { Command } from 'commander';
import type { ProviderList, ShownAsset } from '../../../client/client.ts';
import { askSecret, readAll } from '../../../terminal/ask.ts';
import { UsageError } from '../../../terminal/program.ts';
import { printTable } from '../../../terminal/text.ts';
import { usageTable } from '../../usage-table.ts';
import type { Context } from '../context.ts';
import { credentialsPath, readCredentials, writeCredentials } from '../local-files.ts';

const KEY = /^ptp_([0-9A-Za-z]{12})_[0-9a-f]{48}_[0-9a-f]{8}$/;

/** `ptp login` and `ptp logout` */
export function registerLogin(program: Command, context: Context): void {
  program
    .command('login')
    .description('save an API key, for this base URL')
    .option('--key <->', 'read the key from stdin')
    .action(({ key }: { key?: string }) => login(key, context));
  program
    .command('logout')
    .description('delete the API key of this base URL')
    .action(() => logout(context));
}

async function login(option: string | undefined, context: Context): Promise<void> {
  if (option !== undefined && option !== '-')
    throw new UsageError('--key takes only "-": a key in the command line is visible to others on this machine');
  const url = context.baseUrl(null);
  const asks = option === undefined && context.isTerminal;
  const key = (asks ? await askSecret(`API key for ${url}`, context) : await readAll(context.stdin)).trim();
  const [, keyId] = KEY.exec(key) ?? [];
  if (keyId === undefined) throw new UsageError(key ? 'This is not an API key: expected ptp_…' : 'No key was given');
  const client = await context.client({ folder: null, key });
  await client.usage({ signal: context.signal });
  const { keys } = readCredentials(context.env);
  writeCredentials({ url, keys: { ...keys, [url]: key } }, context.env);
  context.say(`Logged in to ${url}. The key ${keyId} is saved in ${credentialsPath(context.env)}`);
  if (context.json) context.result({ url, keyId }, () => {});
}

function logout(context: Context): void {
  const url = context.baseUrl(null);
  const { [url]: key, ...keys } = readCredentials(context.env).keys;
  const others = Object.keys(keys);
  if (key !== undefined) writeCredentials({ keys, ...(others[0] && { url: others[0] }) }, context.env);
  context.say(key === undefined ? `There is no key for ${url}` : `The key for ${url} is deleted`);
  if (context.json) context.result({ url, deleted: key !== undefined }, () => {});
}

interface UsageOptions {
  readonly from?: string;
  readonly to?: string;
}

/** `ptp usage` */
export function registerUsage(program: Command, context: Context): void {
  program
    .command('usage')
    .description('count the calls of your key')
    .option('--from <day>', 'such as 2026-11-01, in UTC (default: 29 days before --to)')
    .option('--to <day>', 'inclusive (default: today)')
    .action((options: UsageOptions) => usage(options, context));
}

async function usage(options: UsageOptions, context: Context): Promise<void> {
  const client = await context.client({ needsKey: true });
  const report = await client.usage({ ...options, signal: context.signal });
  const entries = report.days.flatMap(({ day, operations }) =>
    Object.entries(operations).map(([operation, counts]) => ({ day, operation, ...counts })),
  );
  if (entries.length === 0) context.say(`No calls from ${report.from} to ${report.to} (UTC)`);
  context.result(report, (stdout) => {
    if (entries.length > 0) printTable(usageTable(entries, report.totals), stdout);
  });
}

const HEADER = ['PROVIDER', 'STATE', 'FAILURES', 'FIRST TEXT', 'FIRST FILE', 'COST'];

/** `ptp providers` */
export function registerProviders(program: Command, context: Context): void {
  program
    .command('providers')
    .description('list the providers, in the order they are tried')
    .action(() => providers(context));
}

async function providers(context: Context): Promise<void> {
  const client = await context.client();
  const list = await client.providers({ signal: context.signal });
  context.result(list, (stdout) => printTable({ header: HEADER, rows: list.items.map(row) }, stdout));
}

function row(provider: ProviderList['items'][number]): string[] {
  const { model, coolingUntil, failures, firstTokenMs, firstFileMs, cost } = provider;
  return [
    model,
    coolingUntil === undefined ? 'ready' : `cooling until ${new Date(coolingUntil).toISOString().slice(11, 19)}Z`,
    failures === undefined ? '-' : `${Math.round(failures * 100)}%`,
    seconds(firstTokenMs),
    seconds(firstFileMs),
    cost === undefined ? '-' : `$${cost.toFixed(4)}`,
  ];
}

const seconds = (ms: number | undefined) => (ms === undefined ? '-' : `${(ms / 1000).toFixed(1)} s`);

interface UploadOptions {
  readonly type?: string;
  readonly entityType?: string;
}

/** `ptp assets upload` */
export function registerAssets(program: Command, context: Context): void {
  program
    .command('assets')
    .description('upload files that only you can read')
    .command('upload')
    .description('upload files and print the ids of their assets')
    .argument('<file...>')
    .option('--type <type>', 'media type (default: by the extension of the file)')
    .option('--entity-type <type>', 'what the assets belong to, such as USER_AVATAR')
    .action((files: string[], options: UploadOptions) => upload(files, options, context));
}

async function upload(files: readonly string[], options: UploadOptions, context: Context): Promise<void> {
  const { typeOf, uploadFile } = await import('../upload.ts');
  const advice = 'name it with --type, such as --type image/png';
  const sources = files.map((file) => ({ file, type: options.type ?? typeOf(file, advice) }));
  const client = await context.client({ needsKey: true });
  const uploaded: ShownAsset[] = [];
  for (const { file, type } of sources) {
    const asset = await uploadFile(file, { ...options, type }, client, context);
    uploaded.push(asset);
    if (!context.json) context.stdout.write(`${asset.asset_id}\n`);
  }
  if (context.json) context.result(uploaded, () => {});
}
