import { runningTurn } from '../effects/generate.ts';
import { useConsole, useProject } from './console.ts';
import { CodeEditor, FileTree } from './parts.tsx';

/** The files as a tree, and one of them in an editor. */
export function FilesPanel() {
  const { dispatch } = useConsole();
  const project = useProject();
  const running = runningTurn(project.turns);
  const files = running?.files ?? project.files;
  const paths = [...files.keys()];
  const path =
    project.selected !== undefined && files.has(project.selected) ? project.selected : firstOf(paths);
  const content = path === undefined ? undefined : files.get(path);
  return (
    <div class="files">
      <div class="tree">
        <FileTree
          files={paths}
          selected={path}
          onSelect={(selected) => dispatch({ type: 'selected', path: selected })}
        />
      </div>
      <div class="code">
        {path !== undefined && typeof content === 'string' && (
          <CodeEditor
            path={path}
            content={content}
            readOnly={running !== undefined}
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

const firstOf = (paths: readonly string[]) => paths.find((path) => path === 'index.html') ?? paths[0];
