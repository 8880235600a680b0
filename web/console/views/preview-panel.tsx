import { useEffect, useState } from 'preact/hooks';
import { DATA_FILE } from '../../../lambda/sites/data/declaration-text.ts';
import { entryOf } from '../../../lambda/sites/paths.ts';
import { Preview } from '../preview/preview.tsx';
import { adviceOn } from '../state/failure.ts';
import { runningTurn } from '../state/turn.ts';
import type { Build, Files, Turn } from '../state/types.ts';
import { plural, useProject, useWide } from './console.ts';
import { ProblemList, Repair } from './problems.tsx';

const DATA_NOTE = 'Trial data only, empty at first';

/** The project as a visitor sees it, isolated from this page. Source is built first. */
export function PreviewPanel() {
  const { files, turns, build } = useProject();
  const isWide = useWide();
  const [width, setWidth] = useState<'phone' | 'desktop'>(isWide ? 'desktop' : 'phone');
  const [problems, setProblems] = useState<readonly string[]>([]);
  const shown = build ? build.files : files;
  // They were of the files before.
  useEffect(() => setProblems([]), [shown]);
  const running = runningTurn(turns);
  const warnings = build?.warnings ?? [];
  const hasPage = shown !== undefined && entryOf([...shown.keys()]) !== '';
  return (
    <div class="look">
      <div class="bar widths">
        <Notes title="error" texts={problems} />
        {/* Keyed: what stands right of others would move. */}
        <Notes key={`warnings ${problems.length > 0}`} title="warning" texts={warnings} />
        <span key={`note ${problems.length > 0} ${warnings.length > 0}`} class="note">
          {hasPage && noteOn(build, shown, running)}
        </span>
        <fieldset aria-label="Width of the preview">
          {(['phone', 'desktop'] as const).map((name) => (
            <button key={name} type="button" aria-pressed={width === name} onClick={() => setWidth(name)}>
              {name === 'phone' ? 'Phone' : 'Desktop'}
            </button>
          ))}
        </fieldset>
      </div>
      <div class={build ? 'stage of-build' : 'stage'}>
        {hasPage ? (
          <Preview
            files={shown}
            width={width}
            onProblem={(problem) => setProblems((before) => [...new Set([...before, problem])])}
          />
        ) : (
          <NoPage count={files.size} build={build} running={running} />
        )}
        {/* Below the preview, which would move otherwise. */}
        {build && <BuildProblems build={build} note={hasPage ? 'The preview shows the last build.' : ''} />}
      </div>
    </div>
  );
}

/** The problems of the page, in full once they are opened. */
function Notes({ title, texts }: { title: 'error' | 'warning'; texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return (
    <details class={`notes ${title}`}>
      <summary>{plural(texts.length, title)}</summary>
      <ul>
        {texts.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </details>
  );
}

function noteOn(build: Build | undefined, shown: Files, running: Turn | undefined): string {
  if (running) return 'This is the project before the change.';
  if (build?.isRunning) return 'Building… This is the last build.';
  const entry = entryOf([...shown.keys()]);
  return shown.has(entry.slice(0, entry.lastIndexOf('/') + 1) + DATA_FILE) ? DATA_NOTE : '';
}

interface NoPageProps {
  readonly count: number;
  readonly build: Build | undefined;
  readonly running: Turn | undefined;
}

/** The reason why there is no page yet, or none at all. */
function NoPage({ count, build, running }: NoPageProps) {
  if (running) return <Arriving turn={running} />;
  if (build?.isRunning)
    return (
      <div class="empty">
        <p>Building the project…</p>
        <progress aria-label="Building the project" />
      </div>
    );
  // The problems say why.
  if (build) return null;
  const text = count === 0 ? 'There is no file yet.' : 'The project has no HTML file, so there is nothing to preview.';
  return <p class="empty">{text}</p>;
}

/** The progress of a generation. The place of each part is fixed, so that nothing moves. */
function Arriving({ turn: { plan, written, writing } }: { turn: Turn }) {
  const total = plan?.length ?? 0;
  const count = total > 0 ? `${written.length} of ${plural(total, 'file')}` : plural(written.length, 'file');
  return (
    <div class="empty">
      <p>The page appears here once the project is complete.</p>
      <progress
        aria-label="Files that are written"
        {...(total > 0 && { max: total, value: Math.min(written.length, total) })}
      />
      <p class="note">{count}</p>
      <p class="note">{writing[0]?.path ?? '\u00a0'}</p>
    </div>
  );
}

/** The problems of the source by file and line, and what can be done about them. */
function BuildProblems({ build, note = '' }: { build: Build; note?: string }) {
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
