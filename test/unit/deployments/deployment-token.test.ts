import { newDeploymentNames } from '../../../lambda/deployments/idempotency-store.ts';
import { liveVersion } from '../../../lambda/stored/deployment.ts';
import { deployPage, startWorld, type World } from '../../support/deployments.ts';

const world = await startWorld();

let projects = 0;
const newProject = () => `project-${++projects}`;
const tokenOf = (id: string) => world.stage.tokens.issue(id);

/** Creates a deployment without sending its token. */
async function deployed() {
  const projectId = newProject();
  const { response } = await deployPage(world, 'first', { projectId });
  const { id } = response;
  const current = async () => {
    const deployment = await world.stage.pointers.find(id);
    if (!deployment) throw new Error(`${id} does not exist`);
    return { title: liveVersion(deployment)?.title, announced: deployment.announced.size };
  };
  return { projectId, token: await tokenOf(id), current };
}

/** Returns the world with `meanwhile` happening between a deploy's announcement and the move of its pointer. */
function interrupted(meanwhile: () => Promise<unknown>): World {
  const { archives } = world.stage;
  const put: typeof archives.put = async (...args) => {
    await meanwhile();
    return archives.put(...args);
  };
  const stage = { ...world.stage, archives: Object.assign(Object.create(archives), { put }) };
  return { ...world, stage };
}

it('reports the deploy that created the deployment as the first, even when it is repeated later', async () => {
  const projectId = newProject();
  const names = newDeploymentNames();
  const first = await deployPage(world, 'one', { projectId, names });
  expect(first.first).toBe(true);
  expect((await deployPage(world, 'two', { projectId })).first).toBe(false);
  expect(await deployPage(world, 'one', { projectId, names })).toEqual(first);
});

it('does not report the loser of a race as the first, even within the same millisecond', async () => {
  const projectId = newProject();
  const clock = () => 1_800_000_000_000;
  const frozen = (one: World) => ({ ...one, stage: { ...one.stage, clock } });
  const names = newDeploymentNames();
  const racing = interrupted(() => deployPage(frozen(world), 'winner', { projectId }));
  for (const _ of ['at once', 'repeated'])
    expect(await deployPage(frozen(racing), 'loser', { projectId, names })).toMatchObject({
      first: false,
      created: false,
    });
});

it('rejects a wrong token before anything is announced or stored', async () => {
  const { projectId, current } = await deployed();
  const before = world.stored.size;
  const rejected = deployPage(world, 'second', { projectId, token: await tokenOf('other') });
  await expect(rejected).rejects.toMatchObject({ status: 403 });
  expect(await current()).toEqual({ title: 'first', announced: 0 });
  expect(world.stored.size).toBe(before);
});

it('announces nothing for a deploy that lacks the required token', async () => {
  const { projectId, token, current } = await deployed();
  await deployPage(world, 'second', { projectId, token });
  const stored = world.stored.size;
  await expect(deployPage(world, 'third', { projectId })).rejects.toMatchObject({ status: 401 });
  expect(await current()).toEqual({ title: 'second', announced: 0 });
  expect(world.stored.size).toBe(stored);
});

it('rejects a deploy without the token if one with it is committed first', async () => {
  const { projectId, token, current } = await deployed();
  const racing = interrupted(() => deployPage(world, 'with', { projectId, token }));
  await expect(deployPage(racing, 'without', { projectId })).rejects.toMatchObject({ status: 401 });
  expect((await current()).title).toBe('with');
});

it('reports the missing token before a takedown or a failed If-Match', async () => {
  const { projectId, token } = await deployed();
  const { response } = await deployPage(world, 'second', { projectId, token });
  await world.stage.pointers.takeDown(response.id, { at: 1 });
  const rejected = deployPage(world, 'third', { projectId, ifMatch: ['other'] });
  await expect(rejected).rejects.toMatchObject({ status: 401 });
});
