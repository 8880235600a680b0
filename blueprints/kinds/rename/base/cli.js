#!/usr/bin/env node
/* #from10min */
import { readFileSync } from 'node:fs';
/* /from10min */
import { parseArgs } from 'node:util';
/* #from10min */
import { parseCsv } from './src/csv.js';
/* /from10min */
import { apply, list, undo } from './src/files.js';
import { Failure, plan } from './src/plan.js';

const OPTIONS = {
  replace: { type: 'string', multiple: true },
  with: { type: 'string', default: '' },
  regex: { type: 'boolean', default: false },
  to: { type: 'string' },
  case: { type: 'string' },
  only: { type: 'string' },
  /* #from10min */
  table: { type: 'string' },
  /* /from10min */
  apply: { type: 'boolean', default: false },
  undo: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
};
const HELP = '{{help}}';

/** Runs one command line, prints the changes, and returns the exit status. */
function run(args) {
  const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
  const [folder = '.'] = positionals;
  const asksForChange =
    /* #from10min */
    values.table ||
    /* /from10min */
    values.replace || values.to || values.case;
  if (values.help || !(asksForChange || values.undo)) {
    console.log(HELP);
    return values.help ? 0 : 2;
  }
  if (positionals.length > 1) throw new Failure('Write one folder. Quote a pattern or a name with spaces.');
  const show = (changes) => changes.forEach(({ from, to }) => console.log(`${from} → ${to}`));
  if (values.undo) {
    show(undo(folder));
    return 0;
  }
  /* #from10min */
  const table = values.table && new Map(parseCsv(readFileSync(values.table, 'utf8')));
  /* /from10min */
  const changes = plan(list(folder), {
    ...values,
    /* #from10min */
    table,
    /* /from10min */
  });
  show(changes);
  if (values.apply) apply(folder, changes);
  console.log(values.apply ? `Renamed ${changes.length}. Revert with --undo.` : `${changes.length} to rename. Nothing is changed without --apply.`);
  return 0;
}

try {
  process.exitCode = run(process.argv.slice(2));
} catch (error) {
  // The person at the keyboard can fix these: a wrong option, a conflict, a folder that does not exist.
  const isKnown = error instanceof Failure || error.syscall || error.code?.startsWith('ERR_PARSE_ARGS');
  if (!isKnown) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
