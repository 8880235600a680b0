import { cpSync } from 'node:fs';
import { basename, join } from 'node:path';
import { buildSync } from 'esbuild';

/** Defines `require`, which some CommonJS dependencies call at run time. */
const BANNER = "import{createRequire}from'node:module';const require=createRequire(import.meta.url);";

/**
 * Bundles a handler with its dependencies, including the AWS SDK, into a folder: `index.mjs`, the chunks that it imports
 * dynamically, and a copy of each of `folders`.
 *
 * The CDK's NodejsFunction writes a single file: every cold start would parse the dynamic imports, and their wrappers break
 * the evaluation order of modules with cycles.
 * @param entry path of the module that exports `handler`
 */
export function bundle(entry: string, folders: readonly string[], outdir: string): void {
  buildSync({
    entryPoints: { index: entry },
    outdir,
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    // Measured: preferring ES modules makes the smallest and fastest bundle.
    mainFields: ['module', 'main'],
    outExtension: { '.js': '.mjs' },
    chunkNames: '[name]-[hash]',
    banner: { js: BANNER },
    logLevel: 'warning',
  });
  for (const folder of folders) {
    // Modules are in the bundle already.
    cpSync(folder, join(outdir, basename(folder)), {
      recursive: true,
      filter: (path) => !path.endsWith('.ts'),
    });
  }
}
