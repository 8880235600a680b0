/** Builds `dist/ptp.js`. In JavaScript, because npm runs it with whatever Node the machine has. */
import { readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';

const ROOT = resolve(import.meta.dirname, '..');
const { metafile } = await build({
  absWorkingDir: ROOT,
  entryPoints: ['cli/ptp/ptp.ts'],
  outdir: 'dist',
  bundle: true,
  // What a command does not use is not loaded.
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  format: 'esm',
  platform: 'node',
  target: 'node20',
  mainFields: ['module', 'main'],
  minify: true,
  // commander is CommonJS, whose calls of require have no other meaning in an ES module.
  banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
  logLevel: 'warning',
  metafile: true,
});

// Afterwards, so that a ptp that runs meanwhile finds its chunks unless they have changed.
for (const file of readdirSync(join(ROOT, 'dist/chunks'))) {
  const path = `dist/chunks/${file}`;
  if (!(path in metafile.outputs)) rmSync(join(ROOT, path));
}
