import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProvidersConfig } from '../../lambda/contract/providers.ts';
import { type Cloud, runAssembly } from '../../local/cloud.ts';
import { type Assembly, readAssembly } from '../../local/template/template.ts';
import { newCaller } from './client.ts';
import { cloud } from './cloud.ts';
import { freePort } from './free-port.ts';

const scripted = (script: 'hang' | 'block' | 'fail' | 'cut') =>
  ({ kind: 'scripted', script, delayMs: 0 }) as const;

/** The suite's own template with other providers, as their configuration would have made it. */
function withProviders(providers: ProvidersConfig): Assembly {
  const assembly = structuredClone(readAssembly(join(cloud().stateDir, 'cdk.out')));
  for (const { Properties = {} } of Object.values(assembly.template.Resources)) {
    const { Variables } = (Properties.Environment ?? {}) as { Variables?: Record<string, string> };
    if (Variables?.PROVIDERS) Variables.PROVIDERS = JSON.stringify(providers);
    if (Variables?.PROVIDER_NAMES) Variables.PROVIDER_NAMES = JSON.stringify(Object.keys(providers));
  }
  return assembly;
}

describe.each([
  [
    'all fail',
    { 'provider-a': scripted('fail'), 'provider-b': scripted('cut') },
    503,
    'failed',
    ['failed', 'failed'],
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
])('when %s', (_, providers, status, jobStatus, outcomes) => {
  const stateDir = mkdtempSync(join(tmpdir(), 'ptp-providers-'));
  let running: Cloud;

  beforeAll(async () => {
    const settings = { port: await freePort(), backendPort: await freePort(), stateDir, configFile: '' };
    running = await runAssembly(withProviders(providers), settings, () => {});
  }, 30_000);
  afterAll(async () => {
    await running.close();
    rmSync(stateDir, { recursive: true, force: true });
  });

  it(`generate is ${status}, and the job says why`, async () => {
    const caller = newCaller(running.baseUrl);
    const answer = await caller.post('/api/v1/generate', { prompt: 'a page' });
    expect(answer.status).toBe(status);
    expect(Object.keys(answer.json)).toEqual(['error']);
    expect(answer.json.error).toMatch(/provider-a: .*; provider-b: /);
    expect(answer.headers['retry-after']).toBe(status === 503 ? '5' : undefined);

    const id = answer.headers['x-generation-id'];
    const job = await caller.send(`/api/v1/generations/${id}`);
    expect(job).toMatchObject({ status: 200, json: { status: jobStatus } });
    expect(job.json.attempts.map(({ outcome }: { outcome: string }) => outcome)).toEqual(outcomes);
    const result = await caller.send(`/api/v1/generations/${id}/result`);
    expect({ status: result.status, json: result.json }).toEqual({ status, json: answer.json });
  }, 30_000);
});
