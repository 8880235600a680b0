import type { Caller } from '../access/callers.ts';
import { type LimitsTable, SharedCounter } from '../access/shared-counter.ts';
import type { StageState } from '../access/stage-state.ts';
import { endOfDay } from '../platform/clock.ts';
import { log } from '../platform/log.ts';

/** The item of the table of rate limits with the bytes of the day. */
const EVERYONE = '#anonymous';

/** The share of the limit that an instance counts before it shares the count. */
const BATCHES = 1_000;

/** Notes how many bytes a caller deployed. */
export type CountDeployed = (caller: Pick<Caller, 'credential'> | undefined, bytes: number) => Promise<void>;

/**
 * Returns a function that counts what all anonymous callers together deploy in a UTC day. Beyond the limit, it closes their deploys
 * for the rest of the day. Errors are only logged: the deploy is committed.
 */
export function countAnonymous(limit: number, limits: LimitsTable, state: StageState): CountDeployed {
  const batch = Math.ceil(limit / BATCHES);
  const counter = new SharedCounter(limits, { name: 'bytes', windowSeconds: 86_400, limit, batch });
  return async (caller, bytes) => {
    if (caller?.credential) return;
    const { allowed } = await counter.count(EVERYONE, bytes);
    if (allowed || (await state.closedUntil('bytes/anonymous'))) return;
    await state
      .close('bytes/anonymous', endOfDay(limits.clock()))
      .catch((error: unknown) => log.error('deploys not closed', { error }));
  };
}
