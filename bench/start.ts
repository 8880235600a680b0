import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Figure } from './figure.ts';
import { ratio } from './ratio.ts';

/** Measures `npm start` until it is ready, with the stack of the last start, against a start with `--fresh`. */
export async function startBench(): Promise<Figure[]> {
  const stateDir = mkdtempSync(join(tmpdir(), 'ptp-bench-'));
  try {
    return [
      await ratio(
        'second start / first start',
        { atMost: 0.5 },
        () => start(stateDir),
        () => start(stateDir, '--fresh'),
        { rounds: 3 },
      ),
    ];
  } finally {
    rmSync(stateDir, { recursive: true, force: true });
  }
}

/** Returns the milliseconds until the service is ready, and ends it. */
async function start(stateDir: string, ...args: string[]): Promise<number> {
  const before = performance.now();
  const service = spawn(process.execPath, ['local/start.ts', ...args], {
    env: {
      ...process.env,
      PORT: '3190',
      BACKEND_PORT: '3199',
      STATE_DIR: stateDir,
      CONFIG_FILE: 'config/local.json',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(service, 'exit');
  let ready = Number.NaN;
  for await (const line of createInterface({ input: service.stdout })) {
    if (!line.startsWith('ready ')) continue;
    ready = performance.now() - before;
    service.kill('SIGTERM');
  }
  await exit;
  if (Number.isNaN(ready)) throw new Error('the service ended before it was ready');
  return ready;
}
