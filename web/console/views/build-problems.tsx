import type { BuildProblem } from '../../../client/client.ts';
import { LIMITS } from '../../../lambda/contract/limits.ts';
import { runningTurn } from '../effects/generate.ts';
import { adviceOn } from '../state/failure.ts';
import type { Build } from '../state/types.ts';
import { plural, useConsole, useProject } from './console.ts';

/** What is wrong with the source, by file and line, and what can be done about it. */
export function BuildProblems({ build, note = '' }: { build: Build; note?: string }) {
  const { problems, failure } = build;
  if (problems.length === 0 && !failure) return null;
  return (
    <section class="build-problems" aria-label="Problems of the build">
      <div class="bar">
        <h2>{problems.length > 0 ? `${plural(problems.length, 'problem')} in the source` : 'Not built'}</h2>
        <Repair problems={problems} />
      </div>
      {problems.length === 0 && failure && (
        <p>
          <b>{failure.message}</b> {adviceOn(failure)}
          {failure.requestId && <small>Request id: {failure.requestId}</small>}
        </p>
      )}
      <ul>
        {problems.map((problem) => (
          <Problem key={`${placeOf(problem)} ${problem.message}`} problem={problem} />
        ))}
      </ul>
      {note !== '' && <p class="note">{note}</p>}
    </section>
  );
}

function Problem({ problem }: { problem: BuildProblem }) {
  const { dispatch } = useConsole();
  const { files } = useProject();
  const { path, line, column, message, excerpt } = problem;
  const place = line === undefined ? {} : { place: { line, column } };
  const isFile = path !== undefined && typeof files.get(path) === 'string';
  return (
    <li class="problem">
      {isFile ? (
        <button type="button" class="link" onClick={() => dispatch({ type: 'selected', path, ...place })}>
          {placeOf(problem)}
        </button>
      ) : (
        path !== undefined && <code>{placeOf(problem)}</code>
      )}{' '}
      {message}
      {excerpt && <pre>{excerpt.trim()}</pre>}
    </li>
  );
}

/** Offers the problems as the prompt of the next change, which can be edited before it is sent. */
function Repair({ problems }: { problems: readonly BuildProblem[] }) {
  const { dispatch } = useConsole();
  const { turns } = useProject();
  if (problems.every(({ path }) => path === undefined)) return null;
  return (
    <button
      type="button"
      disabled={runningTurn(turns) !== undefined}
      onClick={() => dispatch({ type: 'suggested', prompt: repairPrompt(problems) })}
    >
      Ask for a repair
    </button>
  );
}

const placeOf = ({ path, line, column }: BuildProblem) =>
  [path, line, column].filter((part) => part !== undefined).join(':');

/** Returns a prompt that asks for a repair of these problems. */
export function repairPrompt(problems: readonly BuildProblem[]): string {
  const lines = problems.map((problem) => {
    const { message, excerpt } = problem;
    const place = placeOf(problem);
    return `- ${place === '' ? '' : `${place}: `}${message}${excerpt ? `\n  ${excerpt.trim()}` : ''}`;
  });
  const text = ['The build fails. Repair these problems:', ...lines].join('\n');
  return [...text].slice(0, LIMITS.promptCharacters).join('');
}
