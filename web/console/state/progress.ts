import { isOver } from './turn.ts';
import type { Turn } from './types.ts';

export interface ShownAttempt {
  /** From 1. */
  readonly number: number;
  readonly attempt: Turn['attempts'][number];
  readonly state: 'running' | 'succeeded' | 'continued' | 'failed';
}

/** Returns the attempts of a turn. One that was cut off is continued by another one, unless the generation ended before. */
export function shownAttempts(turn: Turn): ShownAttempt[] {
  return turn.attempts.map((attempt, index) => ({ number: index + 1, attempt, state: stateOf(turn, index) }));
}

function stateOf(turn: Turn, index: number): ShownAttempt['state'] {
  const { outcome = 'running', group } = turn.attempts[index] ?? {};
  if (outcome === 'running' || outcome === 'succeeded') return outcome;
  if (outcome !== 'cut_off') return 'failed';
  const later = turn.attempts.slice(index + 1);
  const isContinued = later.some((other) => other.group === undefined || other.group === group);
  return isContinued || !isOver(turn) ? 'continued' : 'failed';
}

/** Returns what the attempts of a turn are doing in a few words: `5 attempts, 4 running, 1 failed`; of one, its model. */
export function attemptsSummary(attempts: readonly ShownAttempt[]): string {
  const [first] = attempts;
  if (first && attempts.length === 1) return `${first.attempt.model}: ${first.state}`;
  const count = (wanted: ShownAttempt['state']) => attempts.filter(({ state }) => state === wanted).length;
  const counts = (['running', 'failed'] as const).map((state) => [count(state), state] as const);
  const parts = counts.filter(([n]) => n > 0).map(([n, state]) => `${n}\u00a0${state}`);
  return [`${attempts.length}\u00a0attempts`, ...parts].join(', ');
}

/** How far the files of a group of the plan are; of all files if the plan has no groups. */
export interface GroupProgress {
  readonly group: number | undefined;
  readonly planned: number;
  /** How many of the planned files are complete. */
  readonly written: number;
  /** The file that is being written. */
  readonly file: Turn['writing'][number] | undefined;
}

/** Returns the groups of a plan in their order, or a single one. There are always as many, so that nothing moves. */
export function groupsOf({ plan = [], written, writing, attempts }: Turn): GroupProgress[] {
  const numbers = [...new Set(plan.map(({ group }) => group))].toSorted((a, b) => (a ?? 0) - (b ?? 0));
  const groups = numbers.length > 0 ? numbers : [undefined];
  const groupOf = ({ path, attempt }: Turn['writing'][number]) => {
    const group = plan.find((file) => file.path === path)?.group ?? attempts[attempt - 1]?.group;
    return groups.includes(group) ? group : groups[0];
  };
  return groups.map((group) => {
    const files = plan.filter((file) => file.group === group);
    return {
      group,
      planned: files.length,
      written: files.filter(({ path }) => written.includes(path)).length,
      file: writing.find((file) => groupOf(file) === group),
    };
  });
}
