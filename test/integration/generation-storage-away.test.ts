import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BackendProcess } from '../../local/backend-process.ts';
import type { Cloud } from '../../local/cloud/cloud.ts';
import { startService } from '../../local/service.ts';
import { type Step, startVendor, type Vendor } from '../support/vendors/index.ts';
import { newCaller } from './client.ts';
import { openEvents, until } from './events.ts';
import { freePort } from './free-port.ts';

const PATHS = Array.from({ length: 20 }, (_, i) => `page-${String(i).padStart(2, '0')}.md`);
/** A provider that takes about two seconds for twenty files. */
const SLOW: Step[] = [
  ...PATHS.flatMap((path): Step[] => [
    { text: `<file path="${path}">\nThis is ${path}.\n</file>\n` },
    { wait: 100 },
  ]),
  { text: '<done/>\n' },
  { finish: 'complete' },
];

describe('when the storage goes away during a generation', () => {
  const stateDir = mkdtempSync(join(tmpdir(), 'ptp-away-'));
  let vendor: Vendor;
  let cloud: Cloud;
  let restart: () => Promise<void>;
  const restarted: BackendProcess[] = [];

  beforeAll(async () => {
    vendor = await startVendor('openai-compatible', SLOW);
    const configFile = join(stateDir, 'config.json');
    const provider = { kind: 'openai-compatible', model: 'm', baseUrl: vendor.baseUrl };
    writeFileSync(configFile, JSON.stringify({ stage: 'test', providers: { 'provider-a': provider } }));
    const settings = {
      port: await freePort(),
      backendPort: await freePort(),
      stateDir: join(stateDir, 'state'),
      configFile,
    };
    cloud = await startService(settings, { log: () => {} });
    restart = async () => void restarted.push(await BackendProcess.start(settings, 'us-east-1', () => {}));
  });
  afterAll(async () => {
    await Promise.all(restarted.map((backend) => backend.stop()));
    await cloud?.close();
    await vendor.close();
    rmSync(stateDir, { recursive: true, force: true });
  });

  /** Ends the backend once the provider has written for a while, and brings it back after `ms`. */
  const outage = async (ms: number) => {
    const asked = vendor.requests.length;
    await until(async () => vendor.requests.length > asked);
    await new Promise((resolve) => setTimeout(resolve, 500));
    await (restarted.at(-1)?.kill() ?? cloud.killBackend());
    await new Promise((resolve) => setTimeout(resolve, ms));
    await restart();
  };

  it.each([0, 2_000])('for %i ms, the caller that waits gets every file and the id', async (ms) => {
    const before = vendor.requests.length;
    const caller = newCaller(cloud.baseUrl);
    const [answer] = await Promise.all([caller.post('/api/v1/generate', { prompt: 'a page' }), outage(ms)]);
    expect(answer).toMatchObject({
      status: 200,
      headers: { 'x-generation-id': expect.any(String), 'x-generation-status': 'succeeded' },
    });
    expect(answer.json.files.map(({ path }: { path: string }) => path)).toEqual(PATHS);
    // One attempt: the provider was not paid twice.
    expect(vendor.requests.length - before).toBe(1);
  });

  it('an event stream goes on to its end', async () => {
    const url = new URL('/api/v1/generate', cloud.baseUrl);
    const { address } = newCaller(cloud.baseUrl);
    const sent = { method: 'POST', body: { prompt: 'a page' }, localAddress: address };
    const [source] = await Promise.all([openEvents(url, sent), outage(500)]);
    await source.ended;
    const files = source.events.filter(({ event }) => event === 'file');
    expect(files.map(({ data }) => data.path)).toEqual(PATHS);
    expect(source.events.at(-1)?.event).toBe('done');
  });
});
