import { useState } from 'preact/hooks';
import type { Look } from '../../../client/client.ts';
import { dollars } from '../../../lambda/contract/dollars.ts';
import { Diff } from '../parts/diff.tsx';
import { lookSentence } from '../state/looks.ts';
import { attemptsSummary, type ShownAttempt, shownAttempts } from '../state/progress.ts';
import { isOver } from '../state/turn.ts';
import type { Turn } from '../state/types.ts';
import { plural } from './console.ts';

/** The reasons are with the attempts. */
const ENDED_EARLY: readonly Turn['status'][] = ['failed', 'timed_out', 'incomplete'];

/** The calls of providers, with how they ended: in a line that can be opened while they run, and if there are several. */
export function Attempts({ turn }: { turn: Turn }) {
  const attempts = shownAttempts(turn);
  if (attempts.length === 0) return null;
  const list = (
    <ol aria-label="Attempts">
      {attempts.map((shown) => (
        <AttemptView key={shown.number} shown={shown} look={turn.looks.get(shown.number)} />
      ))}
    </ol>
  );
  if (attempts.length === 1 && isOver(turn)) return <div class="attempts">{list}</div>;
  return (
    <details class="attempts" open={ENDED_EARLY.includes(turn.status)}>
      <summary>{attemptsSummary(attempts)}</summary>
      {list}
    </details>
  );
}

/** The words for the kinds of attempts. */
const KINDS: Readonly<Record<ShownAttempt['attempt']['kind'], string>> = {
  write: 'write',
  repair: 'repair',
  review: 'review of the page against the request',
};

function AttemptView({ shown: { attempt, state }, look }: { shown: ShownAttempt; look: Look | undefined }) {
  const { model, kind, group, outcome, reason, ms, files, dropped } = attempt;
  const end = state === 'failed' ? outcome?.replace('_', ' ') : state;
  return (
    <li class={state}>
      <b>{model}</b> {KINDS[kind]}
      {group !== undefined && `, group\u00a0${group}`}: {state === 'running' ? 'running…' : end}
      {ms !== undefined && ` in ${(ms / 1000).toFixed(1)}\u00a0s`}
      {files !== undefined && `, ${plural(files, 'file')}`}
      {reason && (state === 'failed' || dropped) && <span class="reason">{reason}</span>}
      {look && <span class="reason">{lookSentence(look)}</span>}
      {outcome && <UsageLine attempt={attempt} />}
    </li>
  );
}

/** The tokens of an attempt that has ended, and what they cost; estimates are not worth a line. */
function UsageLine({ attempt: { usage, cost } }: Pick<ShownAttempt, 'attempt'>) {
  if (!usage || usage.basis === 'estimated') return null;
  const { input, cachedInput, output, reasoning, basis } = usage;
  const number = (count: number) => count.toLocaleString('en');
  const cached = cachedInput > 0 ? ` (${number(cachedInput)} cached)` : '';
  const thoughts = reasoning > 0 ? ` (${number(reasoning)} reasoning)` : '';
  const tokens = `${number(input)} tokens in${cached}, ${number(output)} out${thoughts}`;
  const price = cost && cost.usd > 0 ? `${dollars(cost.usd)}: ` : '';
  return <span class="usage-line">{`${basis === 'reserved' ? 'at most ' : ''}${price}${tokens}`}</span>;
}

/** The cost of the generation, or why it is not known. */
export function Cost({ turn: { cost, costUnknown } }: { turn: Turn }) {
  if (costUnknown !== undefined) return <p class="note">Cost unknown. {costUnknown}.</p>;
  if (!cost || cost.usd === 0) return null;
  const repairs = cost.repairsUsd ? `, of which ${dollars(cost.repairsUsd)} for repairs` : '';
  return <p class="note">{`Cost: ${dollars(cost.usd)}${repairs}`}</p>;
}

/** Says what the embedded provider is, and when no starter fits. */
export function ProjectSource({ turn }: { turn: Turn }) {
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

/** The files that a change affected, each with how. */
export function Changes({ turn: { changes = [] } }: { turn: Turn }) {
  if (changes.length === 0) return null;
  return (
    <fieldset class="changes" aria-label="Changes">
      {changes.map((change) => (
        <ChangeView key={change.path} change={change} />
      ))}
    </fieldset>
  );
}

function ChangeView({ change: { path, change, from, diff } }: { change: NonNullable<Turn['changes']>[number] }) {
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
