import { adviceOn } from '../state/failure.ts';
import type { Build } from '../state/types.ts';
import { plural } from './console.ts';
import { ProblemList, Repair } from './problems.tsx';

/** What is wrong with the source, by file and line, and what can be done about it. */
export function BuildProblems({ build, note = '' }: { build: Build; note?: string }) {
  const { problems, failure } = build;
  if (problems.length === 0 && !failure) return null;
  return (
    <section class="build-problems" aria-label="Problems of the build">
      <div class="bar">
        <h2>{problems.length > 0 ? `${plural(problems.length, 'problem')} in the source` : 'Not built'}</h2>
        {problems.some(({ path }) => path !== undefined) && (
          <Repair lead="The build fails. Repair these problems:" problems={problems} />
        )}
      </div>
      {problems.length === 0 && failure && (
        <p>
          <b>{failure.message}</b> {adviceOn(failure)}
          {failure.requestId && <small>Request id: {failure.requestId}</small>}
        </p>
      )}
      <ProblemList problems={problems} />
      {note !== '' && <p class="note">{note}</p>}
    </section>
  );
}
