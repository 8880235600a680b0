import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { keyCaller, keyState } from '../../lambda/access/api-key.ts';
import { KeyStore } from '../../lambda/access/key-store.ts';
import { limitKey } from '../../lambda/access/viewer-address.ts';
import { DeployerStore } from '../../lambda/deployments/deployer-store.ts';
import {
  bringBackPage,
  type CallerPage,
  type CallerTakedownOutcome,
  takeDownPage,
} from '../../lambda/deployments/manage.ts';
import { deploymentUrl } from '../../lambda/deployments/resource.ts';
import { ANONYMOUS, deployerMark, deployerOf } from '../../lambda/stored/deployment-owner.ts';
import { PointerStore } from '../../lambda/stored/pointer-store.ts';
import { confirm } from '../../terminal/ask.ts';
import type { CommandIo } from '../../terminal/program.ts';
import type { Stage } from '../stage.ts';
import { dropCopies, reasonText } from './one.ts';

/** How many pages are changed at the same time. */
const CONCURRENT = 8;

interface TakedownOfCaller {
  /** `null` brings its pages back. */
  readonly decision: { readonly at: number; readonly reason?: string } | null;
  readonly revoke: boolean;
  readonly yes: boolean;
}

/** Takes everything of a caller down, or brings back what that took down. The next run completes an interrupted one. */
export async function takeDownCaller(
  { name, pages, revoke }: NamedCaller,
  { decision, revoke: revokes, yes }: TakedownOfCaller,
  stage: Stage,
  io: CommandIo,
): Promise<void> {
  const { stdout } = io;
  const what = `${pages.length} ${pages.length === 1 ? 'page' : 'pages'} of ${name}`;
  if (pages.length === 0 && !revokes) return void stdout.write(`There are no pages of ${name}\n`);
  const question = `Take ${what} down${revokes ? ', and revoke its keys' : ''}?`;
  if (!yes) await confirm(decision ? question : `Bring what was taken down of ${what} back?`, io);
  // First: it may not publish another page meanwhile.
  const revoked = revokes ? await revoke() : [];
  for (const id of revoked) stdout.write(`Key ${id} is revoked\n`);
  const deployments = new PointerStore(stage.db, stage.output('DeploymentsTable'));
  const outcomes = await eachPage(
    pages,
    (page) => (decision ? takeDownPage(page, decision, deployments) : bringBackPage(page, deployments)),
    io,
  );
  const done = pages.filter((_, i) => outcomes[i] === 'done').map(({ id }) => id);
  for (const line of summary(outcomes, decision)) stdout.write(`${line}\n`);
  if (decision && done.length > 0)
    await dropCopies(done, `${done[0]}-takedown-${decision.at}`, decision.at, stage, stdout);
  if (revoked.length > 0)
    stdout.write(
      'A key works for up to 60 seconds after it is revoked: run the command again then, for what it deploys until then.\n',
    );
}

async function eachPage(
  pages: readonly CallerPage[],
  change: (page: CallerPage) => Promise<CallerTakedownOutcome>,
  { stderr }: CommandIo,
): Promise<CallerTakedownOutcome[]> {
  const outcomes: CallerTakedownOutcome[] = [];
  for (let from = 0; from < pages.length; from += CONCURRENT) {
    outcomes.push(...(await Promise.all(pages.slice(from, from + CONCURRENT).map(change))));
    if (outcomes.length % 100 < CONCURRENT && outcomes.length >= 100)
      stderr.write(`${outcomes.length} of ${pages.length}\n`);
  }
  return outcomes;
}

function summary(outcomes: readonly CallerTakedownOutcome[], decision: TakedownOfCaller['decision']): string[] {
  const count = (outcome: CallerTakedownOutcome) => outcomes.filter((one) => one === outcome).length;
  const pages = (n: number) => `${n} ${n === 1 ? 'page is' : 'pages are'}`;
  const done = decision
    ? `${pages(count('done'))} taken down, ${reasonText(decision.reason)}`
    : `${pages(count('done'))} no longer taken down`;
  const others: [CallerTakedownOutcome, string][] = [
    ['alone', 'taken down one by one'],
    ['claimed', 'claimed by a key since, whose pages --key takes'],
    ['not taken down', 'not taken down'],
  ];
  return [done, ...others.flatMap(([one, why]) => (count(one) > 0 ? [`Unchanged: ${count(one)}, ${why}`] : []))];
}

