import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { bundleDeclarations } from './declarations.ts';
import { clientTypes } from './types.ts';

export const ROOT = join(import.meta.dirname, '../..');

/** Both files of declarations come from one run of the compiler. */
let bundled: ReturnType<typeof bundleDeclarations> | undefined;
function declarations() {
  bundled ??= bundleDeclarations(ROOT);
  return bundled;
}

const GENERATED = {
  'client/types.ts': clientTypes,
  'client/publish/client.d.ts': () => declarations().client,
  'client/publish/folder.d.ts': () => declarations().folder,
};

/** Paths of the generated files of the client. The first one is needed for the others. */
export const PATHS = Object.keys(GENERATED) as (keyof typeof GENERATED)[];

/** Returns what a generated file should contain. */
export function generateFile(path: (typeof PATHS)[number]): string {
  const biome = join(ROOT, 'node_modules/@biomejs/biome/bin/biome');
  const args = [biome, 'format', `--stdin-file-path=${path}`];
  const input = GENERATED[path]();
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: ROOT,
    input,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}
