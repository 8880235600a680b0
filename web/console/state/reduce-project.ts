import type { Action } from './actions.ts';
import { withSite } from './site.ts';
import { afterEvent, finishTurn, hasResult, isOver, newTurn, oldTurn } from './turn.ts';
import type { OpenProject, Turn } from './types.ts';

/** Returns the project after an action. @param hasKey whether requests have an API key */
export function reduceProject(
  project: OpenProject | undefined,
  action: Action,
  hasKey: boolean,
): OpenProject | undefined {
  const opened = openProject(action, project, hasKey);
  if (opened) return opened;
  return project && changeProject(project, action, hasKey);
}

function openProject(action: Action, old: OpenProject | undefined, hasKey: boolean): OpenProject | undefined {
  const empty = { files: new Map(), edited: false, at: -1, turns: [], tab: 'chat' } as const;
  switch (action.type) {
    case 'started':
      return {
        ...empty,
        projectId: action.projectId,
        name: nameOf(action.form.prompt),
        begunAt: action.at,
        turns: [newTurn(action.key, action.form, action.at, hasKey)],
      };
    case 'opened':
      return {
        ...empty,
        projectId: action.projectId,
        name: nameOf(action.resource.prompt),
        begunAt: action.resource.createdAt,
        turns: [oldTurn(action.key, action.resource, hasKey)],
        site: action.site,
      };
    case 'restored':
      return withReadable(action.project, hasKey);
    case 'uploaded': {
      // Dropping a folder again deploys it to the same URL.
      const same = old?.turns.length === 0 && old.name === action.name ? old : undefined;
      return {
        ...empty,
        projectId: same?.projectId ?? action.projectId,
        name: action.name,
        begunAt: same?.begunAt ?? action.at,
        files: action.files,
        leftOut: action.leftOut,
        safe: action.files,
        site: same?.site,
        sharing: same?.sharing,
        edited: true,
        tab: 'preview',
      };
    }
    default:
      return undefined;
  }
}

/** Generations that were made with another credential are not continued from: the project is sent as files. */
function withReadable(project: OpenProject, hasKey: boolean): OpenProject {
  const turns = project.turns.map((turn) => (turn.keyed === hasKey ? turn : { ...turn, isForeign: true }));
  // Whether the page is of another key is asked again.
  const site = project.site?.isForeign ? { ...project.site, isForeign: false } : project.site;
  return { ...project, turns, site };
}

function changeProject(project: OpenProject, action: Action, hasKey: boolean): OpenProject {
  switch (action.type) {
    case 'followed': {
      const base = { files: project.files, edited: project.edited };
      const turns = project.turns.slice(0, project.at + 1);
      return {
        ...project,
        turns: [...turns, newTurn(action.key, action.form, action.at, hasKey, base)],
        tab: 'chat',
      };
    }
    case 'retried':
      return withTurn(project, action.key, (turn) => newTurn(action.newKey, turn, action.at, hasKey, turn.base));
    case 'ancestor':
      return {
        ...project,
        turns: [oldTurn(action.resource.id, action.resource, hasKey), ...project.turns],
        begunAt: action.resource.createdAt,
        at: project.at < 0 ? -1 : project.at + 1,
        name: nameOf(action.resource.prompt),
      };
    case 'identified':
      return withTurn(project, action.key, (turn) => ({ ...turn, id: action.id }));
    case 'event':
      return adoptFiles(project, action.key, (turn) => afterEvent(turn, action.event, action.at));
    case 'settled':
      return adoptFiles(project, action.key, (turn) => finishTurn(turn, action.resource, action.at));
    case 'turnFailed':
      return withTurn(project, action.key, (turn) => ({
        ...turn,
        failure: action.failure,
        finishedAt: turn.finishedAt ?? action.at,
        writing: [],
        status: isOver(turn) ? turn.status : 'failed',
      }));
    case 'filesLoaded':
      return withTurn(project, action.key, (turn) => ({ ...turn, files: action.files }));
    case 'moved':
      return { ...project, at: action.to, files: action.files, edited: action.edited, busy: undefined };
    case 'edited': {
      if (project.files.get(action.path) === action.content) return project;
      return { ...project, files: new Map(project.files).set(action.path, action.content), edited: true };
    }
    case 'saved':
      return { ...project, safe: action.files };
    case 'tab':
      return { ...project, tab: action.tab, place: undefined };
    case 'selected':
      return { ...project, selected: action.path, place: action.place, tab: 'files' };
    case 'suggested': {
      const count = (project.suggested?.count ?? 0) + 1;
      return { ...project, suggested: { prompt: action.prompt, count }, tab: 'chat' };
    }
    default:
      return withBuild(withSite(project, action), action);
  }
}

function withBuild(project: OpenProject, action: Action): OpenProject {
  const { build } = project;
  const last = { files: build?.files, warnings: build?.warnings ?? [], problems: build?.problems ?? [] };
  switch (action.type) {
    case 'building':
      return { ...project, build: { ...last, of: action.of, isRunning: true } };
    case 'built': {
      const { of, files, warnings } = action;
      return { ...project, build: { of, files, warnings, isRunning: false, problems: [] } };
    }
    case 'buildFailed': {
      const { of, problems, failure } = action;
      return { ...project, build: { ...last, of, problems, failure, isRunning: false } };
    }
    case 'unbuilt':
      return { ...project, build: undefined };
    default:
      return project;
  }
}

function withTurn(project: OpenProject, key: string, change: (turn: Turn) => Turn): OpenProject {
  if (!project.turns.some((turn) => turn.key === key)) return project;
  return { ...project, turns: project.turns.map((turn) => (turn.key === key ? change(turn) : turn)) };
}

/**
 * Changes a turn. The change that completes it makes its files those of the project, if they are a result, or all that a canceled
 * first turn has. Later changes do not: the visitor may have undone the turn, or edited its files.
 */
function adoptFiles(before: OpenProject, key: string, change: (turn: Turn) => Turn): OpenProject {
  const project = withTurn(before, key, change);
  const index = project.turns.findIndex((turn) => turn.key === key);
  const [old, turn] = [before.turns[index], project.turns[index]];
  if (old?.files && isOver(old)) return project;
  if (!turn?.files || !isOver(turn) || project.at === index) return project;
  if (hasResult(turn)) return { ...project, files: turn.files, edited: false, at: index, tab: nextTab(project) };
  const isPartial = project.files.size === 0 && turn.files.size > 0;
  return isPartial ? { ...project, files: turn.files, edited: true } : project;
}

const nextTab = ({ tab, at }: OpenProject) => (tab === 'chat' && at < 0 ? 'preview' : tab);

/** Returns a name for a project: the beginning of its prompt. */
function nameOf(prompt: string): string {
  const line = prompt.trim().split('\n', 1)[0] ?? '';
  return line.length > 60 ? `${line.slice(0, 60).trimEnd()}…` : line;
}
