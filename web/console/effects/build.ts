import { ApiError } from '../../../client/client.ts';
import { projectKind } from '../../../lambda/sites/source/kind.ts';
import { failureOf } from '../state/failure.ts';
import { filesOf } from '../state/turn.ts';
import type { Files } from '../state/types.ts';
import type { Context } from './context.ts';

/** An edit is built once nothing was typed for so long. */
const QUIET_MS = 2_000;

/** Builds source for its preview: at once when a generation ends or files are opened, two seconds after an edit. Sites need no build. */
export function keepBuilt(context: Context): void {
  const { store } = context;
  let seen: Files | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running = new AbortController();
  const start = () => {
    running.abort();
    running = new AbortController();
    // The notice was about the request that is given up.
    if (context.project?.build?.isRunning) store.dispatch({ type: 'responded' });
    void build(context, running.signal);
  };
  store.subscribe(({ project }) => {
    if (project?.files === seen) return;
    const before = seen;
    seen = project?.files;
    clearTimeout(timer);
    if (before && seen && isEdit(before, seen)) timer = setTimeout(start, QUIET_MS);
    else start();
  });
}

/** Returns whether one file changed, as when somebody types. */
function isEdit(before: Files, after: Files): boolean {
  if (before.size !== after.size) return false;
  let changed = 0;
  for (const [path, content] of after) {
    if (!before.has(path)) return false;
    if (before.get(path) !== content) changed++;
  }
  return changed === 1;
}

async function build({ client, project, store: { dispatch } }: Context, signal: AbortSignal): Promise<void> {
  if (!project) return;
  const { files } = project;
  const found = projectKind(files);
  if (found.kind === 'site') return project.build && dispatch({ type: 'unbuilt' });
  if (found.kind === 'refused')
    return dispatch({ type: 'buildFailed', of: files, problems: [{ message: found.reason }] });
  dispatch({ type: 'building', of: files });
  try {
    const sent = [...files].map(([path, content]) => ({ path, content }));
    const built = await client.build({ files: sent, preview: true }, { signal });
    if (signal.aborted) return;
    dispatch({ type: 'built', of: files, files: filesOf(built.files), warnings: built.warnings });
  } catch (error) {
    if (signal.aborted) return;
    const problems = error instanceof ApiError ? error.problems : [];
    dispatch({ type: 'buildFailed', of: files, problems, failure: failureOf(error) });
  }
}
