import type { ProviderName } from '../../contract/generate.ts';
import type { Attempt } from '../generation.ts';
import type { Task } from './tasks.ts';

/** A task with the provider that is asked next, those to ask after it, and how often it failed. */
export interface QueuedTask {
  readonly task: Task;
  readonly providers: readonly [ProviderName, ...ProviderName[]];
  readonly failures: number;
}

/** How often the group of a plan may fail within a round. */
const MOST_FAILURES = 2;
/** What follows an attempt, and when: before other tasks, after them, or after them once another attempt has ended. */
export interface FollowUp {
  readonly queued: QueuedTask;
  readonly when: 'next' | 'last' | 'after another';
}

/**
 * Returns how a round goes on with what an attempt left of its task; undefined if the next round does. A project without groups
 * is always left to the next round.
 */
export function followUp(rest: QueuedTask, ended: Attempt): FollowUp | undefined {
  const { outcome, files = 0, unfinished } = ended;
  if (rest.task.group === undefined || outcome === 'interrupted') return undefined;
  if (files > 0 || unfinished !== undefined) return { queued: { ...rest, failures: 0 }, when: 'next' };
  const [provider, other, ...others] = rest.providers;
  const failures = rest.failures + 1;
  if (outcome === 'succeeded' || failures > MOST_FAILURES) return undefined;
  if (other !== undefined)
    return { queued: { ...rest, providers: [other, ...others], failures }, when: 'last' };
  return { queued: { ...rest, providers: [provider], failures }, when: 'after another' };
}
