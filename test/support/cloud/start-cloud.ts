import { execFileSync, spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';
import { startRegistry } from '../registry.ts';
import { CLOUDS, type CloudUnderTest, clouds, DEFAULT_CONFIG } from './cloud.ts';

declare global {
  var stopClouds: (() => Promise<void>)[] | undefined;
}

/**
 * Returns a global setup that starts the service like `npm start`, once for the whole suite, on free ports and with its own
 * state. It does not wait for the service: unit tests need no cloud, and `wait-for-cloud.ts` waits for the others.
 */
export const startCloud = (configFile: string) => async (): Promise<void> => {
  const stateDir = mkdtempSync(join(tmpdir(), 'ptp-integration-'));
  // For this cloud, and for those that tests start: no test needs a network.
  const registry = await startRegistry();
  process.env.npm_config_registry = registry.url;
  const [port, backendPort] = [await freePort(), await freePort()];
  // Before a service synthesizes the stack, which fails if a source changes meanwhile.
  if (Object.keys(clouds()).length === 0) execFileSync(process.execPath, ['bin/prepare.ts']);
  const log = join(stateDir, 'service.log');
  const output = openSync(log, 'a');
  const service = spawn(process.execPath, ['local/start.ts'], {
    env: {
      ...process.env,
      PORT: String(port),
      BACKEND_PORT: String(backendPort),
      STATE_DIR: stateDir,
      CONFIG_FILE: configFile,
      PTP_CHROMIUM: 'none',
    },
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  const pid = service.pid ?? 0;
  const cloud: CloudUnderTest = { baseUrl: `http://localhost:${port}`, backendPort, stateDir, log, pid };
  process.env[CLOUDS] = JSON.stringify({ ...clouds(), [configFile]: cloud });
  const stop = () =>
    new Promise<void>((resolve) => {
      if (service.exitCode !== null) return resolve();
      service.once('exit', () => resolve());
      service.kill('SIGTERM');
    });
  globalThis.stopClouds = [...(globalThis.stopClouds ?? []), () => stop().then(() => registry.close())];
};

export default startCloud(DEFAULT_CONFIG);
