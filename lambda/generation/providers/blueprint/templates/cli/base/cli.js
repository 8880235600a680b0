#!/usr/bin/env node
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { COMMANDS, Failure, help } from './src/commands.js';
import { name } from './src/config.js';

const OPTIONS = {
  all: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
  file: { type: 'string', default: join(homedir(), `.${name}.json`) },
};

/** Runs one command line; the answer is the exit status. */
function run(args) {
  let parsed;
  try {
    parsed = parseArgs({ args, options: OPTIONS, allowPositionals: true });
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
    for (const line of command(rest, parsed.values)) console.log(line);
    return 0;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    console.error(error.message);
    return error.status;
  }
}

process.exitCode = run(process.argv.slice(2));
