import { setTimeout } from 'node:timers/promises';
import { newCaller } from '../../support/cloud/client.ts';
import { openEvents, until } from '../../support/cloud/events.ts';
import { NO_RATE_LIMIT, startVariant, type Variant } from '../../support/cloud/variant.ts';
import { type Step, startVendor, type Vendor } from '../../support/vendors/index.ts';

const PATHS = Array.from({ length: 20 }, (_, i) => `page-${String(i).padStart(2, '0')}.md`);
/** A script that takes about a second to write twenty files. */
const SLOW: Step[] = [
  ...PATHS.flatMap((path): Step[] => [
    { text: `<file path="${path}">\nThis is ${path}.\n</file>\n` },
    { wait: 50 },
  ]),
  { text: '<done/>\n' },
  { finish: 'complete' },
];

describe('an outage of the storage during a generation', () => {
  let vendor: Vendor;
  let running: Variant;

  beforeAll(async () => {
    vendor = await startVendor('openai-compatible', SLOW);
    const provider = { kind: 'openai-compatible', model: 'm', baseUrl: vendor.baseUrl };
    running = await startVariant({
      ...NO_RATE_LIMIT,
      PROVIDERS: { 'provider-a': provider },
      DEADLINES: { providerTimeoutSeconds: 30, firstTokenSeconds: 10, stallSeconds: 10 },
    });
  });
  afterAll(async () => {
    await running?.close();
    await vendor.close();
  });

  /** Kills the backend once the provider is called, and restarts it after `ms`. */
  const outage = async (ms: number) => {
    const before = vendor.requests.length;
    await until(async () => vendor.requests.length > before);
    await running.killBackend();
    await setTimeout(ms);
    await running.startBackend();
  };

  it.each([0, 1_500])('of %i ms does not affect the files and id that a waiting caller gets', async (ms) => {
    const before = vendor.requests.length;
    const caller = newCaller(running.baseUrl);
    const [answer] = await Promise.all([caller.post('/api/v1/generate', { prompt: 'a page' }), outage(ms)]);
    expect(answer).toMatchObject({
      status: 200,
      headers: { 'x-generation-id': expect.any(String), 'x-generation-status': 'succeeded' },
    });
    expect(answer.json.files.map(({ path }: { path: string }) => path)).toEqual(PATHS);
    // One attempt: the provider was not paid twice.
    expect(vendor.requests.length - before).toBe(1);
  });

  it('does not interrupt an event stream', async () => {
    const url = new URL('/api/v1/generate', running.baseUrl);
    const { address } = newCaller(running.baseUrl);
    const sent = { method: 'POST', body: { prompt: 'a page' }, localAddress: address };
    const [source] = await Promise.all([openEvents(url, sent), outage(500)]);
    await source.ended;
    const files = source.events.filter(({ event }) => event === 'file');
    expect(files.map(({ data }) => data.path)).toEqual(PATHS);
    expect(source.events.at(-1)?.event).toBe('done');
  });
});
