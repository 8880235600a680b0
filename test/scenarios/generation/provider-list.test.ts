import { closeAtEnd } from '../../support/at-end.ts';
import { newCaller } from '../../support/cloud/client.ts';
import { NO_RATE_LIMIT, startVariant } from '../../support/cloud/variant.ts';

const PROVIDERS = {
  'provider-a': { kind: 'scripted', script: 'fail', delayMs: 0 },
  'provider-b': { kind: 'scripted', script: 'answer', delayMs: 320 },
  'provider-c': {
    kind: 'anthropic',
    model: 'some-model',
    apiKey: 'NAME_OF_THE_SECRET',
    baseUrl: 'https://vendor.example/v1',
  },
};

const running = closeAtEnd(await startVariant({ ...NO_RATE_LIMIT, PROVIDERS, ROUTING: 'fastest' }));

it('lists the providers, learns how they perform, and orders them accordingly', async () => {
  const caller = newCaller(running.baseUrl);
  const list = () => caller.send('/api/v1/providers');
  const before = await list();
  expect(before.json).toEqual({
    routing: 'fastest',
    items: [
      { name: 'provider-a', model: 'provider-a/scripted', cost: 0 },
      { name: 'provider-b', model: 'provider-b/scripted', cost: 0 },
      { name: 'provider-c', model: 'provider-c/some-model' },
    ],
  });
  expect(before.text).not.toMatch(/SECRET|vendor\.example/);
  // Fails with provider-a, and goes on with provider-b.
  const generated = await caller.post('/api/v1/generate', { prompt: 'a page', model: 'provider-a' });
  expect([generated.status, generated.json.model]).toEqual([200, 'provider-b/scripted']);
  const after = async () => (await list()).json.items;
  // The slot is freed, with the averages, a moment after the end.
  while ((await after())[0].name === 'provider-a');
  const items = await after();
  expect(items.map(({ name }: { name: string }) => name)).toEqual(['provider-b', 'provider-a', 'provider-c']);
  expect(items[0]).toMatchObject({ failures: 0 });
  // A timer may be some milliseconds early by the clock.
  expect(items[0].firstFileMs).toBeGreaterThanOrEqual(300);
  expect(items[1]).toMatchObject({ failures: 1 });
});

it('is not counted, and accepts no other method', async () => {
  const caller = newCaller(running.baseUrl);
  const [first, second] = [await caller.send('/api/v1/providers'), await caller.send('/api/v1/providers')];
  expect(second.headers['x-ratelimit-remaining']).toBe(first.headers['x-ratelimit-remaining']);
  expect((await caller.post('/api/v1/providers', {})).status).toBe(405);
});
