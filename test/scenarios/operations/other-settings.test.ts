import { main as keysMain } from '../../../cli/keys.ts';
import { closeAtEnd } from '../../support/at-end.ts';
import { newCaller } from '../../support/cloud/client.ts';
import { operate } from '../../support/cloud/keys.ts';
import { NO_RATE_LIMIT, startVariant } from '../../support/cloud/variant.ts';
import { page } from '../../support/gate/sample.ts';
import { issueKey } from '../../support/paid-stage.ts';

const GENERATE = '/api/v1/generate';
const DEPLOY = '/api/v1/deploy';
const HASHED = 'assets/index-BkC3x9aZ.js';
const FILES = [{ path: 'index.html', content: '<title>Page</title>' }];
const KIT = page('PayPal: log in', '<form action="https://a.example/"><input type="password" name="p"></form>');
const bearer = (credential: string) => ({ authorization: `Bearer ${credential}` });

/** Settings of an operator that other tests do not have, and that do not depend on each other. */
const variables = {
  ...NO_RATE_LIMIT,
  ALLOW_PRIVATE_WEBHOOKS: false,
  ANONYMOUS_GENERATION: false,
  INVALIDATIONS_PER_MONTH: 1,
};
const options = { invalidationSeconds: { effect: [0.5, 1], completion: [1, 1.5] } } as const;
const variant = closeAtEnd(
  await startVariant(variables, options, (properties) => {
    const { Variables } = (properties.Environment ?? {}) as { Variables?: Record<string, string> };
    if (Variables) delete Variables.GATE;
  }),
);

it('holds nothing on a stage without a gate', async () => {
  const caller = newCaller(variant.baseUrl);
  const deployed = await caller.post('/api/v1/deploy', { files: [{ path: 'index.html', content: KIT }] });
  expect(deployed.headers['x-deployment-warning']).toBe(undefined);
  expect((await caller.send(`/d/${deployed.json.id}/`)).status).toBe(200);
});

it('beyond the invalidations of a month, copies of hashed files stay until the time in the response', async () => {
  const caller = newCaller(variant.baseUrl);
  const deleted = async (path: string) => {
    const files = [
      { path: 'index.html', content: '' },
      { path, content: 'chunk' },
    ];
    const { json, headers } = await caller.post('/api/v1/deploy', { files });
    const visit = async () => (await caller.send(`/d/${json.id}/${path}`)).status;
    expect(await visit()).toBe(200);
    const token = { 'x-deployment-token': String(headers['x-deployment-token']) };
    const gone = await caller.send(`/api/v1/deployments/${json.id}`, { method: 'DELETE', headers: token });
    return { visit, seconds: (gone.json.copiesUntil - gone.json.deletedAt) / 1_000 };
  };
  const plain = await deleted('app.js');
  expect([plain.seconds, await plain.visit()]).toEqual([0, 410]);
  const first = await deleted(HASHED);
  const second = await deleted(HASHED);
  expect([first.seconds, second.seconds]).toEqual([60, 86_400]);
  while ((await first.visit()) !== 410);
  expect(await second.visit()).toBe(200);
});

it('a stage without private addresses rejects them', async () => {
  const { post } = newCaller(variant.baseUrl);
  const own = (await operate(keysMain, ['create', '--name', 'x'], variant.stateDir)).trimEnd();
  const urls = ['http://user.example/', 'https://127.0.0.1/', 'https://0x7f.1/', 'https://[::ffff:a00:1]/'];
  urls.push('https://localhost:1/', 'https://169.254.169.254/', 'https://[fd00:ec2::254]/');
  for (const url of urls) {
    for (const [path, body] of [
      [GENERATE, { prompt: 'a quiz' }],
      [DEPLOY, { files: FILES }],
    ] as const) {
      const { status, json } = await post(path, { ...body, webhook: { url } }, bearer(own));
      expect([url, status, json.error]).toEqual([url, 400, expect.stringMatching(/^webhook\.url must be /)]);
    }
  }
});

it('nobody without a credential generates if the stage generates for keys only', async () => {
  const { status, json, headers } = await newCaller(variant.baseUrl).post('/api/v1/generate', {
    prompt: 'a page',
  });
  expect({ status, error: json.error }).toEqual({
    status: 401,
    error: expect.stringContaining('ask its operator for a key, and send it as Authorization: Bearer'),
  });
  expect(headers['www-authenticate']).toMatch(/^Bearer /);
  const key = await issueKey(variant.stateDir);
  const authorized = { authorization: `Bearer ${key}` };
  const generated = await newCaller(variant.baseUrl).post('/api/v1/generate', { prompt: 'a page' }, authorized);
  expect(generated.status).toBe(200);
});
