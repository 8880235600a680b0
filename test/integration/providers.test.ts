import { newCaller } from './client.ts';
import { startVariant, type Variant } from './variant.ts';

const scripted = (script: 'hang' | 'block' | 'fail' | 'cut') => ({ kind: 'scripted', script, delayMs: 0 });

const CASES: readonly [string, object, number, string, string[]][] = [
  [
    'all fail',
    { 'provider-a': scripted('fail'), 'provider-b': scripted('cut') },
    503,
    'failed',
    // What the second one writes is kept, so it is asked again until it adds nothing twice in a row.
    ['failed', 'cut_off', 'cut_off', 'cut_off'],
  ],
  [
    'all time out',
    { 'provider-a': scripted('hang'), 'provider-b': scripted('block') },
    504,
    'timed_out',
    ['timed_out', 'timed_out'],
  ],
  [
    'some time out',
    { 'provider-a': scripted('hang'), 'provider-b': scripted('fail') },
    503,
    'failed',
    ['timed_out', 'failed'],
  ],
];

/** Shorter than those of the suite, because these tests wait for the timeouts. */
const DEADLINES = { providerTimeoutSeconds: 2, firstTokenSeconds: 20, stallSeconds: 20 };

let clouds: Variant[];
beforeAll(async () => {
  clouds = await Promise.all(
    CASES.map(([, providers]) =>
      startVariant({ PROVIDERS: providers, PROVIDER_NAMES: Object.keys(providers), DEADLINES }),
    ),
  );
});
afterAll(() => Promise.all(clouds.map((running) => running.close())));

it.each(CASES)('when %s, the error and the generation say why', async (name, _, status, state, outcomes) => {
  const running = clouds[CASES.findIndex(([other]) => other === name)] as Variant;
  const caller = newCaller(running.baseUrl);
  const answer = await caller.post('/api/v1/generate', { prompt: 'a page' });
  expect(answer.status).toBe(status);
  expect(Object.keys(answer.json)).toEqual(['error']);
  expect(answer.json.error).toMatch(/provider-a: .*; provider-b: /);
  // A vendor's message may name accounts and hosts, so it is only logged.
  expect(answer.text).not.toContain('scripted');
  expect(answer.headers['retry-after']).toBe(status === 503 ? '5' : undefined);

  const id = answer.headers['x-generation-id'];
  const generation = await caller.send(`/api/v1/generations/${id}`);
  expect(generation).toMatchObject({ status: 200, json: { status: state } });
  expect(generation.json.attempts.map(({ outcome }: { outcome: string }) => outcome)).toEqual(outcomes);
  const result = await caller.send(`/api/v1/generations/${id}/result`);
  expect({ status: result.status, json: result.json }).toEqual({ status, json: answer.json });
});
