import { spawn } from 'node:child_process';
import { createWriteStream, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CLOUD, type CloudUnderTest } from './cloud.ts';
import { freePort } from './free-port.ts';

declare global {
  var stopCloud: () => Promise<void>;
}

/** Starts the service as `npm start` does, once for the whole suite, on free ports and with a state of its own. */
export default async function startCloud(): Promise<void> {
  const stateDir = mkdtempSync(join(tmpdir(), 'ptp-integration-'));
  const [port, backendPort] = [await freePort(), await freePort()];
  const log = join(stateDir, 'service.log');
  const service = spawn(process.execPath, ['local/start.ts'], {
    env: {
      ...process.env,
      PORT: String(port),
      BACKEND_PORT: String(backendPort),
      STATE_DIR: stateDir,
      CONFIG_FILE: 'test/integration/config.json',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const file = createWriteStream(log);
  service.stdout.pipe(file, { end: false });
  service.stderr.pipe(file, { end: false });
  let output = '';
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk;
      if (/^ready http/m.test(output)) resolve();
    };
    service.stdout.on('data', read);
    service.stderr.on('data', read);
    service.once('exit', (code) => reject(new Error(`The service ended with ${code}:\n${output}`)));
  });
  const cloud: CloudUnderTest = { baseUrl: `http://localhost:${port}`, backendPort, stateDir, log };
  process.env[CLOUD] = JSON.stringify(cloud);
  globalThis.stopCloud = () =>
    new Promise((resolve) => {
      service.removeAllListeners('exit');
      service.once('exit', () => resolve());
      service.kill('SIGTERM');
    });
}
