import { execFile } from 'node:child_process';
import { join } from 'node:path';
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

export function bundled(entry: string): string {
  return join(bundle(entry, []), 'index.mjs');
}
