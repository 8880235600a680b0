import { execFile } from 'node:child_process';
import type { Main } from '../../../cli/command.ts';
import { main as keys } from '../../../cli/keys-command.ts';
import { main as smoke } from '../../../cli/smoke-command.ts';
import { main as takedown } from '../../../cli/takedown-command.ts';
import { runMain } from '../../support/command.ts';

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

function expectFailure({ code, stdout, stderr }: Awaited<ReturnType<typeof run>>, message: string) {
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain(message);
  expect(stderr).not.toMatch(/^ +at /m);
}

it.each([
  ['local/start.ts', 'npm start [-- [--fresh] [--no-discovery]]\n'],
  ['local/backend.ts', 'npm run backend\n'],
  ['cli/keys.ts', 'npm run --silent keys -- create'],
  ['cli/takedown.ts', 'npm run takedown -- ID'],
  ['cli/smoke.ts', 'npm run smoke -- --url URL'],
])('%s --help prints the usage and succeeds', async (script, usage) => {
  const { code, stdout, stderr } = await run(script, '--help');
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout.startsWith(usage)).toBe(true);
});

it.each([
  [
    'local/start.ts',
    ['--freshh'],
    'Unknown option --freshh: the options are --fresh, --no-discovery, --help\n\nnpm start',
  ],
  ['local/start.ts', ['fresh'], 'Unexpected argument: fresh\n\nnpm start'],
  ['local/backend.ts', ['-x'], 'Unknown option -x: the options are --help\n\nnpm run backend'],
  ['local/backend.ts', ['now'], 'Unexpected argument: now\n\nnpm run backend'],
  ['local/backend.ts', [], 'account.json: run npm start first'],
  ['cli/keys.ts', ['list'], 'no/such/folder has no local service: run npm start first'],
])('%s %j fails with an explanation on stderr', async (script, args, message) => {
  expectFailure(await run(script, ...args), message);
});

it.each<[string, Main, string[], string]>([
  [
    'takedown',
    takedown,
    ['abc', '--reaso', 'Spam'],
    'Unknown option --reaso: the options are --reason, --undo, --stack, --help\n\nnpm run takedown',
  ],
  [
    'takedown',
    takedown,
    ['abc', '--reason'],
    "Option '--reason <value>' argument missing\n\nnpm run takedown",
  ],
  ['takedown', takedown, ['abc'], 'no/such/folder has no local service: run npm start first'],
  ['keys', keys, ['list', '--nme'], 'Unknown option --nme: the options are --name, --scopes, '],
  ['keys', keys, ['list', '--stack'], "Option '--stack <value>' argument missing\n\nnpm run"],
])('npm run %s %j fails with an explanation on stderr', async (_, main, args, message) => {
  expectFailure(await runMain(main, args, VARIABLES), message);
});

it.each([
  ['keys', keys],
  ['takedown', takedown],
  ['smoke', smoke],
])('npm run %s prints the same usage for -h and --help', async (_, main) => {
  const [short, long] = [await runMain(main, ['-h'], VARIABLES), await runMain(main, ['--help'], VARIABLES)];
  expect(short).toEqual({ ...long, code: 0, stderr: '' });
});
