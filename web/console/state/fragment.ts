import { currentGeneration } from './turn.ts';
import type { OpenProject, State } from './types.ts';

/** A project by its own id, or by that of a generation of it. */
export type Wanted = { readonly projectId: string } | { readonly generation: string };

/** `#g=<id of a generation>` or `#p=<id of a project>` */
const PROJECT = /^#([gp])=([\w-]+)$/;

/**
 * Returns the fragment of the URL for a state, undefined while a project is opened. A running generation has its id there, so that
 * a reload finds it.
 */
export function fragmentOf({ view, project, elsewhere }: State): string | undefined {
  if (view === 'account') return '#account';
  if (view === 'home') return '';
  if (project) return projectFragment(project);
  // The other tab can change the project: its generation would then be an earlier one.
  return elsewhere === undefined ? undefined : `#p=${elsewhere}`;
}

/** Returns the fragment for a project: of its generation, which other browsers can open, too, or else its own. */
export function projectFragment(project: OpenProject): string {
  const id = currentGeneration(project);
  return id === undefined ? `#p=${project.projectId}` : `#g=${id}`;
}

/** Returns the project that a fragment names. */
export function wantedOf(fragment: string): Wanted | undefined {
  const [, kind, id] = PROJECT.exec(fragment) ?? [];
  if (id === undefined) return undefined;
  return kind === 'g' ? { generation: id } : { projectId: id };
}
