import { execFileSync, spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../support/free-port.ts';
import { CLOUD, type CloudUnderTest } from './cloud.ts';

declare global {
  var stopCloud: () => Promise<void>;
}

/**
 * Starts the service like `npm start`, once for the whole suite, on free ports and with its own state. Does not
 * wait for it: unit tests need no cloud, and `wait-for-cloud.ts` waits for the others.
 */
export default async function startCloud(): Promise<void> {
  const stateDir = mkdtempSync(join(tmpdir(), 'ptp-integration-'));
  const [port, backendPort] = [await freePort(), await freePort()];
  const log = join(stateDir, 'service.log');
  const output = openSync(log, 'a');
  const service = spawn(process.execPath, ['local/start.ts'], {
    env: {
      ...process.env,
      PORT: String(port),
      BACKEND_PORT: String(backendPort),
      STATE_DIR: stateDir,
      CONFIG_FILE: 'test/integration/config.json',
    },
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  const pid = service.pid ?? 0;
  const cloud: CloudUnderTest = { baseUrl: `http://localhost:${port}`, backendPort, stateDir, log, pid };
  process.env[CLOUD] = JSON.stringify(cloud);
  for (const build of ['bin/build-ptp.js', 'bin/build-client.js']) execFileSync(process.execPath, [build]);
  globalThis.stopCloud = () =>
    new Promise((resolve) => {
      if (service.exitCode !== null) return resolve();
      service.once('exit', () => resolve());
      service.kill('SIGTERM');
    });
}
