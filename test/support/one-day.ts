import { setTimeout as sleep } from 'node:timers/promises';
import { endOfDay } from '../../lambda/platform/clock.ts';

/** Waits for the next day (UTC) if this one ends within a minute: for `beforeEach`, if tests are about what is counted by day. */
export async function withinOneDay(): Promise<void> {
  const leftMs = endOfDay(Date.now()) - Date.now();
  if (leftMs < 60_000) await sleep(leftMs);
}
