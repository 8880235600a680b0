import type { ProviderName } from '../../contract/generate.ts';
import type { AttemptKind } from '../../contract/responses/generate.ts';
import type { PlannedFile } from '../../stored/projects/stored-project.ts';
import { unwrittenFiles } from '../completeness.ts';
import type { Attempt, Generation } from '../generation.ts';

/** What one attempt is to do. */
export interface Task {
  readonly kind: AttemptKind;
  /** The group of the plan; undefined for a project without groups. */
  readonly group: number | undefined;
  /** The planned files to write; empty without a plan. */
  readonly files: readonly PlannedFile[];
}

/** Returns how many attempts may run at the same time: each overload in the course of a generation takes one from it. */
export function slotsOf({ log }: Pick<Generation, 'log'>, parallel: number): number {
  const overloads = log.filter((event) => event.type === 'attempt' && event.outcome === 'overloaded');
  return Math.max(1, parallel - overloads.length);
}

/**
 * Returns what a generation needs next: with several slots a task for each group of its plan that is not written yet,
 * otherwise a single one.
 */
export function tasksOf(generation: Pick<Generation, 'log' | 'kind'>, slots: number): [Task, ...Task[]] {
  if (generation.kind !== 'write') return [{ kind: generation.kind, group: undefined, files: [] }];
  const files = unwrittenFiles(generation);
  const whole: Task = { kind: 'write', group: undefined, files };
  const [first, ...others] = slots > 1 ? groupTasks(files) : [];
  return first ? [first, ...others] : [whole];
}

/** Returns a task for each group of planned files, in the order of the groups. */
export function groupTasks(files: readonly PlannedFile[]): Task[] {
  const groups = Map.groupBy(files, ({ group }) => group);
  const tasks = Array.from(groups, ([group, files]): Task => ({ kind: 'write', group, files }));
  return tasks.toSorted((a, b) => (a.group ?? 0) - (b.group ?? 0));
}

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
 * Returns how a round continues with the rest of a task while its other attempts run; undefined if that is decided when all have
 * ended, as it is for a project without groups.
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
