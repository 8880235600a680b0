import { deploy } from '../effects/deploy.ts';
import { isBroken, isWithheld, liveLook, lookSentence, problemsOf } from '../state/looks.ts';
import { picturesOfGeneration } from '../state/pictures.ts';
import { isOver, readableId } from '../state/turn.ts';
import type { Turn } from '../state/types.ts';
import { plural, useConsole, useProject } from './console.ts';
import { Pictures } from './pictures.tsx';
import { ProblemList, Repair } from './problems.tsx';

/** What a browser sees of the project while it is generated. */
export function LiveLook({ turn }: { turn: Turn }) {
  const live = isOver(turn) ? undefined : liveLook(turn);
  return live ? <p class="looking">{live}</p> : null;
}

/** What a browser saw of the result of a turn. */
export function TurnLook({ turn }: { turn: Turn }) {
  const { look, prompt } = turn;
  if (!look || !isOver(turn)) return null;
  const source = picturesOfGeneration(readableId(turn, Date.now()), look);
  return (
    <div class="seen">
      <p class={isBroken(look) ? 'warning' : 'note'}>{lookSentence(look)}</p>
      {source && <Pictures source={source} name={prompt} />}
    </div>
  );
}

/** What is wrong with the result of a turn, and that it was not published. */
export function TurnProblems({ turn }: { turn: Turn }) {
  const { at, turns } = useProject();
  const isCurrent = (turns[at] ?? turns.at(-1)) === turn;
  const problems = isOver(turn) ? problemsOf(turn) : [];
  return (
    <>
      {turn.deploymentError && <NotPublished turn={turn} isCurrent={isCurrent} />}
      {problems.length > 0 && (
        <details open>
          <summary>{plural(problems.length, 'problem')}</summary>
          <ProblemList problems={problems} />
          {isCurrent && <Repair lead="Repair these problems of the page:" problems={problems} />}
        </details>
      )}
    </>
  );
}

/** The project is there, but nobody can visit it. */
function NotPublished({ turn, isCurrent }: { turn: Turn; isCurrent: boolean }) {
  const { context } = useConsole();
  const { busy, files, site } = useProject();
  return (
    <div class="notice failed inline">
      <p>
        <b>Not published</b>
        <br />
        {isWithheld(turn)
          ? 'In a browser, the page shows nothing, or fails while it loads.'
          : turn.deploymentError?.error}
      </p>
      {isCurrent && !site && isWithheld(turn) && (
        <button
          type="button"
          disabled={busy !== undefined || files.size === 0}
          onClick={() => void deploy(context)}
        >
          Publish anyway
        </button>
      )}
    </div>
  );
}
