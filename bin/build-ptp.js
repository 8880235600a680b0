/** Builds `dist/ptp.js`. In JavaScript, because npm runs it with whatever Node the machine has. */
import { rmSync } from 'node:fs';
import { build } from 'esbuild';

rmSync('dist', { recursive: true, force: true });
await build({
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
});
