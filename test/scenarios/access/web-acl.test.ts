import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runAssembly } from '../../../local/service.ts';
import { synthesize } from '../../../local/synth.ts';
import { closeAtEnd, temporaryFolder } from '../../support/at-end.ts';
import { newCaller } from '../../support/cloud/client.ts';
import { freePort } from '../../support/free-port.ts';

/** Small enough to be exceeded in a test. */
const LIMIT = 12;

interface RateRule {
  readonly Statement: { readonly RateBasedStatement?: { Limit: number } };
}

const folder = temporaryFolder();
const configFile = join(folder, 'config.json');
writeFileSync(
  configFile,
  JSON.stringify({
    stage: 'test',
    waf: true,
    look: { enabled: false },
    canary: { enabled: false },
    rateLimit: { anonymous: 1_000 },
  }),
);
const assembly = await synthesize(join(folder, 'cdk.out'), { configFile, log: () => {} });
for (const { Type, Properties = {} } of Object.values(assembly.template.Resources)) {
  if (Type !== 'AWS::WAFv2::WebACL') continue;
  for (const { Statement } of Properties.Rules as RateRule[])
    if (Statement.RateBasedStatement) Statement.RateBasedStatement.Limit = LIMIT;
}
const settings = {
  port: await freePort(),
  backendPort: await freePort(),
  stateDir: folder,
  configFile,
};
const cloud = closeAtEnd(await runAssembly(assembly, settings, () => {}));

/** Sends requests until the address is over the limit of the rule for them. */
async function exhaust(send: () => Promise<{ status: number }>): Promise<void> {
  for (let i = 0; i < LIMIT; i++) expect((await send()).status).not.toBe(429);
  expect((await send()).status).toBe(429);
}

it('limits the pages of an address, and neither its requests to the API nor other addresses', async () => {
  const caller = newCaller(cloud.baseUrl);
  await exhaust(() => caller.send('/docs'));
  const { status, headers, json } = await caller.send('/d/abcdefghijkl/', {
    headers: { 'x-ptp-own-call': 'guessed' },
  });
  expect([status, headers['retry-after'], headers['access-control-allow-origin']]).toEqual([429, '300', '*']);
  expect(json).toEqual({
    error: 'Too many requests from this address. Try again in 300 s',
    retryAfter: 300,
    docs: '/docs#rate-limits',
  });
  expect((await caller.send('/api/v1/nothing')).status).toBe(404);
  expect((await newCaller(cloud.baseUrl).send('/docs')).status).toBe(200);
});

it('limits the requests of an address to the API, and not its pages', async () => {
  const caller = newCaller(cloud.baseUrl);
  await exhaust(() => caller.send('/api/v1/nothing'));
  expect((await caller.post('/mcp', {})).status).toBe(429);
  expect((await caller.send('/docs')).status).toBe(200);
});

it('does not limit the visit after a deploy, whose address is the same for all of them', async () => {
  // The address of the functions.
  await exhaust(() => fetch(`${cloud.baseUrl}/docs`));
  const { status, json } = await newCaller(cloud.baseUrl).post('/api/v1/generate', {
    prompt: 'a pomodoro timer',
    deploy: true,
  });
  expect(status).toBe(200);
  expect(json.deployment.url).toContain('/d/');
  expect(json.deployment.problems ?? []).toEqual([]);
});
