import { useEffect, useState } from 'preact/hooks';
import { entryOf } from '../../../lambda/sites/entry.ts';
import { runningTurn } from '../effects/generate.ts';
import { Preview } from '../preview/preview.tsx';
import { plural, useProject, useWide } from './console.ts';

/** The project as a visitor sees it, isolated from this page. */
export function PreviewPanel() {
  const { files, turns } = useProject();
  const isWide = useWide();
  const [width, setWidth] = useState<'phone' | 'desktop'>(isWide ? 'desktop' : 'phone');
  const [problems, setProblems] = useState<readonly string[]>([]);
  // They were of the files before.
  useEffect(() => setProblems([]), [files]);
  const isRunning = runningTurn(turns) !== undefined;
  const hasPage = entryOf([...files.keys()]) !== '';
  return (
    <div class="look">
      <div class="bar widths">
        {problems.length > 0 ? (
          <details class="errors">
            <summary>{plural(problems.length, 'error')} in the page</summary>
            <ul>
              {problems.map((problem) => (
                <li key={problem}>{problem}</li>
              ))}
            </ul>
          </details>
        ) : (
          <span class="note">{hasPage && isRunning && 'This is the project before the change.'}</span>
        )}
        <fieldset aria-label="Width of the preview">
          {(['phone', 'desktop'] as const).map((name) => (
            <button key={name} type="button" aria-pressed={width === name} onClick={() => setWidth(name)}>
              {name === 'phone' ? 'Phone' : 'Desktop'}
            </button>
          ))}
        </fieldset>
      </div>
      <div class="stage">
        {hasPage ? (
          <Preview
            files={files}
            width={width}
            onProblem={(problem) => setProblems((before) => [...new Set([...before, problem])])}
          />
        ) : (
          <p class="empty">{emptyText(files.size, isRunning)}</p>
        )}
      </div>
    </div>
  );
}

function emptyText(count: number, isRunning: boolean): string {
  if (isRunning) return 'The page appears here once the project is complete.';
  return count === 0
    ? 'There is no file yet.'
    : 'The project has no HTML file, so there is nothing to preview.';
}
