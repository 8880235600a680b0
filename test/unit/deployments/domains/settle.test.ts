import { CustomDomains, type DomainRun } from '../../../../lambda/deployments/domains/custom-domains.ts';
import { DomainStore } from '../../../../lambda/deployments/domains/domain-store.ts';
import { pauseSeconds, settle } from '../../../../lambda/deployments/domains/settle.ts';
import type { Certificate, Refusal, Tenants } from '../../../../lambda/deployments/domains/tenants.ts';
import type { CustomDomain } from '../../../../lambda/stored/custom-domain.ts';
import type { Tenant } from '../../../../lambda/stored/tenant.ts';
import { deployPage, startWorld } from '../../../support/deployments.ts';

const DOMAIN = 'www.shop.com';
const DAY = 86_400_000;

const world = await startWorld();

/** CloudFront, without time: a test says what happens there. */
let tenants: Map<string, Tenant & { domain: string }>;
let refused: Refusal | undefined;
let certificate: Certificate;
let isPointed: boolean;
let proofs: string[];
/** The runs that were started, the last one last. */
let runs: DomainRun[];
let created: number;

const cloudFront: Tenants = {
  find: async (domain) => tenants.get(domain),
  async create(domain, deployment) {
    if (refused) return { refused };
    const tenant: Tenant & { domain: string } = {
      domain,
      id: `dt_${++created}`,
      etag: 'E',
      deployment,
      enabled: true,
      isDeployed: false,
      isActive: false,
      certificateArn: undefined,
    };
    tenants.set(domain, tenant);
    return { tenant };
  },
  certificate: async () => certificate,
  isPointed: async () => isPointed,
  async update(tenant, domain, { enabled, certificateArn }) {
    const isActive = certificateArn !== undefined;
    tenants.set(domain, { ...tenant, domain, enabled, certificateArn, isActive, isDeployed: false });
  },
  async delete({ id }) {
    for (const [domain, tenant] of tenants) if (tenant.id === id) tenants.delete(domain);
    return true;
  },
};

let store: DomainStore;
let domains: CustomDomains;
beforeEach(() => {
  [tenants, refused, certificate, isPointed] = [new Map(), undefined, { state: 'pending' }, true];
  [proofs, runs, created] = [[], [], 0];
  store = new DomainStore(world.db, world.table, () => world.now);
  domains = new CustomDomains({
    domains: store,
    dns: { isApex: async (name) => name.split('.').length === 2 },
    target: 'd1.cloudfront.net',
    start: async (run) => {
      runs.push(run);
    },
    clock: () => world.now,
  });
});

let owners = 0;
const newOwner = () => `key:owner-${++owners}`;

async function newDeployment(owner = newOwner()): Promise<string> {
  const { response } = await deployPage(world, 'Site', { owner });
  return response.id;
}

async function deploymentOf(id: string) {
  const deployment = await store.find(id);
  if (!deployment) throw new Error(`There is no deployment ${id}`);
  return deployment;
}

const entryOf = async (id: string): Promise<CustomDomain | undefined> => (await deploymentOf(id)).domains?.[0];

const add = async (id: string, domain = DOMAIN) => domains.put(await deploymentOf(id), domain);

/** Adds the domain, with the record that proves it. */
async function addProven(id: string): Promise<void> {
  proofs = [(await add(id)).proof];
}

function step(run = runs.at(-1)) {
  if (!run) throw new Error('Nothing was started');
  return settle(run, {
    domains: store,
    tenants: cloudFront,
    dns: { texts: async () => proofs },
    clock: () => world.now,
  });
}

/** CloudFront brings its last change to all edges. */
function deployEverywhere(): void {
  for (const [domain, tenant] of tenants) tenants.set(domain, { ...tenant, isDeployed: true });
}

const issue = () => {
  certificate = { state: 'issued', arn: 'arn:cert' };
};

async function activate(id: string): Promise<void> {
  await addProven(id);
  issue();
  await step();
  await step();
  deployEverywhere();
  expect(await step()).toMatchObject({ done: true });
  expect(await entryOf(id)).toMatchObject({ state: 'active' });
}

