import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { keyCaller, keyState } from '../../lambda/access/api-key.ts';
import { KeyStore } from '../../lambda/access/key-store.ts';
import { limitKey } from '../../lambda/access/viewer-address.ts';
import { DeployerStore } from '../../lambda/deployments/deployer-store.ts';
import type { CallerPage } from '../../lambda/deployments/manage.ts';
import { deploymentUrl } from '../../lambda/deployments/resource.ts';
import { ANONYMOUS, deployerMark, deployerOf } from '../../lambda/stored/deployment-owner.ts';
import { PointerStore } from '../../lambda/stored/pointer-store.ts';
import type { Stage } from '../stage.ts';

/** The caller whose pages are taken down. */
export interface NamedCaller {
  /** As the command names it: `the key 4bYq0sWn7dXe (ci)`. */
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
      const valid = (await keys.list()).filter(
        (one) => keyCaller(one) === owner && keyState(one, now) === 'valid',
      );
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
  if (known.length === 0)
    throw new Error(`It is not known any more who deployed ${url}: take it down by itself`);
  const pages = new Map<string, CallerPage>();
  for (const deployer of known)
    for (const one of await pagesOf(deployer, deployers, now)) pages.set(one.id, one);
  const name = known.length === 1 ? 'the address' : `the ${known.length} addresses`;
  return { name: `${name} that deployed ${url}`, pages: [...pages.values()], revoke: async () => [] };
}

/** Returns an address with the pages that were deployed from it without a key, within 30 days. */
export async function callerOfAddress(address: string, { db, secrets, output }: Stage): Promise<NamedCaller> {
  const { SecretString = '' } = await secrets.send(
    new GetSecretValueCommand({ SecretId: output('IdSecret') }),
  );
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
