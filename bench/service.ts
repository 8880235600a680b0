import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '../local/service.ts';

const MANY = 1_000_000;

/** Benches send in a minute what a person sends in a day. */
const NO_LIMITS = {
  rateLimit: { anonymous: MANY, reads: MANY, zips: MANY },
  bytesPerDay: { anonymous: MANY * MANY, anonymousTogether: MANY * MANY },
  generation: { running: { anonymous: 1_000, service: 1_000 } },
  throttle: {
    rate: MANY,
    burst: 5_000,
    generateRate: MANY,
    generateBurst: 5_000,
    deployRate: MANY,
    deployBurst: 5_000,
  },
};

/** Starts the local service with a new state folder, which `close` deletes. @param config besides the defaults of benchmarks */
export async function startBenchService(config: object = {}, port = 3190) {
  const stateDir = mkdtempSync(join(tmpdir(), 'ptp-bench-'));
  const cloud = await startService(
    // Schedules of the stack run when nothing is measured any more.
    { port, backendPort: port + 9, stateDir, configFile: '', scheduleSeconds: 86_400 },
    {
      log: () => {},
      config: {
        stage: 'test',
        look: { enabled: false },
        canary: { enabled: false },
        ...NO_LIMITS,
        ...config,
      },
    },
  );
  return {
    baseUrl: cloud.baseUrl,
    stateDir,
    close: async () => {
      await cloud.close();
      rmSync(stateDir, { recursive: true, force: true });
    },
  };
}