it('creates nothing before DNS has the proof', async () => {
  const id = await newDeployment();
  const { proof } = await add(id);
  expect(await step()).toMatchObject({ done: false, waitSeconds: 3 });
  expect(await entryOf(id)).toMatchObject({
    state: 'waiting_for_dns',
    reason: expect.stringContaining('_ptp-challenge'),
  });
  proofs = [`${proof}x`, 'ptp-domain='];
  await step();
  expect(tenants.size).toBe(0);
  proofs = ['unrelated', proof];
  await step();
  expect(tenants.get(DOMAIN)).toMatchObject({ deployment: id });
  expect(await entryOf(id)).toMatchObject({ state: 'issuing', tenant: 'dt_1' });
});

it('waits while CloudFront says that the domain does not point to it', async () => {
  const id = await newDeployment();
  await addProven(id);
  refused = 'not_pointed';
  await step();
  const waiting = { state: 'waiting_for_dns', reason: expect.stringContaining('does not lead here yet') };
  expect(await entryOf(id)).toMatchObject(waiting);
  refused = undefined;
  await step();
  isPointed = false;
  await step();
  expect(await entryOf(id)).toMatchObject(waiting);
  isPointed = true;
  await step();
  expect(await entryOf(id)).toMatchObject({ state: 'issuing' });
  expect((await entryOf(id))?.reason).toBeUndefined();
});

it('disables a tenant before it deletes it, and then forgets the domain', async () => {
  const id = await newDeployment();
  await activate(id);
  await domains.remove(await deploymentOf(id), DOMAIN);
  expect(await step()).toMatchObject({ done: false });
  expect(tenants.get(DOMAIN)).toMatchObject({ enabled: false });
  expect(await step()).toMatchObject({ done: false });
  expect(await entryOf(id)).toMatchObject({ state: 'removing' });
  deployEverywhere();
  expect(await step()).toMatchObject({ done: true });
  expect([tenants.size, await entryOf(id)]).toEqual([0, undefined]);
});

it('removes the tenant of a deployment that was deleted while it was set up', async () => {
  const id = await newDeployment();
  await addProven(id);
  await step();
  await world.stage.pointers.delete(id, undefined, world.now);
  await step();
  expect(tenants.get(DOMAIN)).toMatchObject({ enabled: false });
  deployEverywhere();
  expect(await step()).toMatchObject({ done: true });
  expect([tenants.size, await entryOf(id)]).toEqual([0, undefined]);
});

describe('a domain that another deployment has', () => {
  it('is refused while DNS has the proof of that deployment, and stays there', async () => {
    const [first, second] = [await newDeployment(), await newDeployment()];
    await activate(first);
    proofs.push((await add(second)).proof);
    expect(await step()).toMatchObject({ done: true });
    expect(await entryOf(second)).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('Another'),
    });
    expect(await entryOf(first)).toMatchObject({ state: 'active' });
    expect(tenants.get(DOMAIN)).toMatchObject({ deployment: first, enabled: true });
  });

  it('is not even asked about without a proof', async () => {
    const [first, second] = [await newDeployment(), await newDeployment()];
    await activate(first);
    await add(second);
    expect(await step()).toMatchObject({ done: false });
    expect(await entryOf(second)).toMatchObject({ state: 'waiting_for_dns' });
    expect(tenants.get(DOMAIN)).toMatchObject({ deployment: first, enabled: true });
  });

  it('moves to the deployment that DNS names now', async () => {
    const [first, second] = [await newDeployment(), await newDeployment()];
    await activate(first);
    proofs = [(await add(second)).proof];
    await step();
    expect(await entryOf(first)).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('another'),
    });
    expect(tenants.get(DOMAIN)).toMatchObject({ deployment: first, enabled: false });
    deployEverywhere();
    await step();
    expect(tenants.size).toBe(0);
    await step();
    expect(tenants.get(DOMAIN)).toMatchObject({ deployment: second });
    expect(await entryOf(second)).toMatchObject({ state: 'issuing' });
    // The earlier one cannot take it back without its record.
    await add(first);
    await step();
    expect(await entryOf(first)).toMatchObject({ state: 'waiting_for_dns' });
    expect(tenants.get(DOMAIN)).toMatchObject({ deployment: second, enabled: true });
  });

  it('comes free when nothing knows the tenant any more', async () => {
    tenants.set(DOMAIN, {
      domain: DOMAIN,
      id: 'dt_lost',
      etag: 'E',
      deployment: 'abcdefghijkl',
      enabled: false,
      isDeployed: true,
      isActive: true,
      certificateArn: 'arn:cert',
    });
    const id = await newDeployment();
    await addProven(id);
    await step();
    await step();
    expect(tenants.get(DOMAIN)).toMatchObject({ deployment: id });
  });

  it.each([
    ['in another stage of the account', { found: true }],
    ['in another account', { found: false }],
  ])('fails if it is %s', async (_where, { found }) => {
    const id = await newDeployment();
    await addProven(id);
    refused = 'taken';
    if (found)
      tenants.set(DOMAIN, {
        ...({} as Tenant),
        domain: DOMAIN,
        id: 'dt_x',
        deployment: undefined,
        enabled: true,
      });
    expect(await step()).toMatchObject({ done: true });
    expect(await entryOf(id)).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('someone else'),
    });
    expect(tenants.size).toBe(found ? 1 : 0);
  });
});

