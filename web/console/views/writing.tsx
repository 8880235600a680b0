import { type GroupProgress, groupsOf } from '../state/groups.ts';
import type { Turn } from '../state/types.ts';
import { kilobytes } from './console.ts';

/** The files that are being written: one line for each group of the plan, so that nothing moves while files are completed. */
export function Writing({ turn }: { turn: Turn }) {
  if (turn.status !== 'running' || (!turn.plan && turn.writing.length === 0)) return null;
  return (
    <ul class="writing" aria-label="Files that are being written">
      {groupsOf(turn).map((progress) => (
        <Line key={progress.group ?? 0} progress={progress} />
      ))}
    </ul>
  );
}

/** Sizes and counts are keyed: a text that is aligned right would move. */
function Line({ progress: { group, planned, written, file } }: { progress: GroupProgress }) {
  const pause = planned > 0 && written === planned ? 'Complete' : 'Waiting…';
  const size = file && kilobytes(file.characters);
  const count = planned > 0 && `${written} of ${planned}`;
  return (
    <li>
      {group !== undefined && (
        <b>
          <span class="hidden">Group </span>
          {group}
        </b>
      )}
      <span class="what">{file ? <code>{file.path}</code> : pause}</span>
      <span key={`size ${size}`} class="size">
        {size}
      </span>
      <span key={`count ${count}`} class="count">
        {count}
      </span>
    </li>
  );
}
