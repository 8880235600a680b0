import pkg from '../../package.json' with { type: 'json' };
import { type Main, main } from '../../terminal/program.ts';
import { register as access } from './commands/access.ts';
import { register as assets } from './commands/assets.ts';
import { register as build } from './commands/build.ts';
import { register as claim } from './commands/claim.ts';
import { register as completion } from './commands/completion.ts';
import { register as remove } from './commands/delete.ts';
import { register as deploy } from './commands/deploy.ts';
import { register as domains } from './commands/domains.ts';
import { register as generate } from './commands/generate.ts';
import { register as help } from './commands/help.ts';
import { register as list } from './commands/list.ts';
import { register as login } from './commands/login.ts';
import { register as look } from './commands/look.ts';
import { register as mcp } from './commands/mcp.ts';
import { register as open } from './commands/open.ts';
import { register as providers } from './commands/providers.ts';
import { register as rollback } from './commands/rollback.ts';
import { register as usage } from './commands/usage.ts';
import { register as views } from './commands/views.ts';
import { register as zip } from './commands/zip.ts';
import { createContext } from './context.ts';
import { judgeOf } from './judge.ts';

/** In the order of the help. */
const COMMANDS = [
  generate,
  deploy,
  build,
  list,
  open,
  look,
  access,
  claim,
  views,
  rollback,
  zip,
  domains,
  remove,
  providers,
  usage,
  assets,
  mcp,
  login,
  completion,
  help,
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
