import type { ComponentChildren } from 'preact';
import { cancel, moveTo, retry } from '../effects/generate.ts';
import { activityOf } from '../state/looks.ts';
import { hasResult, isOver } from '../state/turn.ts';
import type { Failure, Turn } from '../state/types.ts';
import { minutes, plural, useConsole, useNow, useProject } from './console.ts';
import { LiveLook, TurnLook, TurnProblems } from './look.tsx';
import { FailureText } from './notices.tsx';
import { Attempts, Changes, Cost, ProjectSource } from './turn-details.tsx';
import { Writing } from './writing.tsx';

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
  if (attempts.length === 0 || !['providers_failed', 'generation_timed_out'].includes(failure.code))
    return failure;
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

/** What can be done with a turn. Keyed: a button that changes its text would move. */
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
  if (!hasResult(turn))
    return button('Try again', () => retry(context, turn), isBusy || index !== turns.length - 1);
  if (index !== at) return button(index < at ? 'Return to this' : 'Redo', () => moveTo(context, index));
  return turn.base || index > 0 ? button('Undo', () => moveTo(context, index - 1)) : null;
}
