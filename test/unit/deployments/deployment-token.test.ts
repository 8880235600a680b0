import { newNames } from '../../../lambda/deployments/idempotency-store.ts';
import { deploymentToken } from '../../../lambda/deployments/owner.ts';
import { liveVersion } from '../../../lambda/sites/deployment.ts';
import { deployPage, startWorld, type World } from '../../support/deployments.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

let projects = 0;
const newProject = () => `project-${++projects}`;
const tokenOf = (id: string) => deploymentToken(id, world.ports.secret);

/** A deployment that was made without a token, and its token. */
async function deployed() {
  const projectId = newProject();
  const { response } = await deployPage(world, 'first', { projectId });
  const { id } = response;
  const current = async () => {
    const deployment = await world.ports.deployments.find(id);
    if (!deployment) throw new Error(`${id} is not there`);
    return { title: liveVersion(deployment)?.title, announced: deployment.announced.size };
  };
  return { projectId, token: tokenOf(id), current };
}

/** The world, in which something happens between the announcement of the first deploy and the move of its pointer. */
function interrupted(meanwhile: () => Promise<unknown>): World {
  const { archives } = world.ports;
  const put: typeof archives.put = async (...args) => {
    await meanwhile();
    return archives.put(...args);
  };
  const ports = { ...world.ports, archives: Object.assign(Object.create(archives), { put }) };
  return { ...world, ports };
}

it('the deploy that made the deployment is the first, also when it is repeated later', async () => {
  const projectId = newProject();
  const names = newNames();
  const first = await deployPage(world, 'one', { projectId, names });
  expect(first.first).toBe(true);
  expect((await deployPage(world, 'two', { projectId })).first).toBe(false);
  expect(await deployPage(world, 'one', { projectId, names })).toEqual(first);
});

it('the loser of a race to be the first is not, even within the same millisecond', async () => {
  const projectId = newProject();
  const clock = () => 1_800_000_000_000;
  const frozen = (one: World) => ({ ...one, ports: { ...one.ports, clock } });
  const names = newNames();
  const racing = interrupted(() => deployPage(frozen(world), 'winner', { projectId }));
  for (const _ of ['at once', 'repeated'])
    expect(await deployPage(frozen(racing), 'loser', { projectId, names })).toMatchObject({
      first: false,
      created: false,
    });
});

it('a wrong token is refused before anything is announced or stored', async () => {
  const { projectId, current } = await deployed();
  const before = { stored: world.stored.size, dropped: world.dropped.length };
  const refused = deployPage(world, 'second', { projectId, token: tokenOf('other') });
  await expect(refused).rejects.toMatchObject({ status: 403 });
  expect(await current()).toEqual({ title: 'first', announced: 0 });
  expect({ stored: world.stored.size, dropped: world.dropped.length }).toEqual(before);
});

it('without the token nothing is announced once it is required', async () => {
  const { projectId, token, current } = await deployed();
  await deployPage(world, 'second', { projectId, token });
  const dropped = world.dropped.length;
  await expect(deployPage(world, 'third', { projectId })).rejects.toMatchObject({ status: 401 });
  expect(await current()).toEqual({ title: 'second', announced: 0 });
  expect(world.dropped).toHaveLength(dropped);
});

it('a deploy without the token fails when one with it takes place first', async () => {
  const { projectId, token, current } = await deployed();
  const racing = interrupted(() => deployPage(world, 'with', { projectId, token }));
  await expect(deployPage(racing, 'without', { projectId })).rejects.toMatchObject({ status: 401 });
  expect((await current()).title).toBe('with');
});

it('the requirement is told before a takedown or another version is', async () => {
  const { projectId, token } = await deployed();
  const { response } = await deployPage(world, 'second', { projectId, token });
  await world.ports.deployments.takeDown(response.id, { at: 1 }, 'a');
  const refused = deployPage(world, 'third', { projectId, ifMatch: ['other'] });
  await expect(refused).rejects.toMatchObject({ status: 401 });
});
