import { CodeEditor } from '../editor/code-editor.tsx';
import { type FileMark, FileTree } from '../parts/file-tree.tsx';
import { runningTurn } from '../state/turn.ts';
import type { OpenProject, Turn } from '../state/types.ts';
import { kilobytes, useConsole, useProject } from './console.ts';

/** The files as a tree, and one of them in an editor. */
export function FilesPanel() {
  const { dispatch } = useConsole();
  const project = useProject();
  const running = runningTurn(project.turns);
  const files = running?.files ?? project.files;
  const paths = [...files.keys()];
  const path = shownPath(paths, project.selected, running);
  const content = path === undefined ? undefined : files.get(path);
  return (
    <div class="files">
      <div class="tree">
        <FileTree
          files={paths}
          selected={path}
          planned={running && [...(running.plan ?? []), ...running.writing].map((file) => file.path)}
          growing={running && sizesOf(running)}
          marks={running ? marksWhileRunning(running) : marksOfEdits(project)}
          onSelect={(selected) => dispatch({ type: 'selected', path: selected })}
        />
      </div>
      <div class="code">
        {path !== undefined && typeof content === 'string' && (
          <CodeEditor
            path={path}
            content={content}
            readOnly={running !== undefined}
            place={path === project.selected ? project.place : undefined}
            onChange={(text) => dispatch({ type: 'edited', path, content: text })}
          />
        )}
        {content instanceof Uint8Array && (
          <p class="empty">{`${path} is not text: ${content.length.toLocaleString('en')} bytes`}</p>
        )}
        {path === undefined && <p class="empty">The first file appears here.</p>}
      </div>
    </div>
  );
}

/** Unless the visitor has chosen a file: the one that was written last, then the page. */
function shownPath(paths: readonly string[], selected: string | undefined, running: Turn | undefined) {
  const choices = [selected, running?.written.at(-1), 'index.html', paths[0]];
  return choices.find((path) => path !== undefined && paths.includes(path));
}

function sizesOf({ writing }: Turn): ReadonlyMap<string, string> {
  return new Map(writing.map(({ path, characters }) => [path, kilobytes(characters)]));
}

function marksWhileRunning({ written, base }: Turn): ReadonlyMap<string, FileMark> {
  return new Map(written.map((path) => [path, base?.files.has(path) ? 'changed' : 'new']));
}

function marksOfEdits({ files, turns, at }: OpenProject): ReadonlyMap<string, FileMark> {
  const original = turns[at]?.files;
  if (!original) return new Map();
  const changed = [...files].filter(([path, content]) => original.get(path) !== content);
  return new Map(changed.map(([path]) => [path, original.has(path) ? 'changed' : 'new']));
}
