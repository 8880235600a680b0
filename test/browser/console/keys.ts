import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { SiteCloud } from '../../support/site-cloud.ts';

const run = promisify(execFile);

/** Returns a new API key, made as the operator makes it. */
export async function newKey({ stateDir }: SiteCloud, ...options: string[]): Promise<string> {
  const env = { ...process.env, STATE_DIR: stateDir };
  const { stdout } = await run(process.execPath, ['cli/keys.ts', 'create', '--name', 'console', ...options], {
    env,
  });
  return stdout.trim();
}
