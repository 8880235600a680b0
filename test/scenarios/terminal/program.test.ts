import { execFile } from 'node:child_process';
import { main as command, InterruptedError } from '../../../terminal/program.ts';
import { runMain } from '../../support/command.ts';

const KEY = `ptp_abcdefghijkl_${'0'.repeat(48)}_12345678`;
const VARIABLES = { STATE_DIR: 'no/such/folder' };

/** Runs a script in its own process. Returns its exit code and its output. */
function run(script: string, ...args: string[]) {
  return new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    const env = { ...process.env, ...VARIABLES };
    execFile(process.execPath, [script, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

it.each([
  ['local/start.ts', 'Usage: npm start -- [options]\n'],
  ['local/backend.ts', 'Usage: npm run backend -- [options]\n'],
  ['cli/keys.ts', 'Usage: npm run keys -- [options] [command]\n'],
  ['cli/takedown.ts', 'Usage: npm run takedown -- [options] [id]\n'],
  ['cli/smoke.ts', 'Usage: npm run smoke -- [options]\n'],
])('%s --help prints the usage and succeeds', async (script, usage) => {
  const { code, stdout, stderr } = await run(script, '--help');
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout.startsWith(usage)).toBe(true);
});

const HELP = (name: string) => `Run "${name} --help" for help\n`;

it.each([
  ['local/start.ts', ['--freshh'], 2, `Unknown option '--freshh': did you mean --fresh? ${HELP('npm start --')}`],
  ['local/start.ts', ['fresh'], 2, `Unexpected argument: fresh. ${HELP('npm start --')}`],
  ['local/backend.ts', ['-x'], 2, `Unknown option '-x'. ${HELP('npm run backend --')}`],
  ['local/backend.ts', [], 1, /^Cannot read .*account\.json: run npm start first.*\n$/],
  ['cli/keys.ts', ['list'], 1, /^\S*no\/such\/folder has no local service: run npm start first.*\n$/],
])('%s %j fails with one line on stderr', async (script, args, code, message) => {
  const expected = typeof message === 'string' ? message : expect.stringMatching(message);
  expect(await run(script, ...args)).toEqual({ code, stdout: '', stderr: expected });
});

it('prints an error of several lines as one, without the secret of a key', async () => {
  const failing = command('x', (program) => {
    program.action(() => {
      throw new Error(`First\n  second of ${KEY}`);
    });
  });
  expect(await runMain(failing, [], {})).toEqual({
    code: 1,
    stdout: '',
    stderr: 'First second of abcdefghijkl\n',
  });
});

it('prints nothing when the user interrupts a question', async () => {
  const interrupted = command('x', (program) => {
    program.action(() => {
      throw new InterruptedError();
    });
  });
  expect(await runMain(interrupted, [], {})).toEqual({ code: 130, stdout: '', stderr: '' });
});
