import { setTimeout as sleep } from 'node:timers/promises';
import { main as keysCommand } from '../../cli/keys-command.ts';
import { CANARY_KEY_ID } from '../../lambda/platform/env.ts';
import { type SiteCloud, startSiteCloud } from '../support/site-cloud.ts';
import { operate } from './keys.ts';

/** The JSON lines that the canary has written. */
const lines: Record<string, unknown>[] = [];
let service: SiteCloud;

beforeAll(async () => {
  service = await startSiteCloud(
    'sites.localhost',
    { canary: { enabled: true } },
    // Longer than a run.
    { scheduleSeconds: 3, log: (line) => collect(line) },
  );
});
afterAll(() => service?.close());

function collect(line: string): void {
  const text = /^ {2}CanaryFunction.*?(\{.*\})/.exec(line)?.[1];
  if (text !== undefined) lines.push(JSON.parse(text));
}

/** Returns the lines of the next run, up to that with its result. */
async function nextRun(): Promise<Record<string, unknown>[]> {
  lines.length = 0;
  for (;;) {
    const end = lines.findIndex(({ event }) => event === 'canary');
    if (end !== -1) return lines.slice(0, end + 1);
    await sleep(50);
  }
}

test('a run publishes, reads back, visits and generates, and a fault makes it fail', async () => {
  const run = await nextRun();
  expect(run.filter(({ event }) => event === 'canary step failed')).toEqual([]);
  expect(run).toMatchObject([
    { CanaryFailures: 0 },
    { CanaryMs: expect.any(Number) },
    { event: 'canary', failed: [] },
  ]);
  expect(Object.keys(run.at(-1)?.steps ?? {})).toEqual([
    'key',
    'state',
    'api',
    'deploy',
    'read',
    'visit',
    'generate',
  ]);
  const keys = await operate(keysCommand, ['list'], service.stateDir);
  expect(keys).toMatch(new RegExp(`^${CANARY_KEY_ID}\\tcanary\\t.*valid until`, 'm'));

  await service.killBackend();
  const failed = await nextRun();
  expect(failed).toContainEqual(expect.objectContaining({ CanaryFailures: 1 }));
  expect(failed).toContainEqual(
    expect.objectContaining({
      event: 'canary step failed',
      step: 'deploy',
      expected: 'POST /api/v1/deploy to return 200 or 201',
      found: expect.stringMatching(/^502: .*unreachable/),
      requestId: expect.any(String),
    }),
  );
});
