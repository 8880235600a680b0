import { execFile } from 'node:child_process';

/** What a command prints and its exit code. Its state folder does not exist. */
function run(script: string, ...args: string[]) {
  return new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    const env = { ...process.env, STATE_DIR: 'no/such/folder' };
    execFile(process.execPath, [script, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

it.each([
  ['local/start.ts', 'npm start [-- --fresh]\n'],
  ['local/backend.ts', 'npm run backend\n'],
  ['cli/keys.ts', 'npm run --silent keys -- create'],
  ['cli/takedown.ts', 'npm run takedown -- ID'],
])('%s --help prints the usage and succeeds', async (script, usage) => {
  const { code, stdout, stderr } = await run(script, '--help');
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout.startsWith(usage)).toBe(true);
});

it.each([
  ['local/start.ts', ['--freshh'], 'Unknown option --freshh: the options are --fresh, --help\n\nnpm start'],
  ['local/start.ts', ['fresh'], 'Unexpected argument: fresh\n\nnpm start'],
  ['local/backend.ts', ['-x'], 'Unknown option -x: the options are --help\n\nnpm run backend'],
  ['local/backend.ts', ['now'], 'Unexpected argument: now\n\nnpm run backend'],
  ['local/backend.ts', [], 'account.json cannot be read: run npm start first'],
  [
    'cli/takedown.ts',
    ['abc', '--reaso', 'Spam'],
    'Unknown option --reaso: the options are --reason, --undo, --stack, --help\n\nnpm run takedown',
  ],
  ['cli/takedown.ts', ['abc', '--reason'], "Option '--reason <value>' argument missing\n\nnpm run takedown"],
  ['cli/keys.ts', ['list', '--nme'], 'Unknown option --nme: the options are --name, --scopes, '],
  ['cli/keys.ts', ['list', '--stack'], "Option '--stack <value>' argument missing\n\nnpm run"],
])('%s %j fails with an explanation on stderr', async (script, args, message) => {
  const { code, stdout, stderr } = await run(script, ...args);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain(message);
  expect(stderr).not.toMatch(/^ +at /m);
});
