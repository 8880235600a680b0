import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { cloud } from './cloud.ts';
import { noteIssued } from './tokens.ts';

const run = promisify(execFile);

/** The keys command as an operator types it, on the suite's cloud; what it prints on stdout. */
export async function keys(...args: string[]): Promise<string> {
  const { stdout } = await run(process.execPath, ['cli/keys.ts', ...args], {
    env: { ...process.env, STATE_DIR: cloud().stateDir },
  });
  return stdout;
}

/** A new key, with the scope for assets unless others are named. */
export const newKey = async (...args: string[]): Promise<string> =>
  noteIssued((await keys('create', '--name', 'suite', '--scopes', 'assets:write', ...args)).trimEnd());
