import { currentGeneration } from '../state/turn.ts';
import type { OpenProject, State } from '../state/types.ts';
import type { Context } from './context.ts';
import { open, type Wanted } from './open.ts';

/** `#g=<id of a generation>` or `#p=<id of a project>` */
const PROJECT = /^#([gp])=([\w-]+)$/;

/**
 * Returns the fragment of the URL for a state, undefined while a project is opened. A running generation has its id there, so that
 * a reload finds it.
 */
export function fragmentOf({ view, project }: State): string | undefined {
  if (view === 'account') return '#account';
  if (view === 'home') return '';
  if (!project) return undefined;
  return projectFragment(project);
}

/** Returns the fragment for a project: of its generation, which other browsers can open, too, or else its own. */
export function projectFragment(project: OpenProject): string {
  const id = currentGeneration(project);
  return id === undefined ? `#p=${project.projectId}` : `#g=${id}`;
}

/** Keeps the URL and the state together, in both directions. */
export function followUrl(context: Context): void {
  const { store } = context;
  let written = location.hash;
  store.subscribe((state) => {
    const fragment = fragmentOf(state);
    if (fragment === undefined || fragment === written) return;
    const isSameProject = PROJECT.test(written) && PROJECT.test(fragment);
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
  const wanted = wantedOf(fragment);
  const isShown = wanted && project && isPartOf(wanted, project);
  if (wanted && !isShown) return void open(context, wanted);
  const other = fragment === '#account' ? 'account' : 'home';
  store.dispatch({ type: 'shown', view: isShown ? 'project' : other });
}

/** Returns the project that a fragment names. */
export function wantedOf(fragment: string): Wanted | undefined {
  const [, kind, id] = PROJECT.exec(fragment) ?? [];
  if (id === undefined) return undefined;
  return kind === 'g' ? { generation: id } : { projectId: id };
}

function isPartOf(wanted: Wanted, { projectId, turns }: OpenProject): boolean {
  if ('projectId' in wanted) return wanted.projectId === projectId;
  return turns.some(({ id }) => id === wanted.generation);
}
