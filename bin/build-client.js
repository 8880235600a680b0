/** Builds `dist/client.js` and `dist/folder.js`. In JavaScript, because npm runs it with whatever Node the machine has. */
import { resolve } from 'node:path';
import { build } from 'esbuild';

await build({
  absWorkingDir: resolve(import.meta.dirname, '..'),
  entryPoints: ['client/client.ts', 'client/folder.ts'],
  outdir: 'dist',
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  logLevel: 'warning',
});
