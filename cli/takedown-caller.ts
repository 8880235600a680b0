import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { keyCaller, keyState } from '../lambda/access/api-key.ts';
import { KeyStore } from '../lambda/access/key-store.ts';
import { limitKey } from '../lambda/access/viewer-address.ts';
import type { CallerPage } from '../lambda/deployments/caller-takedown.ts';
import { DeployerStore } from '../lambda/deployments/deployer-store.ts';
import { DeploymentStore } from '../lambda/deployments/deployment-store.ts';
import { deployerMark, deployerOf } from '../lambda/stored/deployer.ts';
import { ANONYMOUS } from '../lambda/stored/deployment-owner.ts';
import type { Stage } from './stage.ts';

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
  const owner = keyCaller(key);
  const ids = await deploymentsOfOwner(owner, new DeploymentStore(db, output('DeploymentsTable')));
  return {
    name: `the key ${id} (${key.name})`,
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

async function deploymentsOfOwner(owner: string, deployments: DeploymentStore): Promise<string[]> {
  const ids: string[] = [];
  let after: Parameters<DeploymentStore['list']>[0]['after'];
  do {
    const { items, next } = await deployments.list({ owner, limit: 100, after });
    ids.push(...items.map(({ id }) => id));
    after = next;
  } while (after);
  return ids;
}

/** Returns an address with the pages that were deployed from it without a key, within 30 days. */
export async function callerOfAddress(address: string, { db, secrets, output }: Stage): Promise<NamedCaller> {
  const { SecretString = '' } = await secrets.send(
    new GetSecretValueCommand({ SecretId: output('IdSecret') }),
  );
  const counted = limitKey(address);
  const deployer = deployerOf(counted, SecretString);
  const ids = await new DeployerStore(db, output('DeploymentsTable')).deploymentsOf(deployer, Date.now());
  return {
    name: `the address ${counted}`,
    pages: ids.map((id) => ({ id, owner: ANONYMOUS, mark: deployerMark(deployer, id) })),
    revoke: async () => [],
  };
}
