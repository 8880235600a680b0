import { cancelGeneration, createGeneration } from '../../../lambda/generation/api/start.ts';
import { type Stores, startContext, startStores } from '../../support/generation.ts';

let stores: Stores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.close());

const REQUEST = { prompt: 'a page', model: 'auto', duration: 'auto' } as const;

const ports = (anonymous = 1_000) =>
  startContext(stores, ['provider-a'], { running: { anonymous, key: 1_000, service: 1_000 } });
const create = (id: string, idempotencyKey?: string, anonymous?: number) =>
  createGeneration(REQUEST, { caller: { id }, idempotencyKey }, ports(anonymous));

/** Returns how many writes and reads of the table an operation makes. */
async function callsOf(perform: () => Promise<unknown>) {
  const send = jest.spyOn(stores.database.db, 'send');
  await perform();
  const names = send.mock.calls.map(([command]) => command.constructor.name);
  send.mockRestore();
  const reads = names.filter((name) => name === 'GetCommand').length;
  return { writes: names.length - reads, reads };
}

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
