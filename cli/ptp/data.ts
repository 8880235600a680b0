import type { Client, DataItem } from '../../client/client.ts';
import { confirm } from '../../terminal/ask.ts';
import { UsageError } from '../../terminal/program.ts';
import {
  count,
  cut,
  printable,
  printTable,
  shareColumns,
  sizeOf,
  success,
  timestamp,
  widthOf,
} from '../../terminal/text.ts';
import { openPage } from './commands/deployments.ts';
import type { Context } from './context.ts';
import { asOwner, ownTarget, type Target } from './target.ts';

/** Options of all commands on data. */
export interface DataOptions {
  /** Id, URL or folder; by default the current folder. */
  readonly deployment?: string;
}

export interface ShowOptions {
  readonly csv?: boolean;
  readonly limit: string;
}

/** The most columns of a field that a terminal shows, and the fewest that a narrow one cuts it to. */
const LONGEST = 40;
const SHORTEST = 8;

/** Prints the collections of a site. */
export async function listCollections({ deployment }: DataOptions, context: Context): Promise<void> {
  const { target, client, options } = await owned(deployment, context);
  const found = await asOwnerOf(target, () => client.data.collections(target.id, options));
  const { collections, items, bytes, limits } = found;
  if (collections.length === 0) context.say(`Deployment ${target.id} has no data: _data.json declares it`);
  else
    context.say(
      `${count(items, 'item')} of ${limits.items.toLocaleString('en')}, ${sizeOf(bytes)} of ${sizeOf(limits.bytes)}`,
    );
  context.result(found, (stdout) => {
    if (collections.length === 0) return;
    const rows = collections.map(({ name, items, rules, fields }) => [
      name,
      items,
      rules?.create ?? '',
      rules?.read ?? '',
      rules === undefined ? '(not declared any more)' : fields.join(', '),
    ]);
    printTable({ header: ['COLLECTION', 'ITEMS', 'CREATE', 'READ', 'FIELDS'], rows }, stdout);
  });
}

/** Prints items of a collection as a table, or all of them as CSV. */
export async function showCollection(
  collection: string,
  { deployment, csv = false, limit }: DataOptions & ShowOptions,
  context: Context,
): Promise<void> {
  if (csv && context.json) throw new UsageError('--csv and --json exclude each other');
  const most = numberOf(limit);
  const { target, client, options } = await owned(deployment, context);
  if (csv) return printCsv(collection, target, client, options, context);
  const { collections } = await asOwnerOf(target, () => client.data.collections(target.id, options));
  const items: DataItem[] = [];
  let more = false;
  const page = { ...options, limit: Math.min(most + 1, 100) };
  for await (const item of client.data.all(target.id, collection, page)) {
    more = items.length === most;
    if (more) break;
    items.push(item);
  }
  if (items.length === 0) context.say(`${collection} has no items`);
  const fields = collections.find(({ name }) => name === collection)?.fields ?? [];
  context.result(items, (stdout) => {
    if (items.length > 0) printItems(items, fields, stdout);
  });
  if (more) context.say(`There are more: add --limit ${most * 5}, or --csv for all`);
}

function printItems(items: readonly DataItem[], fields: readonly string[], stdout: Context['stdout']): void {
  const isReviewed = items.some(({ waiting }) => waiting);
  const cell = (value: unknown) => {
    if (value === undefined || value === null) return '';
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return stdout.isTTY ? cut(text.replace(/\s+/g, ' '), LONGEST) : text;
  };
  const ownCells = ({ id, createdAt, waiting }: DataItem) => [
    id,
    timestamp(Date.parse(createdAt)),
    ...(isReviewed ? [waiting ? 'waiting' : 'shown'] : []),
  ];
  const needs = fields.map((name) => Math.max(widthOf(name), ...items.map((item) => widthOf(cell(item[name])))));
  const GAP = 2;
  const taken = Math.max(...items.map((item) => ownCells(item).reduce((sum, own) => sum + own.length + GAP, 0)));
  const room = (stdout.columns ?? 80) - taken - GAP * (fields.length - 1);
  const widths = stdout.isTTY ? shareColumns(needs, room, SHORTEST) : [];
  const fitted = (text: string, at: number) => cut(text, widths[at] ?? Number.POSITIVE_INFINITY);
  const rows = items.map((item) => [...ownCells(item), ...fields.map((name, at) => fitted(cell(item[name]), at))]);
  const states = isReviewed ? ['STATE'] : [];
  printTable({ header: ['ID', 'CREATED', ...states, ...fields.map((one) => one.toUpperCase())], rows }, stdout);
}

