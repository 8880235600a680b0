import { setTimeout } from 'node:timers/promises';
import type { Clock } from '../platform/clock.ts';
import { isOver, type Job } from './job.ts';

const FIRST_POLL_MS = 100;
const LAST_POLL_MS = 1_000;
const GROWTH = 1.2;

/**
 * Polls a job until it is over or the deadline (Unix milliseconds) has come. One read each time, 100 ms apart at
 * first and 1 s in the end: a quick job is answered quickly, a slow one costs little.
 */
export async function waitForJob(
  id: string,
  deadline: number,
  ports: { readonly find: (id: string) => Promise<Job | undefined>; readonly clock: Clock },
): Promise<Job | undefined> {
  for (let pause = FIRST_POLL_MS; ; pause = Math.min(pause * GROWTH, LAST_POLL_MS)) {
    const job = await ports.find(id);
    if (!job || isOver(job)) return job;
    const left = deadline - ports.clock();
    if (left <= 0) return job;
    await setTimeout(Math.min(pause, left));
  }
}
