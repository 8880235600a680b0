import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { cloud } from './cloud.ts';

// No cloud that the test file starts needs a browser, even where a configuration does not say so.
process.env.PTP_CHROMIUM = 'none';

/** Waits until the suite's cloud is ready, before each test file is loaded. */
const { log, pid } = cloud();
for (;;) {
  const output = readFileSync(log, 'utf8');
  if (/^ready http/m.test(output)) break;
  if (!isAlive(pid)) throw new Error(`The service ended before it was ready:\n${output}`);
  await setTimeout(100);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
