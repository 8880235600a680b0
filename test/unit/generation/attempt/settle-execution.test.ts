import { settleDeploy, settleExecution } from '../../../../lambda/generation/attempt/settle.ts';
import { type DeployedState, type Generation, workflowState } from '../../../../lambda/generation/generation.ts';
import { attemptsOf } from '../../../../lambda/generation/generation-log.ts';
import { aFile, aGeneration, anAttempt } from '../../../support/a-generation.ts';
import { startStores } from '../../../support/generation.ts';

const stores = await startStores();

const DEPLOY = {
  owner: 'anonymous',
  deployer: undefined,
  names: { id: 'abcdefghijkl', version: 'v1' },
  holdsToken: false,
} as const;
const RECEIVER = { url: 'https://user.example/hook', owner: 'key:a' };
const FILE = aFile('index.html');

async function generation(more: Partial<Generation>): Promise<Generation> {
  const id = `${crypto.randomUUID()}-`;
  const createdAt = Date.now();
  const log = [{ type: 'queued', at: createdAt }] as const;
  const created = aGeneration({ id, createdAt, execution: `${id}-1`, log, ...more });
  await stores.generations.create(created);
  return created;
}

/** Settles an execution. @returns the generation then, and the ids of the notifications */
async function settled({ id, execution }: Generation, name = execution, times = 1) {
  const { generations, usage, providerStore } = stores;
  const ports = { generations, files: async () => stores.files, usage, providerStore, clock: Date.now };
  const notified: string[] = [];
  const notify = async (delivery: { id: string }) => void notified.push(delivery.id);
  for (let i = 0; i < times; i++) await settleExecution({ detail: { name } }, { ...ports, roundMs: 1_000 }, notify);
  return { after: await generations.find(id), notified };
}

it('fails a generation that had not begun', async () => {
  const { after } = await settled(await generation({ status: 'queued' }));
  expect(after).toMatchObject({ status: 'failed', problems: ['The generation was interrupted'] });
});

it('counts what an attempt had reserved that was running', async () => {
  const usage = { input: 9, cachedInput: 0, cacheWrite: 0, output: 9, reasoning: 0, basis: 'reserved' } as const;
  const { after } = await settled(await generation({ log: [anAttempt(1, { usage, cost: 7 })] }));
  expect(attemptsOf(after as Generation)).toMatchObject([{ outcome: 'interrupted', usage, cost: 7 }]);
});

it('ends a deploy with its error, and keeps the project and its problems', async () => {
  const problems = ['style.css: is empty'];
  const before = await generation({ status: 'deploying', deploy: DEPLOY, problems, log: [FILE] });
  const { after } = await settled(before);
  expect(after).toMatchObject({
    status: 'succeeded',
    problems,
    deployed: { status: 502, error: 'The deploy was interrupted: deploy the project with its generationId' },
  });
});

it('names a file that does not exist once, whether the project or a visit of its page lacks it', async () => {
  const problems = [
    'proben.html:8:1: css/style.css does not exist',
    'index.html: "./logo.svg" refers to a missing file',
  ];
  const before = await generation({ status: 'deploying', deploy: DEPLOY, problems, log: [FILE] });
  const visited = ['/d/x/css/style.css', '/logo.svg', '/d/x/other.css'].map(
    (path) => `${path}: the page refers to it, and it responds with 404`,
  );
  const response = { id: 'x', url: '', entry: 'index.html', fileCount: 1, title: 'Page', createdAt: 1 };
  const { generations, usage, providerStore } = stores;
  const deployed = { response, first: true, bytes: 1, problems: visited };
  const state: DeployedState = { ...workflowState(before), deployed };
  await settleDeploy(state, { generations, usage, providerStore, clock: Date.now });
  expect((await generations.find(before.id))?.problems).toEqual([...problems, visited[2]]);
});

it('changes nothing the second time, and starts the same notification', async () => {
  const before = await generation({ receiver: RECEIVER });
  const { after } = await settled(before);
  const again = await settled(before, before.execution, 2);
  expect(again.after).toEqual(after);
  const id = `generation-${before.execution}`;
  expect(again.notified).toEqual([id, id]);
});

it('leaves a generation alone that another execution has begun again', async () => {
  const before = await generation({ receiver: RECEIVER });
  const { after, notified } = await settled({ ...before }, `${before.id}-0`);
  expect([after?.status, notified]).toEqual(['running', []]);
});

it('ignores an execution of a generation that has expired', async () => {
  const { after } = await settled({ ...(await generation({})), id: 'gone', execution: 'gone-1' });
  expect(after).toBeUndefined();
});
