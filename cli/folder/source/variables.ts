import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';

/** As Vite reads them for production; the last one takes precedence. */
const FILES = ['.env', '.env.local', '.env.production', '.env.production.local'];

/** A variable that is built into the page, where everyone can read it. */
export interface Variable {
  readonly name: string;
  readonly value: string;
  /** Name of its file. */
  readonly file: string;
}

/** Returns the `VITE_*` variables of a folder's `.env` files. Others may be secrets, and stay here. */
export function readVariables(folder: string): Variable[] {
  const found = new Map<string, Variable>();
  for (const file of FILES) {
    const path = join(folder, file);
    if (!existsSync(path)) continue;
    const parsed = Object.entries(parseEnv(readFileSync(path, 'utf8')));
    for (const [name, value = ''] of parsed)
      if (name.startsWith('VITE_')) found.set(name, { name, value, file });
  }
  return [...found.values()];
}
