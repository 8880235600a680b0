import { closeAtEnd } from '../../support/at-end.ts';
import { newCaller } from '../../support/cloud/client.ts';
import { startVariant } from '../../support/cloud/variant.ts';

const scripted = (script: 'hang' | 'block') => ({ kind: 'scripted', script, delayMs: 0 });

/** Shorter than those of the suite, because these tests wait for the timeouts. */
const DEADLINES = { providerTimeoutSeconds: 2, firstTokenSeconds: 20, stallSeconds: 20 };

const PROVIDERS = { 'provider-a': scripted('hang'), 'provider-b': scripted('block') };
const running = closeAtEnd(await startVariant({ PROVIDERS, DEADLINES }));

it('when all time out, one of them with a blocked function, the error and the generation say why', async () => {
  const caller = newCaller(running.baseUrl);
  const answer = await caller.post('/api/v1/generate', { prompt: 'a page' });
  expect(answer.status).toBe(504);
  expect(Object.keys(answer.json)).toEqual(['error']);
  expect(answer.json.error).toMatch(/provider-a: .*; provider-b: /);
  // A vendor's message may name accounts and hosts, so it is only logged.
  expect(answer.text).not.toContain('scripted');
  expect(answer.headers).not.toHaveProperty('retry-after');

  const id = answer.headers['x-generation-id'];
  const generation = await caller.send(`/api/v1/generations/${id}`);
  expect(generation).toMatchObject({ status: 200, json: { status: 'timed_out' } });
  expect(generation.json.attempts.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
    'timed_out',
    'timed_out',
  ]);
  const result = await caller.send(`/api/v1/generations/${id}/result`);
  expect({ status: result.status, json: result.json }).toEqual({ status: 504, json: answer.json });
});
