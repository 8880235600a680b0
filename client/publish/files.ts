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

/** Returns the types of the client as one declaration file without imports. */
export function clientDeclarations(): string {
  const read = (path: string) => readFileSync(join(import.meta.dirname, path), 'utf8');
  const own = read('client.d.ts').replace(/^(?:import|export) type [^;]* from '..\/types.ts';\n/gm, '');
  const types = read('../types.ts').replace(/^\/\/.*\n|^\/\*\* .*@internal \*\/\n[^;]*;\n/gm, '');
  // Without an export of its own, a declaration file exports everything.
  return `${own}${types}\nexport {};\n`;
}
