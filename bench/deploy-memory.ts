import { existsSync, readFileSync } from 'node:fs';
import { handlerOf } from './invoke.ts';

/**
 * Prints the peak memory of the deploy function, in a process that loads only its bundle. This script is bundled too,
 * because stripping its types would count. An uncompressed staged body of 10 MB takes the most memory,
 * if one of its files is to be read from the live version.
 */
const { DEPLOY_BUNDLE = '', STAGED = '' } = process.env;
const invoke = await handlerOf(DEPLOY_BUNDLE);

for (const id of STAGED.split(',')) {
  const { status, body } = await invoke({ method: 'GET', path: `/api/v1/deploy/staged/${id}` });
  if (status >= 300) throw new Error(`the deploy failed: ${status} ${body}`);
}

// The maxRSS of a forked process includes its parent's memory; VmHWM on Linux does not.
const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : '';
const peakKB = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? process.resourceUsage().maxRSS);
console.log(JSON.stringify({ peakMB: peakKB / 1024 }));
