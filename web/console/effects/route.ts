import type { Project, State } from '../state/types.ts';
import type { Context } from './context.ts';
import { open } from './open.ts';

/**
 * Returns the fragment of the URL for a state, undefined while a project is opened. A running generation has its id there, so that
 * a reload finds it.
 */
export function fragmentOf({ view, project }: State): string | undefined {
  if (view === 'account') return '#account';
  if (view === 'home') return '';
  if (!project) return undefined;
  const id = generationOf(project);
  return id === undefined ? '#project' : `#g=${id}`;
}

/** Returns the id of the last generation of a conversation that was not undone, or that runs. */
function generationOf({ turns, at }: Project): string | undefined {
  const last = turns.at(-1);
  const current = last && last.failure === undefined && last.finishedAt === undefined ? last : turns[at];
  return (current ?? last)?.id;
}

/** Keeps the URL and the state together, in both directions. */
export function followUrl(context: Context): void {
  const { store } = context;
  let written = location.hash;
  store.subscribe((state) => {
    const fragment = fragmentOf(state);
    if (fragment === undefined || fragment === written) return;
    const isSameProject = /^#(g=|project)/.test(written) && /^#(g=|project)/.test(fragment);
    written = fragment;
    history[isSameProject ? 'replaceState' : 'pushState'](null, '', fragment || location.pathname);
  });
  const read = () => {
    written = location.hash;
    show(context, written);
  };
  addEventListener('popstate', read);
  read();
}

function show(context: Context, fragment: string): void {
  const { store, project } = context;
  const id = /^#g=([\w-]+)$/.exec(fragment)?.[1];
  const isKnown = id === undefined ? fragment === '#project' : project?.turns.some((turn) => turn.id === id);
  if (id !== undefined || (project && isKnown)) {
    store.dispatch({ type: 'shown', view: 'project' });
    if (id !== undefined && !isKnown) void open(context, id);
  } else store.dispatch({ type: 'shown', view: fragment === '#account' ? 'account' : 'home' });
}
