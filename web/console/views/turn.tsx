import type { ComponentChildren } from 'preact';
import { deploy } from '../effects/deploy.ts';
import { cancel, moveTo, retry } from '../effects/generate.ts';
import {
  activityOf,
  isBroken,
  isWithheld,
  liveLook,
  lookSentence,
  picturesOfGeneration,
  problemsOf,
} from '../state/looks.ts';
import { type GroupProgress, groupsOf } from '../state/progress.ts';
import { hasResult, isOver, readableId } from '../state/turn.ts';
import type { Failure, Turn } from '../state/types.ts';
import { kilobytes, minutes, plural, useConsole, useNow, useProject } from './console.ts';
import { FailureText } from './notices.tsx';
import { Pictures } from './pictures.tsx';
import { ProblemList, Repair } from './problems.tsx';
import { Attempts, Changes, Cost, ProjectSource } from './turn-details.tsx';

const BUDGET_MS: Readonly<Record<Turn['duration'], number | undefined>> = {
  auto: undefined,
  '5min': 300_000,
  '10min': 600_000,
};

const STATUS: Readonly<Record<Turn['status'], string>> = {
  starting: 'Sending…',
  queued: 'Queued…',
  running: 'Writing…',
  deploying: 'Deploying…',
  succeeded: 'Done',
  incomplete: 'Incomplete',
  failed: 'Failed',
  timed_out: 'Timed out',
  canceled: 'Canceled',
};

const ACTIVITY: Readonly<Record<NonNullable<ReturnType<typeof activityOf>>, string>> = {
  looking: 'Looking…',
  repairing: 'Repairing…',
  reviewing: 'Reviewing…',
};

/** One generation of the conversation. */
export function TurnView({ turn, index }: { turn: Turn; index: number }) {
  const { at } = useProject();
  const isUndone = index > at && hasResult(turn);
  return (
    <article class={isUndone ? 'turn undone' : 'turn'} aria-label={turn.prompt} tabIndex={-1}>
      <p class="asked">{turn.prompt}</p>
      <Progress turn={turn}>
        <TurnActions turn={turn} index={index} />
      </Progress>
      <Attempts turn={turn} />
      {isOver(turn) && <Cost turn={turn} />}
      <LiveLook turn={turn} />
      {/* Keyed: it begins further down once a browser looks. */}
      <Writing key={`writing ${turn.looks.size > 0}`} turn={turn} />
      {turn.failure && turn.status !== 'canceled' && (
        <div class="notice failed inline">
          <FailureText failure={ofAttempts(turn, turn.failure)} />
        </div>
      )}
      <ProjectSource turn={turn} />
      <TurnLook turn={turn} />
      <TurnProblems turn={turn} />
      <Changes turn={turn} />
    </article>
  );
}

/** Returns the failure without the reasons of the attempts, which are above it. */
function ofAttempts({ attempts }: Turn, failure: Failure): Failure {
  if (attempts.length === 0 || !['providers_failed', 'generation_timed_out'].includes(failure.code)) return failure;
  const message = attempts.length > 1 ? 'All providers failed.' : 'The provider failed.';
  const isRefused = attempts.every(({ outcome }) => outcome === 'refused');
  return { ...failure, message, ...(isRefused ? { code: 'refused' } : {}) };
}

function Progress({ turn, children }: { turn: Turn; children: ComponentChildren }) {
  const { status, duration, startedAt, finishedAt, written, plan } = turn;
  const isRunning = !isOver(turn);
  const now = useNow(isRunning);
  const ms = Math.max(0, (finishedAt ?? now) - startedAt);
  const budget = BUDGET_MS[duration];
  const activity = activityOf(turn);
  const files = plan ? `${written.length} of ${plural(plan.length, 'file')}` : plural(written.length, 'file');
  return (
    <>
      <div class={`bar state ${status}`}>
        <p>
          <b>{activity ? ACTIVITY[activity] : STATUS[status]}</b>
          <span>{budget ? `${minutes(ms)} of ${minutes(budget)}` : minutes(ms)}</span>
          <span>{files}</span>
        </p>
        {children}
      </div>
      {budget && <progress aria-label="Time used" max={budget} value={Math.min(ms, budget)} />}
    </>
  );
}

/** The buttons of a turn. Keyed: a button that changes its text would move. */
function TurnActions({ turn, index }: { turn: Turn; index: number }) {
  const { context } = useConsole();
  const { at, turns, busy } = useProject();
  const isBusy = busy !== undefined || turns.some((one) => !isOver(one));
  const button = (title: string, onClick: () => Promise<void>, disabled = isBusy) => (
    <button key={title} type="button" disabled={disabled} onClick={() => void onClick()}>
      {title}
    </button>
  );
  if (!isOver(turn)) return button('Cancel', () => cancel(context, turn), false);
  if (!hasResult(turn)) return button('Try again', () => retry(context, turn), isBusy || index !== turns.length - 1);
  if (index !== at) return button(index < at ? 'Return to this' : 'Redo', () => moveTo(context, index));
  return turn.base || index > 0 ? button('Undo', () => moveTo(context, index - 1)) : null;
}

/** The look at the project while it is generated. */
function LiveLook({ turn }: { turn: Turn }) {
  const live = isOver(turn) ? undefined : liveLook(turn);
  return live ? <p class="looking">{live}</p> : null;
}

/** The look at the result of a turn. */
function TurnLook({ turn }: { turn: Turn }) {
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

/** The problems of a turn's result, and that it was not published. */
function TurnProblems({ turn }: { turn: Turn }) {
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
        <button type="button" disabled={busy !== undefined || files.size === 0} onClick={() => void deploy(context)}>
          Publish anyway
        </button>
      )}
    </div>
  );
}

/** The files that are being written: one line for each group of the plan, so that nothing moves while files are completed. */
function Writing({ turn }: { turn: Turn }) {
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
