import { useEffect, useMemo, useRef } from 'preact/hooks';
import { followUp, start } from '../effects/generate.ts';
import { runningTurn } from '../state/turn.ts';
import type { LeftOut, Turn } from '../state/types.ts';
import { plural, useConsole, useProject } from './console.ts';
import { PromptBox } from './prompt-box.tsx';
import { TurnView } from './turn.tsx';

/** The generations of a project, and the box for the next one. */
export function Conversation() {
  const { context } = useConsole();
  const { turns, files, leftOut = [], edited, at, suggested } = useProject();
  const end = useRef<HTMLDivElement>(null);
  const last = turns.at(-1);
  const isRunning = runningTurn(turns) !== undefined;
  const isEmpty = last !== undefined && files.size === 0 && !isRunning;
  // Only what the visitor waits for scrolls into view, not what is read.
  useEffect(() => end.current?.scrollIntoView({ block: 'nearest' }), [turns.length, last?.status]);
  return (
    <div class="conversation">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll it */}
      <section class="turns" tabIndex={0} aria-label="Generations">
        {turns.length === 0 && (
          <p class="note">Files of your own. Describe a change below, edit them, or deploy them as they are.</p>
        )}
        {leftOut.length > 0 && <LeftOutFiles leftOut={leftOut} />}
        {turns.map((turn, index) => (
          <TurnView key={turn.key} turn={turn} index={index} />
        ))}
        {edited && at >= 0 && !isRunning && (
          <p class="note">You edited the files. The next change begins with your edits.</p>
        )}
        <div ref={end} />
      </section>
      {isEmpty ? (
        <Again turn={last} />
      ) : (
        <PromptBox
          label="What to change"
          placeholder="Describe a change, such as: use the dark theme"
          submit="Change"
          isSmall
          given={suggested}
          disabled={isRunning || files.size === 0}
          onSubmit={(form) => void followUp(context, form)}
        />
      )}
    </div>
  );
}

/** The uploaded files that the project leaves out, as `ptp deploy --dry-run` lists them. */
function LeftOutFiles({ leftOut }: { leftOut: readonly LeftOut[] }) {
  return (
    <details class="note">
      <summary>{plural(leftOut.length, 'file or folder', 'files and folders')} left out</summary>
      <ul>
        {leftOut.map(({ path, reason }) => (
          <li key={path}>
            <code>{path}</code>: {reason}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** The prompt of a generation that made nothing, to be changed or sent to another model. */
function Again({ turn: { prompt, key } }: { turn: Turn }) {
  const { context } = useConsole();
  const given = useMemo(() => ({ prompt, count: 0 }), [key, prompt]);
  return (
    <PromptBox
      label="What to build"
      placeholder="What to build"
      submit="Generate"
      isSmall
      given={given}
      onSubmit={(form) => void start(context, form)}
    />
  );
}
