import type { AttemptKind } from '../../contract/responses/generate.ts';
import type { PlannedFile } from '../../stored/projects/project-parts.ts';
import { unwrittenFiles } from '../completeness.ts';
import type { Generation } from '../generation.ts';

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

/** Returns what a task still has to write; undefined if that is nothing, or unknown because there is no plan. */
export function restOf<T extends Task>(task: T, written: ReadonlySet<string>): T | undefined {
  const files = task.files.filter(({ path }) => !written.has(path));
  return files.length === 0 ? undefined : { ...task, files };
}
