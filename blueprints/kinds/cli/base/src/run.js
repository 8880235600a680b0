import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { COMMANDS, help } from './commands.js';
import { name } from './config.js';
import { Failure } from './entries.js';
/* #from10min */
import { readSettings } from './settings.js';
/* /from10min */

const OPTIONS = {
  all: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
  file: { type: 'string', default: join(homedir(), `.${name}.json`) },
  /* #from10min */
  config: { type: 'string', default: join(homedir(), `.${name}rc.json`) },
  /* /from10min */
};

/** Runs one command line, prints with `log` and `error`, and returns the exit status. */
export function run(args, { log, error }) {
  let parsed;
  try {
    parsed = parseArgs({
      args,
      options: OPTIONS,
      allowPositionals: true,
      /* #from10min */
      tokens: true,
      /* /from10min */
    });
  } catch (failure) {
    error(`${failure.message}\n\n${help()}`);
    return 2;
  }
  const [word = 'help', ...rest] = parsed.positionals;
  const command = parsed.values.help ? COMMANDS.help : Object.hasOwn(COMMANDS, word) && COMMANDS[word];
  if (!command) {
    error(`There is no command “${word}”.\n\n${help()}`);
    return 2;
  }
  try {
    /* #from10min */
    const given = new Set(parsed.tokens.map((token) => token.name));
    Object.assign(parsed.values, readSettings(parsed.values.config, given));
    /* /from10min */
    for (const line of command(rest, parsed.values)) log(line);
    return 0;
  } catch (failure) {
    // The person at the keyboard can also fix an error of the system, such as a folder that does not exist.
    if (!(failure instanceof Failure) && !failure.syscall) throw failure;
    error(failure.message);
    return failure.status ?? 1;
  }
}
