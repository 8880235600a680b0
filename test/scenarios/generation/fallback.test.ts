import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startService } from '../../../local/service.ts';
import { closeAtEnd, temporaryFolder } from '../../support/at-end.ts';
import { newCaller } from '../../support/cloud/client.ts';
import { freePort } from '../../support/free-port.ts';
import { type Step, startVendor, type VendorKind } from '../../support/vendors/index.ts';

const HALF: Step = { text: '<file path="half.md">\nThis is ' };
const WHOLE: Step[] = [{ text: '<file path="second.md">\nThis is it.\n</file>\n<done/>\n' }, { finish: 'complete' }];

/** The vendor of each provider, how it fails, and the outcome. Units test every fault of every vendor. */
const VENDORS: readonly (readonly [name: string, VendorKind, Step[], outcome: string])[] = [
  ['provider-a', 'anthropic', [HALF, 'hang'], 'silent'],
  ['provider-b', 'openai-compatible', [HALF, { wait: 20 }, 'reset'], 'cut_off'],
  ['provider-c', 'google', [{ status: 429 }], 'overloaded'],
  ['provider-d', 'bedrock', [{ status: 401 }], 'credentials'],
];

const stateDir = temporaryFolder();
const vendors = await Promise.all(
  VENDORS.map(([name, kind, fault]) =>
    startVendor(kind, (_, { body }) => {
      const asked = JSON.stringify(body);
      if (asked.includes('without all')) return [{ status: 529 }];
      return asked.includes(`without ${name}`) ? fault : WHOLE;
    }),
  ),
);
const providers = VENDORS.map(([name, kind], i) => {
  const own = kind === 'bedrock' ? { region: 'us-east-1' } : { apiKey: 'TEST_VENDOR_KEY' };
  return [name, { kind, model: 'test-model', baseUrl: vendors[i]?.baseUrl, ...own }];
});
process.env.TEST_VENDOR_KEY = 'key-of-the-test';
const configFile = join(stateDir, 'config.json');
const config = {
  stage: 'test',
  providers: Object.fromEntries(providers),
  // Only a stall is waited for. The first call of a function loads its SDK, which takes a busy machine seconds.
  generation: { providerTimeoutSeconds: 120, firstTokenSeconds: 100, stallSeconds: 5 },
  budgets: { anonymous: { usd: 10_000 }, service: { usd: 10_000 } },
  look: { enabled: false },
  canary: { enabled: false },
};
writeFileSync(configFile, JSON.stringify(config));
const [port, backendPort] = [await freePort(), await freePort()];
const running = closeAtEnd(
  await startService({ port, backendPort, stateDir: join(stateDir, 'state'), configFile }, { log: () => {} }),
);
afterAll(() => Promise.all(vendors.map((vendor) => vendor.close())));

/** Generates with a provider first. @returns the response, and each attempt as `provider-a silent 0` */
async function generate(prompt: string, model: string) {
  const caller = newCaller(running.baseUrl);
  const response = await caller.post('/api/v1/generate', { prompt, model });
  const { json } = await caller.send(`/api/v1/generations/${response.headers['x-generation-id']}`);
  const attempts = json.attempts.map(
    ({ provider, outcome, files }: Record<string, unknown>) => `${provider} ${outcome} ${files}`,
  );
  return { response, attempts, text: JSON.stringify(json) };
}

it('the next provider takes over, whatever vendor fails', async () => {
  const all = await Promise.all(VENDORS.map(([name]) => generate(`a page without ${name}`, name)));
  for (const [i, [name, , , outcome]] of VENDORS.entries()) {
    const { response, attempts, text } = all[i] as (typeof all)[number];
    expect(response.status).toBe(200);
    expect(response.json.files.map(({ path }: { path: string }) => path)).toEqual(['second.md']);
    const { model } = response.json;
    expect(attempts).toEqual([`${name} ${outcome} 0`, `${model.split('/')[0]} succeeded 1`]);
    expect(text).not.toContain('key-of-the-test');
  }
});

it('the error names each attempt if all fail', async () => {
  const { response, attempts } = await generate('a page without all', 'provider-a');
  expect([response.status, response.headers['retry-after']]).toEqual([503, '5']);
  const names = VENDORS.map(([name]) => name);
  expect(attempts.toSorted()).toEqual(names.map((name) => `${name} overloaded 0`));
  for (const name of names) expect(response.json.error).toContain(`${name}: `);
});
