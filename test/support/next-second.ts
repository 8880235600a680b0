import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for the next second, since tables are restored to whole seconds, and returns it. */
export async function nextSecond(): Promise<Date> {
  await sleep(1_000 - (Date.now() % 1_000) + 5);
  return new Date(Math.floor(Date.now() / 1_000) * 1_000);
}