it('fails with the status of a certificate that is not issued, removes the tenant, and tries again when asked', async () => {
  const id = await newDeployment();
  await addProven(id);
  await step();
  certificate = { state: 'failed', status: 'validation-timed-out' };
  expect(await step()).toMatchObject({ done: false });
  const failed = { state: 'failed', reason: expect.stringContaining('validation-timed-out') };
  expect(await entryOf(id)).toMatchObject(failed);
  deployEverywhere();
  expect(await step()).toMatchObject({ done: true });
  expect([tenants.size, await entryOf(id)]).toEqual([0, expect.objectContaining(failed)]);
  certificate = { state: 'pending' };
  expect(await add(id)).toMatchObject({ state: 'waiting_for_dns' });
  await step();
  expect(await entryOf(id)).toMatchObject({ state: 'issuing' });
});

it('looks for records for three days, less often with time', async () => {
  const id = await newDeployment();
  await add(id);
  const start = world.now;
  const stepAfter = (ms: number) => {
    world.now = start + ms;
    return step();
  };
  expect(await stepAfter(59_000)).toMatchObject({ done: false, waitSeconds: 3 });
  expect(await stepAfter(3 * DAY)).toMatchObject({ done: false, waitSeconds: 300 });
  expect(await stepAfter(3 * DAY + 1_000)).toMatchObject({ done: true });
  expect(await entryOf(id)).toMatchObject({ state: 'failed', reason: expect.stringContaining('three days') });
});

it('takes few enough steps for an execution, which may have 25,000 events', () => {
  const pauses: number[] = [];
  for (let since = 0; since <= 3 * DAY; since += 1_000 * (pauses.at(-1) ?? 0)) pauses.push(pauseSeconds(since));
  expect([...new Set(pauses)]).toEqual([3, 15, 60, 300]);
  // Each step has nine events.
  expect(pauses.length).toBeLessThan(1_100);
});

it('leaves a domain to the run of the last request', async () => {
  const id = await newDeployment();
  await addProven(id);
  const [first] = runs;
  world.now += 60_000;
  await add(id);
  expect(runs).toHaveLength(2);
  expect(await step(first)).toMatchObject({ done: true });
  expect(tenants.size).toBe(0);
  expect(await step()).toMatchObject({ done: false });
  // A request right after another one starts nothing: someone is looking already.
  await add(id);
  expect(runs).toHaveLength(2);
});

it('bounds the domains of a deployment and those of an owner', async () => {
  const owner = newOwner();
  const full = await newDeployment(owner);
  for (let i = 0; i < 5; i++) await add(full, `n${i}.shop.com`);
  await expect(add(full, 'n5.shop.com')).rejects.toMatchObject({ code: 'forbidden' });
  for (const more of [1, 2, 3]) {
    const id = await newDeployment(owner);
    for (let i = 0; i < 5; i++) await add(id, `n${i}.shop${more}.com`);
  }
  const last = await newDeployment(owner);
  await expect(add(last, 'n.shop.com')).rejects.toMatchObject({
    code: 'forbidden',
    message: expect.stringContaining('20'),
  });
  await domains.remove(await deploymentOf(full), 'n0.shop.com');
  expect(await step()).toMatchObject({ done: true });
  expect(await add(last, 'n.shop.com')).toMatchObject({ state: 'waiting_for_dns' });
});

it('does not add what is still being removed, nor a domain to a deployment that is deleted meanwhile', async () => {
  const id = await newDeployment();
  await activate(id);
  await domains.remove(await deploymentOf(id), DOMAIN);
  await expect(add(id)).rejects.toMatchObject({ code: 'conflict' });
  const before = await deploymentOf(await newDeployment());
  await world.stage.pointers.delete(before.id, undefined, world.now);
  await expect(domains.put(before, DOMAIN)).rejects.toMatchObject({ code: 'conflict' });
});
