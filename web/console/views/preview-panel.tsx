import { useState } from 'preact/hooks';
import { runningTurn } from '../effects/generate.ts';
import { Preview } from '../preview/preview.tsx';
import { useProject } from './console.ts';

/** The project as a visitor sees it, isolated from this page. */
export function PreviewPanel() {
  const { files, turns } = useProject();
  const [width, setWidth] = useState<'phone' | 'desktop'>('desktop');
  const running = runningTurn(turns);
  const hasPage = [...files.keys()].some((path) => /\.html?$/i.test(path));
  return (
    <div class="look">
      <div class="bar widths">
        <span class="note">
          {hasPage && (running ? 'This is the project before the change.' : 'Edits show at once.')}
        </span>
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
          <Preview files={files} width={width} />
        ) : (
          <p class="empty">{emptyText(files.size, running !== undefined)}</p>
        )}
      </div>
    </div>
  );
}

function emptyText(count: number, isRunning: boolean): string {
  if (isRunning)
    return 'The page appears here once the project is complete. The files tab shows each file as it is written.';
  return count === 0
    ? 'There is no file yet.'
    : 'The project has no HTML file, so there is nothing to preview. The files tab has its files.';
}
