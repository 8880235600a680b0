import { Command, Option } from 'commander';
import { completions } from '../../../../cli/ptp/completion.ts';
import { ptp } from '../../../../cli/ptp/program.ts';
import { runMain } from '../../../support/command.ts';
import { testRows } from '../../../support/rows.ts';

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

const words = (...typed: string[]) => completions(program, typed).map(([word]) => word);

testRows([
  [[''], ['make', 'group', 'help']],
  [['m'], ['make']],
  [['secr'], []],
  [['--json', 'gr'], ['group']],
  [
    ['make', '-'],
    ['--model', '--open', '--help', '--url', '--json'],
  ],
  [['make', '--mo'], ['--model']],
  [
    ['make', '--model', ''],
    ['auto', 'small'],
  ],
  [['make', '--model', 's'], ['small']],
  [['-u', ''], []],
  [
    ['--url', 'group', ''],
    ['make', 'group', 'help'],
  ],
  [
    ['group', ''],
    ['inner', 'help'],
  ],
  [['make', ''], []],
])('completes commands, options and values', (typed, expected) => {
  expect(words(...typed)).toEqual(expected);
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
