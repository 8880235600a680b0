import { createHash, randomUUID } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, buildSync } from 'esbuild';

/**
 * Builds into a folder, or copies what an earlier synthesis built with the same options. The folder `CDK_BUNDLES` has results of the
 * same sources: `local/synth.ts` names it by their hash. Without the variable, as for `cdk deploy`, everything is built.
 */
export function buildOnce(options: BuildOptions, outdir: string): void {
  const { CDK_BUNDLES: folder } = process.env;
  if (folder === undefined) {
    buildSync({ ...options, outdir });
    return;
  }
  const built = join(folder, createHash('sha256').update(JSON.stringify(options)).digest('hex'));
  if (!existsSync(built)) {
    const unfinished = join(folder, randomUUID());
    mkdirSync(unfinished, { recursive: true });
    buildSync({ ...options, outdir: unfinished });
    renameSync(unfinished, built);
  }
  cpSync(built, outdir, { recursive: true });
}