async function printCsv(
  collection: string,
  target: Target,
  client: Client,
  options: { readonly token: string | undefined; readonly signal: AbortSignal },
  { stdout }: Context,
): Promise<void> {
  let isFirst = true;
  for await (const part of client.data.csv(target.id, collection, options)) {
    // Each part has the byte order mark and the heading.
    stdout.write(isFirst ? part : part.slice(part.indexOf('\r\n') + 2));
    isFirst = false;
  }
}

/** Shows an item to visitors. */
export async function approveItem(
  collection: string,
  item: string,
  { deployment }: DataOptions,
  context: Context,
): Promise<void> {
  const { target, client, options } = await owned(deployment, context);
  const approved = await asOwnerOf(target, () => client.data.approve(target.id, collection, item, options));
  const { collections } = await asOwnerOf(target, () => client.data.collections(target.id, options));
  const rules = collections.find(({ name }) => name === collection)?.rules;
  const readers = rules?.read === 'visitor' ? ': visitors see it now' : '';
  if (rules?.review) context.say(success(`Approved ${item}${readers}`, context));
  else context.say(`Items of ${collection} are not reviewed: ${item} needs no approval`);
  const fields = Object.keys(approved).filter((name) => !['id', 'createdAt', 'updatedAt'].includes(name));
  context.result(approved, (stdout) => printItems([approved], fields, stdout));
}

/** Deletes an item, after asking. */
export async function deleteItem(
  collection: string,
  item: string,
  { deployment, yes }: DataOptions & { readonly yes: boolean },
  context: Context,
): Promise<void> {
  const { target, client, options } = await owned(deployment, context);
  if (!yes) await confirm(`Delete ${printable(item)} of ${printable(collection)}?`, context);
  const deleted = await client.data.delete(target.id, collection, item, options);
  context.say(`Deleted ${item}${backups(deleted.backupsUntil)}`);
  if (context.json) context.result(deleted, () => {});
}

/** Deletes all items of a collection, after asking. */
export async function clearCollection(
  collection: string,
  { deployment, yes }: DataOptions & { readonly yes: boolean },
  context: Context,
): Promise<void> {
  const { target, client, options } = await owned(deployment, context);
  if (!yes) await confirm(`Delete all items of ${printable(collection)} of deployment ${target.id}?`, context);
  let deleted = 0;
  for (;;) {
    const part = await client.data.clear(target.id, collection, options);
    deleted += part.deleted;
    if (!part.complete) {
      context.say(`Deleted ${count(deleted, 'item')} so far`);
      continue;
    }
    context.say(`Deleted ${count(deleted, 'item')} of ${collection}${backups(part.backupsUntil)}`);
    if (context.json) context.result({ ...part, deleted }, () => {});
    return;
  }
}

/** Changes the URL that is notified of new items, or prints it. @param url undefined to print it, `none` to remove it */
export async function changeWebhook(
  url: string | undefined,
  { deployment }: DataOptions,
  context: Context,
): Promise<void> {
  const { target, client, options } = await owned(deployment, context);
  const { dataWebhook } = await asOwner(target, () =>
    url === undefined
      ? client.deployments.get(target.id, options)
      : client.deployments.change(target.id, { dataWebhook: url === 'none' ? null : url, ...options }),
  );
  if (dataWebhook === undefined) context.say('No URL is notified of new items');
  else if (url !== undefined) context.say('The URL is notified of each new item');
  context.result({ dataWebhook: dataWebhook ?? null }, (stdout) => {
    if (dataWebhook !== undefined) stdout.write(`${dataWebhook}\n`);
  });
}

/** Opens the site in the browser as its owner, with a link for this browser. */
export async function openAsOwner({ deployment }: DataOptions, context: Context): Promise<void> {
  const { target, client, options } = await owned(deployment, context);
  const link = await client.data.link(target.id, options);
  if (!(await openPage(link.url, context)))
    context.say(`There is no display to open a browser on: open the link until ${timestamp(link.expiresAt)}`);
  context.result(link, (stdout) => stdout.write(`${link.url}\n`));
}

/** Performs a call as `asOwner` does. What is not found may be a collection, or the data of the service: its message says which. */
function asOwnerOf<T>(target: Target, perform: () => Promise<T>): Promise<T> {
  return asOwner(target, () =>
    perform().catch((error: Error & { status?: number }) => {
      throw error.status === 404 ? new Error(error.message) : error;
    }),
  );
}

const owned = (deployment: string | undefined, context: Context) =>
  ownTarget(deployment, context, 'add -d with the id of a deployment');

const backups = (until: number) => `; backups of the service keep it until ${timestamp(until)}`;

function numberOf(text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new UsageError(`Invalid --limit ${text}: expected a number, 1 or more`);
}
