import { newKey } from '../../../client/files.ts';
import { failureOf } from '../state/failure.ts';
import { fragmentOf, type Wanted, wantedOf } from '../state/fragment.ts';
import { type KeptProject, openedProject } from '../state/kept-project.ts';
import { runningTurn } from '../state/turn.ts';
import type { GalleryEntry, OpenProject } from '../state/types.ts';
import type { Context } from './context.ts';
import { join, leave, resume } from './generate.ts';
import { revisit } from './page-settings.ts';

/** Generations of a conversation that are shown above the one that is opened. */
const MAX_ANCESTORS = 20;

/** Opens a project as this browser kept it, or else as the service has it. @param steal takes it from another tab */
export async function open(context: Context, wanted: Wanted, { steal = false } = {}): Promise<void> {
  const { store, projects } = context;
  const { hash } = location;
  leave();
  store.dispatch({ type: 'opening' });
  const entry = store.state.gallery.find((one) =>
    'projectId' in wanted ? one.projectId === wanted.projectId : one.generation === wanted.generation,
  );
  const projectId = entry?.projectId ?? ('projectId' in wanted ? wanted.projectId : newKey());
  if (!(await take(context, projectId, steal))) return;
  const kept = await projects.read(projectId).catch(() => undefined);
  // The visitor can have gone elsewhere in the meantime.
  if (location.hash !== hash) return;
  const project = kept && openKept(kept, entry);
  if (project) return restore(context, project);
  if ('generation' in wanted) return openGeneration(context, wanted.generation, projectId, entry);
  store.dispatch({ type: 'shown', view: 'home' });
}

/** Takes a project for this tab, or says that another one has it. @returns whether this one has it */
export async function take(context: Context, projectId: string, steal = false): Promise<boolean> {
  const { store, hold } = context;
  const { hash } = location;
  const onLost = () => {
    leave();
    store.dispatch({ type: 'elsewhere', projectId });
  };
  const onFree = () => {
    const { view, elsewhere } = store.state;
    if (view === 'project' && elsewhere === projectId) void open(context, { projectId });
    else hold.release();
  };
  const isTaken = await hold.take(projectId, { steal, onLost, onFree });
  if (!isTaken && location.hash === hash) store.dispatch({ type: 'elsewhere', projectId });
  return isTaken;
}

/** The entry is written at once, so its page is at least as new. */
function openKept(kept: KeptProject, entry: GalleryEntry | undefined): OpenProject | undefined {
  const project = openedProject(kept);
  const { site } = entry ?? {};
  if (!project || !site || site.version === project.site?.version) return project;
  return { ...project, site: { ...project.site, ...site, files: undefined } };
}

/** Shows a kept project, and follows the generation that has not ended. */
async function restore(context: Context, project: OpenProject): Promise<void> {
  context.store.dispatch({ type: 'restored', project });
  const page = revisit(context).catch(() => {});
  const running = runningTurn(context.project?.turns);
  if (running) await (running.id === undefined ? join(context, running) : resume(context, running.key, running.id));
  await page;
}

/** Opens the project of a generation: with its events if it runs, or its result, and with those that it was made from. */
async function openGeneration(
  context: Context,
  id: string,
  projectId: string,
  known: GalleryEntry | undefined,
): Promise<void> {
  const { client, store } = context;
  const { hash } = location;
  const resource = await client.generations.get(id).catch((error) => {
    store.dispatch({ type: 'missing', failure: failureOf(error) });
  });
  if (!resource || location.hash !== hash) return;
  store.dispatch({ type: 'opened', projectId, key: id, resource, site: known?.site && { ...known.site } });
  const end = resume(context, id, id);
  // The versions are shown if they can be read: the page can have been deleted since.
  void revisit(context).catch(() => {});
  let from = resource.from;
  for (let i = 0; i < MAX_ANCESTORS && from !== undefined; i++) {
    // It may be a deployment, or be over 24 hours old: the conversation begins after it.
    const parent = await client.generations.get(from).catch(() => undefined);
    if (!parent || context.project?.projectId !== projectId) break;
    store.dispatch({ type: 'ancestor', resource: parent });
    from = parent.from;
  }
  await end;
}

/** Keeps the URL and the state together, in both directions. */
export function followUrl(context: Context): void {
  const { store } = context;
  let written = location.hash;
  store.subscribe((state) => {
    const fragment = fragmentOf(state);
    if (fragment === undefined || fragment === written) return;
    const isSameProject = wantedOf(written) && wantedOf(fragment);
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

function isPartOf(wanted: Wanted, { projectId, turns }: OpenProject): boolean {
  if ('projectId' in wanted) return wanted.projectId === projectId;
  return turns.some(({ id }) => id === wanted.generation);
}
