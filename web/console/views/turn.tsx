import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { cancel, moveTo, retry } from '../effects/generate.ts';
import { Diff } from '../parts/diff.tsx';
import { hasResult, isOver } from '../state/turn.ts';
import type { Turn } from '../state/types.ts';
import { minutes, plural, useConsole, useNow, useProject } from './console.ts';
import { FailureText } from './notices.tsx';

const BUDGET_MS: Readonly<Record<Turn['duration'], number | undefined>> = {
  auto: undefined,
  '5min': 300_000,
  '10min': 600_000,
};

const STATUS: Readonly<Record<Turn['status'], string>> = {
  starting: 'Sending…',
  queued: 'Queued…',
  running: 'Writing…',
  succeeded: 'Done',
  incomplete: 'Incomplete',
  failed: 'Failed',
  timed_out: 'Timed out',
  canceled: 'Canceled',
};

/** One generation of the conversation. */
export function TurnView({ turn, index }: { turn: Turn; index: number }) {
  const { at } = useProject();
  const isUndone = index > at && hasResult(turn);
  return (
    <article class={isUndone ? 'turn undone' : 'turn'} aria-label={turn.prompt} tabIndex={-1}>
      <p class="asked">{turn.prompt}</p>
      <Progress turn={turn}>
        <Acts turn={turn} index={index} />
      </Progress>
      <Attempts turn={turn} />
      {turn.failure && turn.status !== 'canceled' && (
        <div class="notice failed inline">
          <FailureText failure={turn.failure} />
        </div>
      )}
      <Origin turn={turn} />
      {turn.problems && turn.problems.length > 0 && (
        <details open>
          <summary>{plural(turn.problems.length, 'problem')}</summary>
          <ul>
            {turn.problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </details>
      )}
      <Changes turn={turn} />
    </article>
  );
}

function Progress({ turn, children }: { turn: Turn; children: ComponentChildren }) {
  const { status, duration, startedAt, finishedAt, written, plan } = turn;
  const isRunning = !isOver(turn);
  const now = useNow(isRunning);
  const ms = Math.max(0, (finishedAt ?? now) - startedAt);
  const budget = BUDGET_MS[duration];
  const planned = plan ? ` of ${plural(plan.length, 'file')}` : written.length === 1 ? ' file' : ' files';
  return (
    <>
      <div class={`bar state ${status}`}>
        <p>
          <b>{STATUS[status]}</b>
          <span>{budget ? `${minutes(ms)} of ${minutes(budget)}` : minutes(ms)}</span>
          <span>{`${written.length}${planned}`}</span>
        </p>
        {children}
      </div>
      {budget && <progress aria-label="Time used" max={budget} value={Math.min(ms, budget)} />}
    </>
  );
}

/** What can be done with a turn. Keyed: a button that changes its text would move. */
function Acts({ turn, index }: { turn: Turn; index: number }) {
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

function Attempts({ turn: { attempts } }: { turn: Turn }) {
  return (
    <ol class="attempts" aria-label="Attempts">
      {attempts.map(({ model, kind, outcome, reason, ms, files, startedAt }) => (
        <li key={startedAt} class={outcome ?? 'running'}>
          <b>{model}</b> {kind}: {outcome?.replace('_', ' ') ?? 'running…'}
          {ms !== undefined && ` in ${(ms / 1000).toFixed(1)}\u00a0s`}
          {files !== undefined && `, ${plural(files, 'file')}`}
          {reason && <span class="reason">{reason}</span>}
        </li>
      ))}
    </ol>
  );
}

/** Says honestly what the embedded provider is. */
function Origin({ turn }: { turn: Turn }) {
  const { matched, status } = turn;
  if (matched === undefined || status !== 'succeeded' || turn.base) return null;
  return (
    <p class="note">
      {matched === null
        ? 'No starter project fits this prompt, so the page says only that. The embedded provider is not a language model: choose another model, or try one of the examples.'
        : `Made from the starter “${matched}” of the embedded provider, which is not a language model. It can change titles, colors, themes, texts, list items and the language.`}
    </p>
  );
}

function Changes({ turn: { changes = [] } }: { turn: Turn }) {
  if (changes.length === 0) return null;
  return (
    <fieldset class="changes" aria-label="Changes">
      {changes.map((change) => (
        <ChangeView key={change.path} change={change} />
      ))}
    </fieldset>
  );
}

function ChangeView({
  change: { path, change, from, diff },
}: {
  change: NonNullable<Turn['changes']>[number];
}) {
  // A diff can have thousands of lines, so it is rendered once somebody looks at it.
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <span class={change}>{change}</span> <code>{from ? `${from} → ${path}` : path}</code>
      </summary>
      {isOpen && (diff ? <Diff diff={diff} /> : <p class="note">This file has no text to compare.</p>)}
    </details>
  );
}
