import { keptProject } from '../state/kept-project.ts';
import { isUnsafe } from '../state/reduce.ts';
import type { OpenProject } from '../state/types.ts';
import { clearEntries, isEntryKey, readEntries, writeEntries } from '../storage/entries.ts';
import { isFull, ProjectDatabase } from '../storage/project-database.ts';
import type { Context } from './context.ts';
import { take } from './open.ts';

/** A project is kept that long after a change. */
const WAIT_MS = 500;

/**
 * Keeps the list of projects in the storage of the browser. Only for services whose deployed pages have origins of their own: others
 * could read the tokens in it.
 */
export function keepGallery({ store }: Context): void {
  let gallery = store.state.gallery;
  const read = () => {
    try {
      gallery = readEntries(localStorage);
      store.dispatch({ type: 'loaded', gallery });
    } catch {
      // The storage is disabled: keeping a project fails, too, and says so.
    }
  };
  read();
  // Another tab has changed something, or forgotten it.
  addEventListener('storage', ({ key }) => isEntryKey(key) && read());
  store.subscribe((state) => {
    if (state.gallery === gallery) return;
    const before = gallery;
    gallery = state.gallery;
    try {
      writeEntries(localStorage, before, gallery);
    } catch (error) {
      store.dispatch({ type: 'notKept', reason: reasonOf(error) });
    }
  });
}

/** Deletes what was kept while deployed pages had origins of their own: now they could read it. */
export function clearKept(): void {
  ProjectDatabase.clear();
  try {
    clearEntries(localStorage);
  } catch {
    // There is no storage.
  }
}

/** Keeps the open project, shortly after each change and when the page is left. Projects that are forgotten are deleted. */
export function keepProjects(context: Context): void {
  const { store, projects } = context;
  let gallery = store.state.gallery;
  let seen: OpenProject | undefined;
  let changed: OpenProject | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (changed) void write(context, changed);
    changed = undefined;
  };
  store.subscribe((state) => {
    const { project } = state;
    const ids = new Set(state.gallery.map(({ projectId }) => projectId));
    for (const { projectId } of gallery) {
      if (ids.has(projectId)) continue;
      if (changed?.projectId === projectId) changed = undefined;
      void projects.delete(projectId).catch(() => {});
    }
    gallery = state.gallery;
    if (project === seen) return;
    if (changed?.projectId !== project?.projectId) flush();
    const isOther = project && project.projectId !== seen?.projectId;
    seen = project;
    changed = project;
    timer ??= setTimeout(flush, isOther ? 0 : WAIT_MS);
    if (isOther) void take(context, project.projectId);
  });
  addEventListener('pagehide', flush);
  document.addEventListener('visibilitychange', flush);
}

async function write({ store, projects }: Context, project: OpenProject): Promise<void> {
  const kept = keptProject(project, Date.now());
  const { projectId, at } = kept;
  try {
    store.dispatch({ type: 'kept', projectId, at, evicted: await projects.write(kept) });
  } catch (error) {
    store.dispatch({ type: 'notKept', reason: reasonOf(error) });
  }
}

const reasonOf = (error: unknown) => (isFull(error) ? 'full' : 'unavailable');

/** Asks before the page is left if that loses edits. @param isStored whether projects outlast the page */
export function guardEdits({ store }: Context, isStored: boolean): void {
  addEventListener('beforeunload', (event) => {
    const { gallery, project, storageProblem } = store.state;
    const losesAll = !isStored && gallery.some(({ edited }) => edited);
    const losesOpen = storageProblem !== undefined && project !== undefined && isUnsafe(project);
    if (losesAll || losesOpen) event.preventDefault();
  });
}
