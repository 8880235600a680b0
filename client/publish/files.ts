import { readFileSync } from 'node:fs';
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

/** Returns the types of the client as one declaration file without imports, which `npm run client` writes. */
export function clientDeclarations(): string {
  return readFileSync(join(import.meta.dirname, 'client.d.ts'), 'utf8');
}
