import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { main as keysCommand } from '../../../cli/keys.ts';
import { CANARY_KEY_ID } from '../../../lambda/platform/env.ts';
import { closeAtEnd } from '../../support/at-end.ts';
import { until } from '../../support/cloud/events.ts';
import { operate } from '../../support/cloud/keys.ts';
import { startSiteCloud } from '../../support/site-cloud.ts';

/** The steps that fail without DynamoDB and S3, if the key of the canary is still valid. */
const FAILING = [
  ['api', 'GET /api/v1/providers'],
  ['deploy', 'POST /api/v1/deploy'],
  ['generate', 'POST /api/v1/generate'],
] as const;

/** The JSON lines of the canary. */
const lines: Record<string, unknown>[] = [];

const service = closeAtEnd(
  await startSiteCloud(
    'sites.localhost',
    { canary: { enabled: true } },
    // A period is longer than a run takes on a busy machine.
    { scheduleSeconds: 5, alarmSeconds: 30, log: (line) => collect(line) },
  ),
);

function collect(line: string): void {
  const text = /^ {2}CanaryFunction.*?(\{.*\})/.exec(line)?.[1];
  if (text !== undefined) lines.push(JSON.parse(text));
}

/** Returns the maximum of a metric so far. */
function measured(name: string): number | undefined {
  const metric = { namespace: namespace(), name, dimensions: {} };
  return service.cloudWatch.metrics.statistic(metric, 'Maximum', 0, Date.now());
}

/** The name of the stack. */
function namespace(): string {
  return JSON.parse(readFileSync(join(service.stateDir, 'operator.json'), 'utf8')).stackName;
}

const alarmed = (id: string) =>
  service.cloudWatch.changes.some(({ alarm, state }) => alarm.includes(id) && state === 'ALARM');

/** Returns the lines of the next run, including its result. */
async function nextRun(): Promise<Record<string, unknown>[]> {
  lines.length = 0;
  for (;;) {
    const end = lines.findIndex(({ event }) => event === 'canary');
    if (end !== -1) return lines.slice(0, end + 1);
    await sleep(50);
  }
}

test('a run deploys, reads back, visits and generates, and fails during a fault', async () => {
  const run = await nextRun();
  expect(run.filter(({ event }) => event === 'canary step failed')).toEqual([]);
  expect(run).toMatchObject([{ event: 'canary', failed: [] }]);
  expect(measured('CanaryFailures')).toBe(0);
  expect(measured('CanaryMs')).toBeGreaterThan(0);
  // Not even before the first run.
  expect(alarmed('CanaryFailed')).toBe(false);
  expect(Object.keys(run.at(-1)?.steps ?? {})).toEqual(['key', 'state', 'api', 'deploy', 'read', 'visit', 'generate']);
  const keys = await operate(keysCommand, ['list'], service.stateDir);
  expect(keys).toMatch(new RegExp(`^${CANARY_KEY_ID}\\tcanary\\t.*valid until`, 'm'));

  await service.killBackend();
  // One that began before the fault may fail in part.
  await nextRun();
  const failed = await nextRun();
  expect(measured('CanaryFailures')).toBe(1);
  for (const [step, request] of FAILING)
    expect(failed).toContainEqual(
      expect.objectContaining({
        event: 'canary step failed',
        step,
        expected: expect.stringContaining(`${request} to return 200`),
        found: expect.stringMatching(/^50[23]: .*unreachable/),
        requestId: expect.any(String),
      }),
    );
  await until(async () => alarmed('CanaryFailed') && alarmed('Unhealthy'));
});
