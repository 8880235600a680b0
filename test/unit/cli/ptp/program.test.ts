import { ptp } from '../../../../cli/ptp/program.ts';
import { runMain } from '../../../support/command.ts';
import { testRows } from '../../../support/rows.ts';

const main = ptp(new AbortController().signal);

testRows([
  [['lst'], 'Unknown command \'lst\': did you mean list? Run "ptp --help" for help\n'],
  [['list', '--jsn'], 'Unknown option \'--jsn\': did you mean --json? Run "ptp list --help" for help\n'],
  [['assets', 'uplod'], 'Unknown command \'uplod\': did you mean upload? Run "ptp assets --help" for help\n'],
  [['domains', 'ad'], 'Unknown command \'ad\': did you mean add? Run "ptp domains --help" for help\n'],
  [['data', 'a', 'b'], 'Unexpected argument: b. Run "ptp data --help" for help\n'],
  [['data', 'messages', '--csv', '--json'], /^--csv and --json exclude each other\. /],
  [['data', 'messages', '--limit', '0'], /^Invalid --limit 0: expected a number, 1 or more\. /],
  [['help', 'rolback'], 'Unknown command \'rolback\': did you mean rollback? Run "ptp --help" for help\n'],
  [['logout', 'now'], 'Unexpected argument: now. Run "ptp logout --help" for help\n'],
  [
    ['list', '--limit', '0'],
    'Invalid --limit 0: expected a number, 1 or more. Run "ptp list --help" for help\n',
  ],
  [['list', '--url', 'x'], /^Invalid --url "x": expected a base URL such as https:.* Run "ptp list --help" /],
  [['completion', 'tcsh'], /Allowed choices are bash, zsh, fish\. Run "ptp completion --help" for help\n$/],
  [['open', 'nope'], /^"nope" is neither the id of a deployment, nor a URL, nor a folder\. /],
  [['access', 'secret'], /Allowed choices are public, password, link\. Run "ptp access --help" for help\n$/],
  [
    ['deploy', '--access', 'link', '--link-expires', '1y'],
    /^Invalid --link-expires 1y: expected a duration from 1m to 365d, such as 30m, 24h or 7d\. /,
  ],
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
