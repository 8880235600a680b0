import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Figure } from './figure.ts';
import { ratio } from './ratio.ts';

/**
 * Measures `npm start` until it is ready: again, and with a new state folder. Both use the stack of an earlier start, and the
 * baseline synthesizes one.
 */
export async function startBench(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'ptp-bench-'));
  const config = 'config/local.json';
  const stateDir = join(folder, 'state');
  let starts = 0;
  const newState = () => start({ stateDir: join(folder, `state-${starts++}`), config });
  const firstStart = () => {
    const own = join(folder, 'config.json');
    // Not the configuration of any other start.
    writeFileSync(own, JSON.stringify({ stage: `b${Date.now().toString(36)}` }));
    return start({ stateDir: join(folder, `state-${starts++}`), config: own });
  };
  try {
    await start({ stateDir, config });
    const again = () => start({ stateDir, config });
    return [
      await ratio('second start / first start', { atMost: 0.5 }, again, firstStart, { rounds: 3 }),
      await ratio('start with new state / first start', { atMost: 0.5 }, newState, firstStart, { rounds: 3 }),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Start {
  readonly stateDir: string;
  readonly config: string;
}

/** Returns the milliseconds until the service is ready, and ends it. */
async function start({ stateDir, config }: Start): Promise<number> {
  const before = performance.now();
  const service = spawn(process.execPath, ['local/start.ts'], {
    env: {
      ...process.env,
      PORT: '3190',
      BACKEND_PORT: '3199',
      STATE_DIR: stateDir,
      CONFIG_FILE: config,
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
