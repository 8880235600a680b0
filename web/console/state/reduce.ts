import type { Action } from './actions.ts';
import { hasPictures } from './pictures.ts';
import { reduceProject } from './reduce-project.ts';
import { statusMessageOf } from './status-message.ts';
import { currentGeneration } from './turn.ts';
import type { GalleryEntry, OpenProject, State } from './types.ts';

export const INITIAL: State = { view: 'home', gallery: [], statusMessage: '' };

/** Returns the state after an action. */
export function reduce(state: State, action: Action): State {
  const next = reduceRest(reduceOwn(state, action), action);
  // An event of a project that is no longer open.
  if (next === state && action.type !== 'status') return state;
  const statusMessage = statusMessageOf(next, action);
  return statusMessage === undefined ? next : { ...next, statusMessage };
}

function reduceOwn(state: State, action: Action): State {
  switch (action.type) {
    case 'shown':
      return { ...state, view: action.view };
    case 'opening':
      return { ...state, view: 'project', project: undefined, missing: undefined };
    case 'missing':
      return { ...state, missing: action.failure, wait: undefined };
    case 'key':
      return withKey(state, action.key, action.projectId);
    case 'waiting':
      return { ...state, wait: action.wait };
    case 'responded':
      return state.wait ? { ...state, wait: undefined } : state;
    case 'failed':
      return { ...state, failure: action.failure, wait: undefined };
    case 'dismissed':
      return { ...state, failure: undefined };
    case 'status':
      return state;
    case 'forgotten':
      return { ...state, gallery: state.gallery.filter(({ projectId }) => projectId !== action.projectId) };
    case 'loaded':
      return { ...state, gallery: action.gallery };
    default:
      return state;
  }
}

function reduceRest(state: State, action: Action): State {
  const project = reduceProject(state.project, action);
  if (project === state.project) return state;
  // What was waited for is over, or given up.
  const isOver = ['turnFailed', 'settled', 'started', 'opened', 'uploaded'].includes(action.type);
  const opens = ['started', 'opened', 'uploaded'].includes(action.type);
  return {
    ...state,
    project,
    ...(isOver ? { wait: undefined } : {}),
    ...(opens ? { view: 'project', failure: undefined } : {}),
    ...(project ? { gallery: updateGallery(state, project) } : {}),
  };
}

/** What was made with another key, or without one, is not visible with this one, and deploys have another URL. */
function withKey(state: State, key: string | undefined, projectId: string): State {
  const { project } = state;
  if (!project || state.key === key) return { ...state, key };
  return { ...state, key, project: { ...project, projectId, site: undefined, edited: true } };
}

/** Returns the gallery with the project, newest first, once there is something to return to. */
function updateGallery({ gallery, key }: State, project: OpenProject): readonly GalleryEntry[] {
  const { projectId, name, site, turns } = project;
  const generation = currentGeneration(project);
  if (generation === undefined && site === undefined) return gallery;
  const old = gallery.find((entry) => entry.projectId === projectId);
  const known =
    site && !site.isDeleted
      ? { id: site.id, url: site.url, version: site.version, token: site.token }
      : undefined;
  const entry: GalleryEntry = {
    projectId,
    name,
    generation,
    site: known,
    at: old?.at ?? turns[0]?.startedAt ?? 0,
    seen: seenOf(project),
    keyed: key !== undefined,
  };
  if (old && JSON.stringify(old) === JSON.stringify(entry)) return gallery;
  return [entry, ...gallery.filter((one) => one !== old)];
}

/** Returns of what there are pictures: what is published comes first. */
function seenOf({ site, turns, at }: OpenProject): GalleryEntry['seen'] {
  if (site && !site.isDeleted && hasPictures(site.look)) return 'site';
  return hasPictures(turns[at]?.look) ? 'generation' : undefined;
}
