import type { Turn } from './types.ts';

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
