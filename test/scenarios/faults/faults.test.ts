import { closeAtEnd } from '../../support/at-end.ts';
import { newCaller } from '../../support/cloud/client.ts';
import { until } from '../../support/cloud/events.ts';
import { startFaultyCloud } from '../../support/faults/cloud.ts';

/**
 * Faults that no other test has; a table in docs/operating.md lists them all. `test/soak/faults.test.ts` measures how fast the
 * service recovers, since other tests run beside this one. A slot that is not given back ends the generations
 * of an address.
 */
const cloud = closeAtEnd(await startFaultyCloud({ RUNNING: { anonymous: 1, key: 1, service: 100 } }));

const prompt = { prompt: 'a timer' };
const generate = (body: object = prompt) => newCaller(cloud.baseUrl).post('/api/v1/generate', body);

it('a generation that Step Functions refuses to start is a 503, keeps no slot, and runs when it is repeated', async () => {
  const caller = newCaller(cloud.baseUrl);
  const send = () =>
    caller.send('/api/v1/generate', { method: 'POST', body: prompt, headers: { 'idempotency-key': 'one' } });
  cloud.failing.stepFunctions = true;
  const refused = await send();
  cloud.failing.stepFunctions = false;
  expect(refused).toMatchObject({
    status: 503,
    headers: { 'retry-after': expect.stringMatching(/^[1-9]/) },
  });
  expect(await send()).toMatchObject({ status: 200, json: { files: [{ path: 'index.html' }] } });
});

it('a provider that fails every other time costs callers one attempt, and comes first again when it works', async () => {
  cloud.failing.provider = true;
  for (let n = 0; n < 6; n++) {
    const { status, headers } = await generate();
    expect(status).toBe(200);
    const path = `/api/v1/generations/${headers['x-generation-id']}`;
    const { attempts } = (await newCaller(cloud.baseUrl).send(path)).json;
    expect(attempts.length).toBeLessThanOrEqual(2);
  }
  cloud.failing.provider = false;
  expect((await generate({ ...prompt, model: 'provider-a' })).json.model).toBe('provider-a/m');
  expect((await generate()).json.model).toBe('provider-a/m');
});

it('a function without concurrency refuses its requests, and no others', async () => {
  const end = cloud.throttle('UsageApi');
  expect(await newCaller(cloud.baseUrl).send('/api/v1/usage')).toMatchObject({
    status: 503,
    headers: { 'retry-after': expect.stringMatching(/^[1-9]/) },
    json: { error: expect.any(String) },
  });
  expect((await generate()).status).toBe(200);
  end();
});

it('while S3 takes a second for each call, deploys and generations succeed; pages that no edge has are a 503 until then', async () => {
  const caller = newCaller(cloud.baseUrl);
  const files = [{ path: 'index.html', content: '<title>Slow</title>' }];
  cloud.failing.s3 = 'is slow';
  const deployed = await caller.post('/api/v1/deploy', { files });
  expect(deployed.status).toBe(201);
  const page = () => caller.send(`/d/${deployed.json.id}/`);
  // Visits do not wait: the edge has a copy of most pages.
  expect((await page()).status).toBe(503);
  expect((await generate()).status).toBe(200);
  cloud.failing.s3 = 'works';
  await until(async () => (await page()).text.includes('<title>Slow</title>'));
  expect((await caller.post('/api/v1/deploy', { files })).status).toBe(201);
});
