import type { BuildProblem } from '../../../client/client.ts';
import { LIMITS } from '../../../lambda/contract/limits.ts';
import { runningTurn } from '../state/turn.ts';
import { useConsole, useProject } from './console.ts';

/** Problems by file and line. A press on the place opens the editor there. */
export function ProblemList({ problems }: { problems: readonly BuildProblem[] }) {
  return (
    <ul class="problems">
      {problems.map((problem) => (
        <Problem key={`${placeOf(problem)} ${problem.message}`} problem={problem} />
      ))}
    </ul>
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

/** Offers the problems as the prompt of the next change, which can be edited before it is sent. @param lead its first line */
export function Repair({ lead, problems }: { lead: string; problems: readonly BuildProblem[] }) {
  const { dispatch } = useConsole();
  const { turns } = useProject();
  return (
    <button
      type="button"
      disabled={runningTurn(turns) !== undefined}
      onClick={() => dispatch({ type: 'suggested', prompt: repairPrompt(lead, problems) })}
    >
      Ask for a repair
    </button>
  );
}

const placeOf = ({ path, line, column }: BuildProblem) =>
  [path, line, column].filter((part) => part !== undefined).join(':');

function repairPrompt(lead: string, problems: readonly BuildProblem[]): string {
  const lines = problems.map((problem) => {
    const { message, excerpt } = problem;
    const place = placeOf(problem);
    return `- ${place === '' ? '' : `${place}: `}${message}${excerpt ? `\n  ${excerpt.trim()}` : ''}`;
  });
  const text = [lead, ...lines].join('\n');
  return [...text].slice(0, LIMITS.promptCharacters).join('');
}
