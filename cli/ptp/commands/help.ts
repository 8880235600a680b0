import type { Command } from 'commander';
import { EXIT } from '../../../terminal/program.ts';
import type { Context } from '../context.ts';

const EXIT_CODES = [
  [EXIT.ok, 'success'],
  [EXIT.failed, 'failed: the message on stderr says why'],
  [EXIT.usage, 'wrong command line'],
  [EXIT.unauthorized, 'not authorized: no key, a wrong key, or one without the scope'],
  [EXIT.rateLimited, 'rate limit exceeded, also after waiting and retrying'],
  [EXIT.unavailable, 'service unavailable or unreachable'],
  [EXIT.interrupted, 'interrupted with Ctrl-C'],
] as const;

/** `ptp help [command...]`, and the topic `exit-codes`. */
export function register(program: Command, { stdout }: Context): void {
  program
    .command('help')
    .argument('[command...]', 'a command, or exit-codes')
    .description('show the help of a command, or the exit codes')
    .action(async (names: string[]) => {
      if (names.join() === 'exit-codes') {
        for (const [code, meaning] of EXIT_CODES) stdout.write(`${String(code).padStart(3)}  ${meaning}\n`);
        return;
      }
      let command = program;
      for (const name of names) {
        const found = command.commands.find((known) => known.name() === name);
        // Fails as the command itself would, with a suggestion.
        if (!found) return void (await command.parseAsync([name], { from: 'user' }));
        command = found;
      }
      command.outputHelp();
    });
}
