import { currentGeneration } from '../state/turn.ts';
import type { State } from '../state/types.ts';
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
  const id = currentGeneration(project);
  return id === undefined ? '#project' : `#g=${id}`;
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
  if (project && isKnown) store.dispatch({ type: 'shown', view: 'project' });
  else if (id !== undefined) void open(context, id);
  else store.dispatch({ type: 'shown', view: fragment === '#account' ? 'account' : 'home' });
}
