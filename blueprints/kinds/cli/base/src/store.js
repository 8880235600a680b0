import { readFileSync, renameSync, writeFileSync } from 'node:fs';
/* #from10min */
import { keepBefore } from './undo.js';
/* /from10min */

/** Reads the entries of a file; there are none when the file does not exist. Throws other errors of reading and parsing. */
export function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
}

/** Writes a new file and renames it into place, so that an interrupted run never truncates the list. */
export function write(file, entries) {
  /* #from10min */
  keepBefore(file);
  /* /from10min */
  writeFileSync(`${file}.new`, `${JSON.stringify(entries, null, 2)}\n`);
  renameSync(`${file}.new`, file);
}
