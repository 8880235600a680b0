import { spawnSync } from 'node:child_process';
import { join, relative } from 'node:path';
import { bundleDeclarations } from './declarations.ts';
import { DECLARATIONS } from './files.ts';
import { clientTypes } from './types.ts';

export const ROOT = join(import.meta.dirname, '../..');

/** The generated files of the client by path, and the functions that return their contents. The second needs the first. */
export const GENERATED: readonly (readonly [path: string, content: () => string])[] = [
  ['client/types.ts', () => formatted('client/types.ts', clientTypes())],
  [relative(ROOT, DECLARATIONS), () => formatted(relative(ROOT, DECLARATIONS), bundleDeclarations(ROOT))],
];

function formatted(path: string, input: string): string {
  const biome = join(ROOT, 'node_modules/@biomejs/biome/bin/biome');
  const args = [biome, 'format', `--stdin-file-path=${path}`];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: ROOT,
    input,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}
