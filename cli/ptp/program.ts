import pkg from '../../package.json' with { type: 'json' };
import { EXIT, type Main, main } from '../program.ts';
import { register as help } from './commands/help.ts';
import { createContext, exitCodeOf } from './context.ts';

/** In the order of the help. */
const COMMANDS = [help];

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
        .addHelpText('after', FOOTER);
      const context = createContext(io, () => program.opts(), signal);
      for (const register of COMMANDS) register(program, context);
    },
    (error) => (signal.aborted ? EXIT.interrupted : exitCodeOf(error)),
  );
}
