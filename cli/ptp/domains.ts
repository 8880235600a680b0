import { setTimeout } from 'node:timers/promises';
import type { Client, DomainResource } from '../../client/client.ts';
import { confirm } from '../../terminal/ask.ts';
import { printable, printTable, success } from '../../terminal/text.ts';
import type { Context } from './context.ts';
import { asOwner, ownTarget, type Target, targetOf } from './target.ts';

const POLL_MS = 3_000;

const STATES: Readonly<Record<DomainResource['state'], string>> = {
  waiting_for_dns: 'waits for its DNS records',
  issuing: 'is being set up, which takes some minutes',
  active: 'serves the pages',
  failed: 'failed',
  removing: 'is being removed, which takes some minutes',
};

/** Prints the domains of a deployment. */
export async function listDomains(argument: string | undefined, context: Context): Promise<void> {
  const { target, client, options } = await ownTarget(argument, context);
  const { id } = target;
  const { domains } = await asOwner(target, () => client.deployments.get(id, options));
  if (domains.length === 0) context.say(`Deployment ${id} has no domains`);
  context.result(domains, (stdout) => {
    const rows = domains.map(({ domain, state, reason = '' }) => [domain, state, reason]);
    if (rows.length > 0) printTable({ header: ['DOMAIN', 'STATE', 'REASON'], rows }, stdout);
  });
}

/** Adds a domain and prints its records or, once it serves the pages, its URL. */
export async function addDomain(
  name: string,
  argument: string | undefined,
  { wait = false }: { readonly wait?: boolean },
  context: Context,
): Promise<void> {
  const { target, client } = await owned(argument, context);
  const { signal } = context;
  const added = await client.deployments.addDomain(target.id, name, { signal });
  if (!wait) {
    context.say(describe(added));
    return context.result(added, (stdout) =>
      added.state === 'active' ? stdout.write(`${added.url}\n`) : printRecords(added, stdout),
    );
  }
  if (isUnderWay(added)) printRecords(added, context.stderr);
  const find = async () =>
    (await client.deployments.get(target.id, { signal })).domains.find(({ domain }) => domain === added.domain);
  const domain = await waitFor(added, find, context);
  context.result(domain, (stdout) => stdout.write(`${domain.url}\n`));
}

/** Removes a domain, after asking. */
export async function removeDomain(
  name: string,
  argument: string | undefined,
  yes: boolean,
  context: Context,
): Promise<void> {
  const { target, client } = await owned(argument, context);
  if (!yes) await confirm(`Remove ${printable(name)} from deployment ${target.id}?`, context);
  const removed = await client.deployments.removeDomain(target.id, name, { signal: context.signal });
  context.say(describe(removed));
  if (removed.records.length > 0) context.say('Delete its DNS records, too');
  if (context.json) context.result(removed, () => {});
}

async function owned(argument: string | undefined, context: Context): Promise<{ target: Target; client: Client }> {
  const target = targetOf(argument, context);
  return { target, client: await context.client({ folder: target.folder, needsKey: true }) };
}

/** Reports each change of a domain until it serves the pages. @throws Error if it failed or was removed */
async function waitFor(
  first: DomainResource,
  find: () => Promise<DomainResource | undefined>,
  context: Context,
): Promise<DomainResource> {
  let shown = '';
  for (let domain: DomainResource | undefined = first; domain; domain = await find()) {
    const line = describe(domain);
    if (domain.state === 'active') {
      context.say(success(line, context));
      return domain;
    }
    if (!isUnderWay(domain)) throw new Error(line);
    if (line !== shown) context.say(line);
    shown = line;
    await setTimeout(POLL_MS, undefined, { signal: context.signal });
  }
  throw new Error(`${first.domain} was removed`);
}

const isUnderWay = ({ state }: DomainResource) => state === 'waiting_for_dns' || state === 'issuing';

function describe({ domain, state, reason }: DomainResource): string {
  return `${domain} ${STATES[state]}${reason === undefined ? '' : `: ${printable(reason)}`}`;
}

function printRecords({ records }: DomainResource, output: Context['stdout']): void {
  const rows = records.map(({ type, name, value }) => [type, name, value]);
  if (rows.length > 0) printTable({ header: ['TYPE', 'NAME', 'VALUE'], rows }, output);
}
