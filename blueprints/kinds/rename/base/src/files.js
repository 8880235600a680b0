import { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from './plan.js';

const LOG = '.rename-log.json';

/** Lists a folder by name, so that img2 comes before img10. */
export function list(folder) {
  const entries = readdirSync(folder, { withFileTypes: true });
  const files = entries.map((entry) => ({ name: entry.name, isFile: entry.isFile(), modified: statSync(join(folder, entry.name), { throwIfNoEntry: false })?.mtime }));
  return files.sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
}

/** Renames in two steps, so that files can swap their names. After an error, all have their old names. */
function move(folder, changes) {
  const done = [];
  const step = (from, to) => {
    if (existsSync(join(folder, to))) throw new Failure(`${to} exists.`);
    renameSync(join(folder, from), join(folder, to));
    done.push([from, to]);
  };
  try {
    for (const [index, { from }] of changes.entries()) step(from, `.rename-${index}.tmp`);
    for (const [index, { to }] of changes.entries()) step(`.rename-${index}.tmp`, to);
  } catch (error) {
    for (const [from, to] of done.reverse()) renameSync(join(folder, to), join(folder, from));
    throw error;
  }
}

function readLog(folder) {
  const path = join(folder, LOG);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : [];
}
const writeLog = (folder, runs) => writeFileSync(join(folder, LOG), `${JSON.stringify(runs, null, 2)}\n`);

/** Renames files and records the run. */
export function apply(folder, changes) {
  if (changes.length === 0) return;
  const runs = readLog(folder);
  move(folder, changes);
  writeLog(folder, [...runs, changes]);
}

/** Reverts the last recorded run and returns its changes. */
export function undo(folder) {
  const runs = readLog(folder);
  const last = runs.pop();
  if (!last) throw new Failure('There is nothing to undo in this folder.');
  const changes = last.map(({ from, to }) => ({ from: to, to: from }));
  move(folder, changes);
  writeLog(folder, runs);
  return changes;
}
