import { deployGeneration, type VisitResult } from '../../../lambda/deployments/deploy-generation.ts';
import { newDeploymentNames } from '../../../lambda/deployments/idempotency-store.ts';
import type { DeployTarget } from '../../../lambda/stored/generations.ts';
import { deployPage, startWorld } from '../../support/deployments.ts';

const world = await startWorld();

/** Deploys a project of one page where a generation is to be deployed. */
function run(target: Partial<DeployTarget>, visited: VisitResult = { problems: [] }) {
  const deploy: DeployTarget = {
    owner: 'anonymous',
    deployer: undefined,
    names: newDeploymentNames(),
    holdsToken: false,
    ...target,
  };
  const generation = { id: 'g', status: 'deploying' as const, log: [], deploy };
  const content = '<title>Page</title>';
  const files = async () => [{ path: 'index.html', content, size: content.length }];
  const generations = { find: async () => generation, files };
  return deployGeneration('g', generations, async () => visited, world.stage);
}

it('deploys once, however often it is called for a generation', async () => {
  const names = newDeploymentNames();
  const first = await run({ names });
  expect(first).toMatchObject({ first: true, problems: [], response: { id: names.id, title: 'Page' } });
  expect(await run({ names })).toEqual(first);
  expect((await world.stage.pointers.find(names.id))?.versions).toHaveLength(1);
});

it('passes on what the page and its references are like', async () => {
  const problems = ['/d/x/a.png: the page refers to it, and it responds with 404'];
  expect(await run({}, { problems })).toMatchObject({ problems, response: { title: 'Page' } });
  const failure = 'responds with 503';
  expect(await run({}, { failure, problems: [] })).toMatchObject({ failure, response: { title: 'Page' } });
});

it('deploys to a project that requires its token only for a request that had it', async () => {
  const projectId = 'protected';
  const { response } = await deployPage(world, 'One', { projectId });
  const token = await world.stage.tokens.issue(response.id);
  await deployPage(world, 'Two', { projectId, token });
  expect(await run({ projectId })).toMatchObject({ status: 401 });
  expect(await run({ projectId, holdsToken: true })).toMatchObject({ response: { id: response.id } });
});

it('leaves errors of the backend to the state machine, which tries again', async () => {
  world.fail('put');
  await expect(run({})).rejects.toThrow('put is unreachable');
  world.fail(undefined);
});
