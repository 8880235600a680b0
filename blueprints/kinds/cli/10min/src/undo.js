import { copyFileSync, existsSync, renameSync, writeFileSync } from 'node:fs';

const beforeOf = (file) => `${file}.before`;

/** Copies the list before it is overwritten. */
export function keepBefore(file) {
  if (existsSync(file)) copyFileSync(file, beforeOf(file));
  else writeFileSync(beforeOf(file), '[]\n');
}

/** Swaps the list with the copy from before the last change; returns false when there is no copy. */
export function swapBack(file) {
  if (!existsSync(beforeOf(file))) return false;
  renameSync(beforeOf(file), `${file}.new`);
  keepBefore(file);
  renameSync(`${file}.new`, file);
  return true;
}