/** The caller whose pages are taken down. */
export interface NamedCaller {
  /** The caller in messages: `the key 4bYq0sWn7dXe (ci)`. */
  readonly name: string;
  readonly pages: readonly CallerPage[];
  /** Revokes its keys, and returns their ids. */
  readonly revoke: () => Promise<readonly string[]>;
}

/** Returns a key with all pages of its owner. @throws Error if there is no such key */
export async function callerOfKey(id: string, { db, output }: Stage): Promise<NamedCaller> {
  const keys = new KeyStore(db, output('ApiKeysTable'));
  const key = await keys.find(id);
  if (!key) throw new Error(`There is no key ${id}`);
  return callerOfOwner(keyCaller(key), `the key ${id} (${key.name})`, { db, output });
}

async function callerOfOwner(
  owner: string,
  name: string,
  { db, output }: Pick<Stage, 'db' | 'output'>,
): Promise<NamedCaller> {
  const keys = new KeyStore(db, output('ApiKeysTable'));
  const ids = await deploymentsOfOwner(owner, new PointerStore(db, output('DeploymentsTable')));
  return {
    name,
    pages: ids.map((page) => ({ id: page, owner, mark: owner })),
    revoke: async () => {
      const now = Date.now();
      const valid = (await keys.list()).filter((one) => keyCaller(one) === owner && keyState(one, now) === 'valid');
      for (const one of valid) await keys.revoke(one.id, now);
      return valid.map((one) => one.id);
    },
  };
}

async function deploymentsOfOwner(owner: string, deployments: PointerStore): Promise<string[]> {
  const ids: string[] = [];
  let after: Parameters<PointerStore['list']>[0]['after'];
  do {
    const { items, next } = await deployments.list({ owner, limit: 100, after });
    ids.push(...items.map(({ id }) => id));
    after = next;
  } while (after);
  return ids;
}

/** Returns the owner of a page, or the addresses that deployed it without a key within 30 days. @throws Error if that is not known */
export async function callerOfPage(id: string, stage: Stage): Promise<NamedCaller> {
  const { db, output } = stage;
  const deployments = new PointerStore(db, output('DeploymentsTable'));
  const page = await deployments.find(id);
  if (!page) throw new Error(`There is no deployment ${id}`);
  const url = deploymentUrl(id, output('BaseUrl'));
  if (page.owner !== ANONYMOUS) return callerOfOwner(page.owner, `the owner of ${url}`, stage);
  const deployers = new DeployerStore(db, output('DeploymentsTable'));
  const now = Date.now();
  const known = await deployers.deployersOf(id, now);
  if (known.length === 0) throw new Error(`It is not known any more who deployed ${url}: take it down by itself`);
  const pages = new Map<string, CallerPage>();
  for (const deployer of known) for (const one of await pagesOf(deployer, deployers, now)) pages.set(one.id, one);
  const name = known.length === 1 ? 'the address' : `the ${known.length} addresses`;
  return { name: `${name} that deployed ${url}`, pages: [...pages.values()], revoke: async () => [] };
}

/** Returns an address with the pages that were deployed from it without a key, within 30 days. */
export async function callerOfAddress(address: string, { db, secrets, output }: Stage): Promise<NamedCaller> {
  const { SecretString = '' } = await secrets.send(new GetSecretValueCommand({ SecretId: output('IdSecret') }));
  const counted = limitKey(address);
  const deployer = deployerOf(counted, SecretString);
  const deployers = new DeployerStore(db, output('DeploymentsTable'));
  const pages = await pagesOf(deployer, deployers, Date.now());
  return { name: `the address ${counted}`, pages, revoke: async () => [] };
}

async function pagesOf(deployer: string, deployers: DeployerStore, now: number): Promise<CallerPage[]> {
  const ids = await deployers.deploymentsOf(deployer, now);
  return ids.map((id) => ({ id, owner: ANONYMOUS, mark: deployerMark(deployer, id) }));
}
