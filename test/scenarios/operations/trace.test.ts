import { main as traceCommand } from '../../../cli/trace.ts';
import { closeAtEnd } from '../../support/at-end.ts';
import { newCaller } from '../../support/cloud/client.ts';
import { until } from '../../support/cloud/events.ts';
import { operate } from '../../support/cloud/keys.ts';
import { NO_RATE_LIMIT, startVariant } from '../../support/cloud/variant.ts';

const PROVIDERS = {
  'provider-b': { kind: 'scripted', script: 'hang' },
  'provider-c': { kind: 'scripted', script: 'fail' },
};
const DEADLINES = { providerTimeoutSeconds: 30, firstTokenSeconds: 0.3, stallSeconds: 3 };
const variant = closeAtEnd(
  await startVariant({
    ...NO_RATE_LIMIT,
    PROVIDERS,
    PROVIDER_NAMES: Object.keys(PROVIDERS),
    DEADLINES,
  }),
);

const trace = async (id: string) => (await operate(traceCommand, [id], variant.stateDir)).trimEnd().split('\n');

it('prints the lines of a failed generation by its id alone', async () => {
  const prompt = 'a page about the secret 4711';
  const failed = await newCaller(variant.baseUrl).post('/api/v1/generate', { prompt, model: 'provider-c' });
  expect(failed.status).toBe(503);
  const id = String(failed.headers['x-generation-id']);
  // The response may come before the last lines.
  const isWhole = (lines: readonly string[]) =>
    ['request', 'generation'].every((event) => lines.some((line) => line.slice(25).split(/ +/)[1] === event));
  await until(async () => isWhole(await trace(id)));
  const lines = await trace(id);
  const story = lines.filter((line) => /^\d/.test(line)).map((line) => line.slice(25).replace(/ +/g, ' '));
  expect(story).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^GenerationAttempt attempt failed .*attempt=1 .*scripted to fail/),
      expect.stringMatching(/^GenerationAttempt attempt .*provider=provider-c outcome=failed .*files=0/),
      expect.stringMatching(/^GenerationAttempt attempt .*provider=provider-b outcome=silent /),
      expect.stringMatching(/^Generation(Attempt|Settle) generation .*status=failed attempts=2 /),
      expect.stringMatching(/^GenerationApi request .*operation=generate .*status=503 .*kind=anonymous .*awsCalls=\d+/),
    ]),
  );
  const text = lines.join('\n');
  expect(text).not.toContain('4711');
  // The whole id would let readers of the log read the project.
  expect(text).not.toContain(id);
  expect(text).toContain(`generation=${id.slice(0, 12)}`);
});

it('prints the lines of a deploy and of a request', async () => {
  const files = [{ path: 'index.html', content: '<title>Private words</title>' }];
  const { json, headers } = await newCaller(variant.baseUrl).post('/api/v1/deploy', { files });
  await until(async () => (await trace(json.id).catch(() => [])).length >= 2);
  const expected = [
    expect.stringMatching(/DeploymentsApi +deployed .*version=\S+ files=1 bytes=\d+ .*ms=\d+/),
    expect.stringMatching(/DeploymentsApi +request .*operation=deploy .*status=201/),
  ];
  expect(await trace(json.id)).toEqual(expected);
  expect(await trace(String(headers['x-request-id']))).toEqual(expected);
  await expect(trace('a"| x')).rejects.toThrow('Invalid id');
  await expect(trace('nothing-has-this')).rejects.toThrow('No line of the last 2 days contains nothing-has-this');
});
