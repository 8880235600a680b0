import { readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const FILE =
  /* #from5min */
  process.env.DATA_FILE ??
  /* /from5min */
  fileURLToPath(new URL('../data.json', import.meta.url));

function read() {
  try {
    return JSON.parse(readFileSync(FILE, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
}

let entries = read();
let written = Promise.resolve();

export const all = () => entries;

export const find = (id) => entries.find((entry) => entry.id === id);

/** Replaces the data in memory and then in the file. The file is renamed into place, so a crash never truncates it. */
export function replace(next) {
  entries = next;
  const text = JSON.stringify(entries, null, 2);
  const write = async () => {
    await writeFile(`${FILE}.new`, text);
    await rename(`${FILE}.new`, FILE);
  };
  // Writes never overlap, and a failed one does not stop the next.
  written = written.then(write, write);
  return written;
}
