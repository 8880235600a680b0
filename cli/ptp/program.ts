import type { Command } from 'commander';
import pkg from '../../package.json' with { type: 'json' };
import { EXIT, type Judge, type Main, main } from '../../terminal/program.ts';
import { registerAssets, registerLogin, registerProviders, registerUsage } from './commands/account.ts';
import { registerData } from './commands/data.ts';
import {
  registerAccess,
  registerClaim,
  registerDelete,
  registerOpen,
  registerRollback,
  registerZip,
} from './commands/deployments.ts';
import { registerList, registerViews } from './commands/lists.ts';
import {
  registerBuild,
  registerDeploy,
  registerDomains,
  registerGenerate,
  registerLook,
  registerMcp,
} from './commands/projects.ts';
import { registerCompletion } from './completion.ts';
import { type Context, createContext } from './context.ts';

/** In the order of the help. */
const COMMANDS = [
  registerGenerate,
  registerDeploy,
  registerBuild,
  registerList,
  registerOpen,
  registerLook,
  registerAccess,
  registerClaim,
  registerViews,
  registerData,
  registerRollback,
  registerZip,
  registerDomains,
  registerDelete,
  registerProviders,
  registerUsage,
  registerAssets,
  registerMcp,
  registerLogin,
  registerCompletion,
  registerHelp,
];

const FOOTER = `
Environment: PTP_API_KEY, PTP_URL, NO_COLOR. Exit codes: ptp help exit-codes`;

/** Returns the main function of `ptp`. @param signal aborted by Ctrl-C */
export function ptp(signal: AbortSignal): Main {
  return main(
    'ptp',
    (program, io) => {
      program
        .description('Generates projects from prompts and publishes folders at a URL')
        .version(pkg.version, '-V, --version', 'show the version')
        .option('--url <url>', 'base URL of the service')
        .option('--json', 'print the result as one JSON document')
        .option('-q, --quiet', 'print errors only, besides the result')
        .option('--no-color', 'print without colors')
        .addHelpText('after', FOOTER)
        // Also for the libraries that ask questions.
        .on('option:no-color', () => {
          io.env.NO_COLOR = '1';
        });
      const context = createContext(io, () => program.opts(), signal);
      for (const register of COMMANDS) register(program, context);
    },
    judgeOf(signal),
  );
}

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
function registerHelp(program: Command, { stdout }: Context): void {
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

/**
 * Returns the exit codes and advice of errors, by the status of the response if there was one; 0 means that there was
 * none.
 */
export function judgeOf(signal: AbortSignal): Judge {
  return {
    exitCode(error) {
      const status = statusOf(error);
      if (signal.aborted) return EXIT.interrupted;
      if (status === 401 || status === 403) return EXIT.unauthorized;
      if (status === 429) return EXIT.rateLimited;
      return status === 0 || (status ?? 0) >= 500 ? EXIT.unavailable : EXIT.failed;
    },
    advice(error) {
      if (statusOf(error) === 0) return 'Start the service, or name another one with --url';
      const rejected = statusOf(error) === 401 && (error as Error).name === 'ApiError';
      return rejected ? 'Log in again with "ptp login"' : undefined;
    },
  };
}

function statusOf(error: unknown): number | undefined {
  const { status } = Object(error) as { status?: unknown };
  return typeof status === 'number' ? status : undefined;
}
