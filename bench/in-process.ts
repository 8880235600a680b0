import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { bundle } from '../lib/platform/bundle.ts';

const run = promisify(execFile);

/**
 * Runs a script in a process of its own, outside the local cloud, like a function, and returns the JSON of the last line
 * that it prints.
 */
export async function inProcess<Result>(
  script: string,
  env: Readonly<Record<string, string>>,
): Promise<Result> {
  const { stdout } = await run(process.execPath, [script], { env: { ...process.env, ...env } });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Result;
}

/** Bundles a module like a function, and returns the absolute path of its file. */
export function bundleFile(entry: string): string {
  const outdir = resolve('node_modules/.cache/bench', entry);
  rmSync(outdir, { recursive: true, force: true });
  bundle(entry, {}, outdir);
  return join(outdir, 'index.mjs');
}
