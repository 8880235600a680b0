import { type Action, turnOf } from './actions.ts';
import { hasPictures, lookSentence } from './looks.ts';
import { reduceProject } from './reduce-project.ts';
import { currentGeneration } from './turn.ts';
import type { GalleryEntry, OpenProject, State } from './types.ts';

/** The state of the page: it changes by actions only. */
export class Store {
  state: State = INITIAL;
  readonly #listeners = new Set<(state: State) => void>();

  readonly dispatch = (action: Action): void => {
    const before = this.state;
    this.state = reduce(before, action);
    if (this.state !== before) for (const listener of this.#listeners) listener(this.state);
  };

  subscribe(listener: (state: State) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

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

/** Returns the gallery with the project, newest first, once there is something to return to. */
function updateGallery({ gallery }: State, project: OpenProject): readonly GalleryEntry[] {
  const { projectId, name, begunAt, files, site } = project;
  const generation = currentGeneration(project);
  if (generation === undefined && site === undefined && files.size === 0) return gallery;
  const old = gallery.find((entry) => entry.projectId === projectId);
  const entry: GalleryEntry = {
    projectId,
    name,
    generation,
    site: knownSite(project),
    at: begunAt,
    seen: seenOf(project),
    keyed: belongsToKey(project),
    edited: isUnsafe(project) || undefined,
    keptAt: old?.keptAt,
  };
  if (old && JSON.stringify(old) === JSON.stringify(entry)) return gallery;
  return [entry, ...gallery.filter((one) => one !== old)];
}

/** Whether a project has edits that exist nowhere but here. */
export const isUnsafe = ({ edited, files, safe }: OpenProject) => edited && files.size > 0 && files !== safe;

const belongsToKey = ({ site, turns }: OpenProject) =>
  site && site.end === undefined ? site.token === undefined : turns.some(({ keyed }) => keyed);

/** One that has expired can be published again at its URL. */
function knownSite({ site }: OpenProject): GalleryEntry['site'] {
  if (!site || site.end === 'deleted') return undefined;
  const { id, url, version, token, expiresAt, access } = site;
  return { id, url, version, token, expiresAt, access };
}

/** Returns of what there are pictures: what is published comes first. */
function seenOf({ site, turns, at }: OpenProject): GalleryEntry['seen'] {
  if (site && site.end === undefined && hasPictures(site.look)) return 'site';
  return hasPictures(turns[at]?.look) ? 'generation' : undefined;
}

/** Returns what screen readers say after an action; undefined for nothing new. */
function statusMessageOf({ project }: State, action: Action): string | undefined {
  switch (action.type) {
    case 'status':
      return action.text;
    case 'started':
    case 'followed':
      return 'Generation started';
    case 'event': {
      const { type, data } = action.event;
      if (type === 'plan') return `${data.files.length} files are planned`;
      if (type === 'file') return `Wrote ${data.path}`;
      if (type === 'look') return data.state === 'skipped' ? undefined : lookSentence(data);
      if (type === 'attempt' && data.outcome && !['succeeded', 'cut_off'].includes(data.outcome))
        return `${data.model} ${data.outcome.replace('_', ' ')}`;
      return undefined;
    }
    case 'settled': {
      const status = turnOf(project, action.key)?.status.replace('_', ' ');
      return `Generation ${status}: ${action.resource.files.length} files`;
    }
    case 'deployed':
      return `Deployed at ${action.deployed.url}`;
    case 'built':
      return 'The preview shows the build';
    case 'buildFailed':
      return 'The build failed';
    case 'ended':
      return `Deployment ${action.end}`;
    case 'moved':
      return 'Files restored';
    default:
      return undefined;
  }
}
