import { readFileSync, renameSync, writeFileSync } from 'node:fs';
/* #from10min */
import { keepBefore } from './undo.js';
/* /from10min */

/** The entries of a file; none when there is no file yet. Throws what reading or parsing throws. */
export function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
}

/** Writes beside the file and then renames, so that an interrupted run leaves the old list whole. */
export function write(file, entries) {
  /* #from10min */
  keepBefore(file);
  /* /from10min */
  writeFileSync(`${file}.new`, `${JSON.stringify(entries, null, 2)}\n`);
  renameSync(`${file}.new`, file);
}
