import { callsOf } from '../../../bench/aws-calls.ts';
import {
  cancelGeneration,
  createGeneration,
  type StartContext,
} from '../../../lambda/generation/api/start.ts';
import { type Stores, stageOf, startStores } from '../../support/generation.ts';

let stores: Stores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.close());

const REQUEST = { prompt: 'a page', model: 'auto', duration: 'auto' } as const;

const ports = (anonymous = 1_000): StartContext => ({
  ...stores,
  ...stageOf(['provider-a']),
  running: { anonymous, key: 1_000, service: 1_000 },
  clock: Date.now,
  idSecret: async () => 's',
  startExecution: async () => {},
  stopExecution: async () => {},
});
const create = (id: string, idempotencyKey?: string, anonymous?: number) =>
  createGeneration(REQUEST, { caller: { id }, idempotencyKey }, ports(anonymous));

// Before there were slots: 1 read and 1 write to create, 1 read and 1 write to join, and 1 write to cancel.
it('takes a slot with the read of the cool-downs, and frees it with one write', async () => {
  expect(await callsOf(() => create('a'))).toMatchObject({ writes: 2, reads: 0 });
  expect(await callsOf(() => create('a', 'key'))).toMatchObject({ writes: 2, reads: 1 });
  expect(await callsOf(() => create('a', 'key'))).toMatchObject({ writes: 0, reads: 1 });
  const generation = await create('b', undefined, 1);
  const refused = () => create('b', undefined, 1).catch(({ code }) => expect(code).toBe('rate_limited'));
  expect(await callsOf(refused)).toMatchObject({ writes: 1, reads: 1 });
  expect(await callsOf(() => cancelGeneration(generation, ports()))).toMatchObject({ writes: 2, reads: 1 });
});
