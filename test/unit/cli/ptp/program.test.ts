import { accessSync, constants } from 'node:fs';
import { Command, Option } from 'commander';
import { completions } from '../../../../cli/ptp/completion.ts';
import { judgeOf, ptp } from '../../../../cli/ptp/program.ts';
import { ApiError } from '../../../../client/client.ts';
import { newKey } from '../../../../lambda/access/api-key.ts';
import { runMain } from '../../../support/command.ts';
import { testRows } from '../../../support/rows.ts';

const main = ptp(new AbortController().signal);

testRows([
  [['lst'], 'Unknown command \'lst\': did you mean list? Run "ptp --help" for help\n'],
  [['list', '--jsn'], 'Unknown option \'--jsn\': did you mean --json? Run "ptp list --help" for help\n'],
  [['assets', 'uplod'], 'Unknown command \'uplod\': did you mean upload? Run "ptp assets --help" for help\n'],
  [['domains', 'ad'], 'Unknown command \'ad\': did you mean add? Run "ptp domains --help" for help\n'],
  [['data', 'a', 'b'], 'Unexpected argument: b. Run "ptp data show --help" for help\n'],
  [['data'], /^Nothing was deployed from .*: add -d with the id of a deployment, as ptp list shows it\. /],
  [['data', 'messages', '--csv', '--json'], /^--csv and --json exclude each other\. /],
  [['data', 'messages', '--limit', '0'], /^Invalid --limit 0: expected a number, 1 or more\. /],
  [['help', 'rolback'], 'Unknown command \'rolback\': did you mean rollback? Run "ptp --help" for help\n'],
  [['logout', 'now'], 'Unexpected argument: now. Run "ptp logout --help" for help\n'],
  [['list', '--limit', '0'], 'Invalid --limit 0: expected a number, 1 or more. Run "ptp list --help" for help\n'],
  [['list', '--url', 'x'], /^Invalid --url "x": expected a base URL such as https:.* Run "ptp list --help" /],
  [
    ['completion', 'tcsh'],
    /^Invalid shell tcsh: expected one of bash, zsh, fish\. Run "ptp completion --help" for help\n$/,
  ],
  [['open', 'nope'], /^"nope" is neither the id of a deployment, nor a URL, nor a folder\. /],
  [
    ['access', 'secret'],
    /^Invalid access secret: expected one of public, password, link\. Run "ptp access --help" for help\n$/,
  ],
  [
    ['deploy', '--access', 'link', '--link-expires', '1y'],
    /^Invalid --link-expires 1y: expected a duration from 1m to 365d, such as 30m, 24h or 7d\. /,
  ],
  [['deploy', '--access', 'all'], /^Invalid --access all: expected one of public, password, link\. Run/],
  [['deploy', '--expires', '0m'], /^Invalid --expires 0m: .*, or never\. /],
  [['deploy', '--expires', '366d'], /^Invalid --expires 366d: /],
  [['deploy', '--password', '-'], /^--password needs --access password\. /],
  [['deploy', '--link-expires', '1d', '--access', 'public'], /^--link-expires needs --access link\. /],
  [['deploy', '--access', 'password', '--password', 'secret'], /^--password takes only "-"/],
  [
    ['deploy', '--access', 'password'],
    /^The password of the page is missing, .*: set PTP_PASSWORD, or add --password - /,
  ],
  [['open'], /^Nothing was deployed from .*: name a deployment, as ptp list shows it\. /],
])('is explained in one line', async (args, message) => {
  const stderr = typeof message === 'string' ? message : expect.stringMatching(message);
  const failed = await runMain(main, args, { XDG_CONFIG_HOME: 'no/such/folder' });
  expect(failed).toEqual({ code: 2, stdout: '', stderr });
  expect(failed.stderr.trimEnd()).not.toContain('\n');
});

it('deletes nothing without --yes where nobody can be asked', async () => {
  const sent: (string | undefined)[] = [];
  const fetched = jest.spyOn(globalThis, 'fetch').mockImplementation(async (_, init) => {
    sent.push(init?.method);
    return Response.json({
      id: 'abcdefghijkl',
      url: 'https://ptp.example/d/abcdefghijkl',
      title: null,
      versions: [],
    });
  });
  const variables = {
    XDG_CONFIG_HOME: 'no/such/folder',
    PTP_URL: 'https://ptp.example',
    PTP_API_KEY: newKey().key,
  };
  const failed = await runMain(main, ['delete', 'abcdefghijkl'], variables);
  fetched.mockRestore();
  expect(failed).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('there is no terminal: add --yes'),
  });
  expect(sent).toEqual(['GET']);
});

const program = new Command('x')
  .configureHelp({ showGlobalOptions: true })
  .option('-u, --url <url>', 'the URL')
  .option('--json', 'as JSON');
program
  .command('make')
  .description('make it')
  .argument('<file>')
  .addOption(new Option('--model <name>').choices(['auto', 'small']))
  .option('--open');
program.command('group').command('inner').description('do it');
program.command('secret', { hidden: true });

testRows([
  ['', 'make group help'],
  ['m', 'make'],
  ['secr', ''],
  ['--json gr', 'group'],
  ['make -', '--model --open --help --url --json'],
  ['make --mo', '--model'],
  ['make --model ', 'auto small'],
  ['make --model s', 'small'],
  ['-u ', ''],
  ['--url group ', 'make group help'],
  ['group ', 'inner help'],
  ['make ', ''],
])('completes commands, options and values', (typed, expected) => {
  expect(
    completions(program, typed.split(' '))
      .map(([word]) => word)
      .join(' '),
  ).toBe(expected);
});

it('offers every command of ptp, with its description', async () => {
  const { stdout: help } = await runMain(ptp(new AbortController().signal), ['--help'], {});
  const { stdout } = await runMain(ptp(new AbortController().signal), ['complete', '--', ''], {});
  const [, commands = ''] = help.split('Commands:\n');
  const shown = commands.split('\n').filter((line) => /^ {2}[a-z]/.test(line));
  expect(stdout.trimEnd().split('\n')).toEqual(
    shown.map((line) => line.trim().replace(/^([a-z]+)(?: [[<].*?[\]>])* +/, '$1\t')),
  );
});

const judge = judgeOf(new AbortController().signal);

testRows([
  [0, 5, 'Start the service, or name another one with --url'],
  [400, 1, undefined],
  [401, 3, 'Log in again with "ptp login"'],
  [403, 3, undefined],
  [404, 1, undefined],
  [429, 4, undefined],
  [500, 5, undefined],
  [503, 5, undefined],
])('gives a response its exit code and advice', (status, code, advice) => {
  const error = new ApiError('x', status, {});
  expect([judge.exitCode(error), judge.advice(error)]).toEqual([code, advice]);
});

testRows([new Error('x'), 'x', undefined])('gives any other error the exit code 1', (error) => {
  expect([judge.exitCode(error), judge.advice(error)]).toEqual([1, undefined]);
});

it('gives every error after Ctrl-C the exit code 130', () => {
  expect(judgeOf(AbortSignal.abort()).exitCode(new Error('aborted'))).toBe(130);
});

it('is a file that npx may execute', () => {
  expect(() => accessSync('bin/ptp.js', constants.X_OK)).not.toThrow();
});
