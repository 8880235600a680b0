import { main } from '../../../cli/keys.ts';
import type { Main } from '../../../terminal/program.ts';
import { runMain } from '../command.ts';
import { cloud } from './cloud.ts';
import { noteIssued } from './tokens.ts';

/**
 * Runs a command on the suite's cloud, or on that of another state folder, and returns its stdout.
 * @throws Error with the `code`, `stdout` and `stderr` of a command that failed
 */
export async function operate(command: Main, args: readonly string[], stateDir = cloud().stateDir): Promise<string> {
  const { code, stdout, stderr } = await runMain(command, args, { STATE_DIR: stateDir });
  if (code === 0) return stdout;
  throw Object.assign(new Error(`Exit code ${code}: ${stderr}`), { code, stdout, stderr });
}

/** Runs `npm run keys` on the suite's cloud and returns its stdout. */
export const keys = (...args: string[]): Promise<string> => operate(main, args);

/** Creates a key, with the scope for assets unless others are named. */
export const newKey = async (...args: string[]): Promise<string> =>
  noteIssued((await keys('create', '--name', 'suite', '--scopes', 'assets:write', ...args)).trimEnd());
