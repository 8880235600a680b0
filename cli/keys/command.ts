import type { Command } from 'commander';
import { main as command, EXIT_CODES_OF_OPERATORS } from '../../terminal/program.ts';
import { addStageOption } from '../stage.ts';
import { create, list, revoke, rotate, usage, webhookSecret } from './actions.ts';
import { type KeyAction, SCOPES } from './arguments.ts';

const NOTES = `
create and rotate print the new key, and nothing else, on stdout. Without
--silent, npm adds lines of its own:
  npm run --silent keys -- create --name ci --scopes ${SCOPES.join(',')}

A revoked key cannot be restored. <id> can also be the key itself.

${EXIT_CODES_OF_OPERATORS}`;

/** `npm run keys` */
export const main = command('npm run keys --', (program, io) => {
  const subcommand = (name: string, description: string, perform: KeyAction): Command =>
    program
      .command(name)
      .description(description)
      .action((...args) => {
        const own = args.at(-1) as Command;
        return perform(own.optsWithGlobals(), own.args[0], io);
      });
  addStageOption(program).description('Manages the API keys of a service').addHelpText('after', NOTES);
  subcommand('create', 'create a key', create)
    .option('--name <name>', 'the name of the key in list')
    .option('--scopes <scopes>', `of: ${SCOPES.join(', ')}`)
    .option('--limit <requests>', 'requests per rate limit window')
    .option(
      '--budget <amount>',
      'what its generations may cost a day (UTC): US dollars, or such as 2000000tokens',
    )
    .option('--expires <when>', 'after a duration such as 90d, or at the end of a day such as 2027-01-31');
  subcommand('list', 'list all keys', list);
  subcommand('revoke', 'revoke a key', revoke).argument('<id>');
  subcommand(
    'rotate',
    'replace a key with one of the same owner, name, scopes, limit, budget and lifetime',
    rotate,
  )
    .argument('<id>')
    .option('--grace <duration>', 'how long the old key keeps working (default: 24h)');
  subcommand('usage', 'count the calls of a key and of the keys of its rotations', usage)
    .argument('<id>')
    .option('--from <day>', 'such as 2026-11-01, in UTC (default: 29 days before --to)')
    .option('--to <day>', 'inclusive (default: today)');
  subcommand(
    'webhook-secret',
    'print the secret that signs the webhooks of a key and its rotations',
    webhookSecret,
  )
    .argument('<id>')
    .option('--rotate', 'replace the secret')
    .option('--grace <duration>', 'how long the replaced secret also signs (default: 24h)');
});
