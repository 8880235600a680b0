import type { GenerateRequest, GenerationEvent } from '../../../client/client.ts';
import { newKey as newId, withContent } from '../../../client/files.ts';
import { turnOf } from '../state/actions.ts';
import { failureOf } from '../state/failure.ts';
import { filesOf, hasResult, readableId, runningTurn } from '../state/turn.ts';
import type { Form, Turn } from '../state/types.ts';
import type { Context } from './context.ts';

/** Ends the events of the generation that the page follows. */
let following = new AbortController();

function begin(): AbortSignal {
  following.abort();
  following = new AbortController();
  return following.signal;
}

/** Starts a new project. */
export function start(context: Context, form: Form): Promise<void> {
  const key = newId();
  const { dispatch } = context.store;
  dispatch({ type: 'started', projectId: newId(), key, form, at: Date.now() });
  return send(context, key, form);
}

/** Changes the project: from the generation that it is, or with its files if they were changed here. */
export function followUp(context: Context, form: Form): Promise<void> {
  const key = newId();
  context.store.dispatch({ type: 'followed', key, form, at: Date.now() });
  return send(context, key, form);
}

/** Sends a failed turn again. The same key joins a generation whose response was lost, or restarts one that failed. */
export function retry(context: Context, { key, status, ...turn }: Turn): Promise<void> {
  const newKey = status === 'canceled' ? newId() : key;
  context.store.dispatch({ type: 'retried', key, newKey, at: Date.now() });
  return send(context, newKey, turn);
}

/** The longest that a turn which the service has not confirmed is sent again by itself. */
const JOIN_MS = 600_000;

/** Joins the generation of a turn whose response the page did not get, because it was left before. */
export async function join(context: Context, turn: Turn): Promise<void> {
  const { key, startedAt } = turn;
  const at = Date.now();
  if (at - startedAt < JOIN_MS) return send(context, key, turn);
  const failure = {
    code: 'network',
    message: 'The page was left before the service had confirmed the request',
  };
  context.store.dispatch({ type: 'turnFailed', key, failure, at });
}

function send(context: Context, key: string, { prompt, model, duration }: Form): Promise<void> {
  const { project } = context;
  const { base } = turnOf(project, key) ?? {};
  const parent = project?.turns[project.at];
  const from = base && !base.edited && parent ? readableId(parent, Date.now()) : undefined;
  const files = base && !from ? [...base.files].map(([path, content]) => withContent({ path, content })) : undefined;
  const signal = begin();
  const body = { prompt, model, duration, from, files } as GenerateRequest;
  const generation = context.client.generate(body, { idempotencyKey: key, signal });
  return follow(context, key, generation, () => generation.id, signal);
}

/** Follows a generation of an earlier visit, or one that still runs, by its id. */
export function resume(context: Context, key: string, id: string): Promise<void> {
  const signal = begin();
  return follow(context, key, context.client.generations.events(id, { signal }), async () => id, signal);
}

async function follow(
  context: Context,
  key: string,
  events: AsyncIterable<GenerationEvent>,
  idOf: () => Promise<string>,
  signal: AbortSignal,
): Promise<void> {
  const { client } = context;
  const { dispatch } = context.store;
  let id: string | undefined;
  try {
    for await (const event of events) {
      if (id === undefined) {
        id = await idOf();
        dispatch({ type: 'identified', key, id });
      }
      dispatch({ type: 'event', key, event, at: Date.now() });
    }
  } catch (error) {
    if (signal.aborted) return;
    dispatch({ type: 'turnFailed', key, failure: failureOf(error), at: Date.now() });
  }
  if (id === undefined) return;
  try {
    // Not aborted: the next change can begin before the end of this one is known.
    const resource = await client.generations.get(id);
    const isSentAgain = signal.aborted && runningTurn(context.project?.turns)?.key === key;
    if (!isSentAgain) dispatch({ type: 'settled', key, resource, at: Date.now() });
  } catch (error) {
    dispatch({ type: 'failed', failure: failureOf(error) });
  }
}

/** Cancels the running generation. */
export async function cancel(context: Context, { key, id }: Turn): Promise<void> {
  const { dispatch } = context.store;
  if (id === undefined) {
    following.abort();
    const failure = { code: 'network', message: 'Canceled before the service had confirmed the request' };
    return dispatch({ type: 'turnFailed', key, failure, at: Date.now() });
  }
  await context.attempt(async () => {
    const resource = await context.client.generations.cancel(id);
    following.abort();
    dispatch({ type: 'settled', key, resource, at: Date.now() });
  });
}

/** Goes to the result of a turn, or to what there was before the first one that has a base. */
export async function moveTo(context: Context, index: number): Promise<void> {
  const { project, store } = context;
  const next = project?.turns[index + 1];
  const turn = project?.turns[index];
  // Going back restores what was edited by hand before the next turn.
  if (next?.base && index < (project?.at ?? 0)) return store.dispatch({ type: 'moved', to: index, ...next.base });
  if (!turn?.id || !hasResult(turn)) return;
  const files = turn.files ?? (await loadFiles(context, turn, turn.id));
  if (files) store.dispatch({ type: 'moved', to: index, files, edited: false });
}

function loadFiles(context: Context, { key }: Turn, id: string) {
  context.store.dispatch({ type: 'busy', with: 'undo' });
  return context.attempt(async () => {
    const files = filesOf((await context.client.generations.result(id)).files);
    context.store.dispatch({ type: 'filesLoaded', key, files });
    return files;
  });
}

/** Stops following: another project is opened. */
export const leave = () => following.abort();
