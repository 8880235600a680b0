import { join } from 'node:path';
import { buildSync } from 'esbuild';

const ROOT = join(import.meta.dirname, '../..');

/** Returns the client as one ES module without imports. */
export function clientScript(): string {
  const { outputFiles } = buildSync({
    absWorkingDir: ROOT,
    entryPoints: ['client/client.ts'],
    bundle: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    write: false,
  });
  return outputFiles.map(({ text }) => text).join('');
}
