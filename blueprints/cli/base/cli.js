#!/usr/bin/env node
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { COMMANDS, help } from './src/commands.js';
import { name } from './src/config.js';
import { Failure } from './src/entries.js';
/* #from10min */
import { readSettings } from './src/settings.js';
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

/** Runs one command line; the answer is the exit status. */
function run(args) {
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
  } catch (error) {
    console.error(`${error.message}\n\n${help()}`);
    return 2;
  }
  const [word = 'help', ...rest] = parsed.positionals;
  const command = parsed.values.help ? COMMANDS.help : Object.hasOwn(COMMANDS, word) && COMMANDS[word];
  if (!command) {
    console.error(`There is no command “${word}”.\n\n${help()}`);
    return 2;
  }
  try {
    /* #from10min */
    const given = new Set(parsed.tokens.map((token) => token.name));
    Object.assign(parsed.values, readSettings(parsed.values.config, given));
    /* /from10min */
    for (const line of command(rest, parsed.values)) console.log(line);
    return 0;
  } catch (error) {
    // What the system refuses, such as a folder that is not there, can be mended at the keyboard too.
    if (!(error instanceof Failure) && !error.syscall) throw error;
    console.error(error.message);
    return error.status ?? 1;
  }
}

process.exitCode = run(process.argv.slice(2));
