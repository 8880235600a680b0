import type { Action } from './actions.ts';
import { updateGallery } from './gallery.ts';
import { reduceProject } from './reduce-project.ts';
import { statusMessageOf } from './status-message.ts';
import type { State } from './types.ts';

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
      return { ...state, view: 'project', project: undefined, missing: undefined, elsewhere: undefined };
    case 'missing':
      return { ...state, missing: action.failure, wait: undefined };
    case 'key':
      return withKey(state, action.key);
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
      return forgotten(state, action.projectId);
    case 'elsewhere':
      return { ...state, project: undefined, elsewhere: action.projectId };
    case 'kept':
      return kept(state, action);
    case 'notKept': {
      const { reason } = action;
      if (state.storageProblem?.reason === reason) return state;
      return { ...state, storageProblem: { reason, isDismissed: false } };
    }
    case 'storageProblemDismissed':
      return {
        ...state,
        storageProblem: state.storageProblem && { ...state.storageProblem, isDismissed: true },
      };
    case 'loaded':
      return { ...state, gallery: action.gallery };
    default:
      return state;
  }
}

function reduceRest(state: State, action: Action): State {
  const project = reduceProject(state.project, action, state.key !== undefined);
  if (project === state.project) return state;
  // What was waited for is over, or given up.
  const opens = ['started', 'opened', 'restored', 'uploaded'].includes(action.type);
  const isOver = opens || ['turnFailed', 'settled'].includes(action.type);
  return {
    ...state,
    project,
    ...(isOver ? { wait: undefined } : {}),
    ...(opens ? { view: 'project', failure: undefined, elsewhere: undefined } : {}),
    ...(project ? { gallery: updateGallery(state, project) } : {}),
  };
}

/**
 * What the service has of the open project is of another credential now: it is changed as files, and its page can be claimed with the
 * new key if there is a token.
 */
function withKey(state: State, key: string | undefined): State {
  const { project } = state;
  if (!project || state.key === key) return { ...state, key };
  const turns = project.turns.map((turn) => ({ ...turn, isForeign: true }));
  // Whether the page is of that key is asked for when it is changed.
  const site = project.site && { ...project.site, isForeign: false };
  return { ...state, key, project: { ...project, turns, site } };
}

function forgotten(state: State, projectId: string): State {
  const { project, gallery } = state;
  return {
    ...state,
    gallery: gallery.filter((entry) => entry.projectId !== projectId),
    project: project?.projectId === projectId ? undefined : project,
  };
}

function kept(state: State, { projectId, evicted, at }: Extract<Action, { type: 'kept' }>): State {
  const gallery = state.gallery.map((entry) => {
    if (entry.projectId === projectId) return { ...entry, keptAt: at };
    return evicted.includes(entry.projectId) ? { ...entry, keptAt: undefined } : entry;
  });
  return { ...state, gallery, storageProblem: undefined };
}
