import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import type { Variant } from './variant.ts';

/** Kills the backend of a variant without a warning; fulfilled once it is gone. */
export async function killBackend({ backendPort }: Variant): Promise<void> {
  const pid = readdirSync('/proc').find(
    (name) =>
      /^\d+$/.test(name) &&
      ofProcess(name, 'cmdline').includes('/local/backend.ts') &&
      ofProcess(name, 'environ').includes(`\0BACKEND_PORT=${backendPort}\0`),
  );
  process.kill(Number(pid), 'SIGKILL');
  while (/^State:\s+[^ZX]/m.test(ofProcess(String(pid), 'status'))) await new Promise(setImmediate);
}

/** Brings the backend back, as `npm run backend` does; fulfilled once it listens. */
export async function startBackend({ backendPort, stateDir }: Variant): Promise<ChildProcess> {
  const env = { ...process.env, STATE_DIR: stateDir, BACKEND_PORT: String(backendPort) };
  const backend = spawn(process.execPath, [`${process.cwd()}/local/backend.ts`], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(backend.stdout, 'data');
  return backend;
}

/** Empty for a process that has ended. */
function ofProcess(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
