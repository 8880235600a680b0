import { existsSync, readFileSync } from 'node:fs';
import { handlerOf } from './invoke.ts';

/**
 * What the deploy function holds at most, as a process of its own that has nothing loaded but its bundle; bundled
 * itself, since stripping types would count. The way that holds the most is a plain body of 10 MB, read from where it is
 * staged.
 */
const { DEPLOY_BUNDLE = '', STAGED = '' } = process.env;
const invoke = await handlerOf(DEPLOY_BUNDLE);

for (const id of STAGED.split(',')) {
  const { status, body } = await invoke({ method: 'GET', path: `/api/v1/deploy/staged/${id}` });
  if (status !== 201) throw new Error(`deploying was answered with ${status} ${body}`);
}

// Of a process that was forked, getrusage also counts what its parent held; Linux tells its own.
const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : '';
const peakKB = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? process.resourceUsage().maxRSS);
console.log(JSON.stringify({ peakMB: peakKB / 1024 }));
