import { copyFileSync, existsSync, renameSync, writeFileSync } from 'node:fs';

const beforeOf = (file) => `${file}.before`;

/** Keeps the list as it is, before it is written anew. */
export function keepBefore(file) {
  if (existsSync(file)) copyFileSync(file, beforeOf(file));
  else writeFileSync(beforeOf(file), '[]\n');
}

/** Changes places between the list and the one before; false when there is none. */
export function swapBack(file) {
  if (!existsSync(beforeOf(file))) return false;
  renameSync(beforeOf(file), `${file}.new`);
  keepBefore(file);
  renameSync(`${file}.new`, file);
  return true;
}
