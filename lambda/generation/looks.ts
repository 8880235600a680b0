import { lookLine } from '../contract/looks.ts';
import type { LookResource } from '../contract/responses/looks.ts';
import { type Generation, isOver, type LookEntry } from './generation.ts';
import { attemptsOf } from './generation-log.ts';

type Looked = Pick<Generation, 'id' | 'status' | 'log'>;

/** Returns what a browser saw after each attempt, in its latest state, by the number of the attempt. */
export function looksOf({ status, log }: Pick<Looked, 'status' | 'log'>): Map<number, LookEntry> {
  const looks = new Map<number, LookEntry>();
  for (const event of log) {
    if (event.type !== 'look') continue;
    const { type: _, ...entry } = event;
    looks.set(entry.attempt, ended(entry, isOver({ status })));
  }
  return looks;
}

/** Returns a look as it counts: nobody ends one whose generation is over. */
function ended(entry: LookEntry, over: boolean): LookEntry {
  if (entry.state !== 'looking' || !over) return entry;
  return { attempt: entry.attempt, state: 'failed', reason: 'The look was interrupted' };
}

/** Returns the last look at the project as it is: looks at changes that were dropped do not count. */
export function lastLook(generation: Pick<Looked, 'status' | 'log'>): LookEntry | undefined {
  const attempts = attemptsOf(generation);
  const dropped = new Set(attempts.flatMap((one) => (one.dropped ? [one.attempt] : [])));
  return [...looksOf(generation).values()].findLast(({ attempt }) => !dropped.has(attempt));
}

/** Returns what is wrong with the page of the project as it is, one sentence each with its place. */
export function seenProblems(generation: Pick<Looked, 'status' | 'log'>): string[] {
  return (lastLook(generation)?.problems ?? []).map(lookLine);
}

/** Returns a look for a response. The URLs of its pictures are relative to the base URL. */
export function publicLook(
  id: string,
  { attempt, state, reason, problems, widths }: LookEntry,
): LookResource {
  const url = (width: number) => `/api/v1/generations/${id}/screenshot?attempt=${attempt}&width=${width}`;
  return {
    state,
    ...(reason === undefined ? {} : { reason }),
    ...(problems === undefined ? {} : { problems: [...problems] }),
    ...(widths === undefined
      ? {}
      : { screenshots: Object.fromEntries(widths.map((width) => [width, url(width)])) }),
  };
}
