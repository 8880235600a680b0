import type { GeneratedFile, GenerationEvent, GenerationResource } from '../../../client/client.ts';
import type { Content, Files, Form, OpenProject, Turn, Working } from './types.ts';

/** Returns a turn that was just sent. */
export function newTurn(key: string, form: Form, at: number, base?: Working): Turn {
  const { prompt, model, duration } = form;
  return {
    key,
    prompt,
    model,
    duration,
    status: 'starting',
    startedAt: at,
    attempts: [],
    written: [],
    writing: [],
    files: new Map(base?.files),
    ...(base && { base }),
  };
}

/** Returns a turn for a generation of an earlier visit, without its files. */
export function oldTurn(key: string, resource: GenerationResource): Turn {
  const { id, prompt, model, duration, status, createdAt } = resource;
  const turn: Turn = {
    key,
    id,
    prompt,
    model,
    duration,
    status,
    startedAt: createdAt,
    attempts: [],
    written: [],
    writing: [],
  };
  return isOver(turn) ? finishTurn(turn, resource, createdAt) : { ...turn, files: new Map() };
}

export const isOver = ({ status }: Turn) => !['starting', 'queued', 'running', 'deploying'].includes(status);

/** Whether a follow-up can be made from it. */
export const hasResult = ({ status }: Turn) => status === 'succeeded' || status === 'incomplete';

/** Returns the id of the generation that a project is, or that is to become it. */
export function currentGeneration({ turns, at }: Pick<OpenProject, 'turns' | 'at'>): string | undefined {
  const last = turns.at(-1);
  return (last && !isOver(last) ? last : (turns[at] ?? last))?.id;
}

/** Returns the turn after an event of its generation. */
export function afterEvent(turn: Turn, { type, data }: GenerationEvent, at: number): Turn {
  switch (type) {
    case 'queued':
      return { ...turn, status: 'queued' };
    case 'attempt': {
      const { attempt, matched, ...rest } = data;
      const attempts = turn.attempts.slice();
      attempts[attempt - 1] = rest;
      return { ...turn, status: 'running', attempts, ...(matched === undefined ? {} : { matched }) };
    }
    case 'writing':
      return { ...turn, writing: data.files };
    case 'plan':
      return { ...turn, plan: data.files };
    case 'file': {
      const written = [...turn.written.filter((path) => path !== data.path), data.path];
      const files = new Map(turn.files).set(data.path, contentOf(data));
      return { ...turn, written, writing: without(turn.writing, data.path), files };
    }
    case 'deleted': {
      const files = new Map(turn.files);
      files.delete(data.path);
      return { ...turn, writing: without(turn.writing, data.path), files };
    }
    case 'look':
      return turn;
    case 'done': {
      const { files, cost, costUnknown } = data;
      const ended = {
        ...turn,
        status: 'succeeded',
        finishedAt: at,
        writing: [],
        files: filesOf(files),
      } as const;
      return { ...ended, ...(cost && { cost }), ...(costUnknown === undefined ? {} : { costUnknown }) };
    }
  }
}

const without = (writing: Turn['writing'], path: string) => writing.filter((file) => file.path !== path);

/** Returns the turn as its ended generation describes it. @param at of now: clocks of service and browser differ */
export function finishTurn(turn: Turn, resource: GenerationResource, at: number): Turn {
  const { id, status, attempts, createdAt, finishedAt } = resource;
  const { plan, changes, problems, matched, cost, costUnknown } = resource;
  const ms = finishedAt === undefined ? at - turn.startedAt : finishedAt - createdAt;
  const known = { plan, changes, problems, matched, cost, costUnknown };
  return {
    ...turn,
    id,
    status,
    attempts,
    finishedAt: turn.startedAt + ms,
    writing: [],
    ...(Object.fromEntries(
      Object.entries(known).filter(([, value]) => value !== undefined),
    ) as Partial<Turn>),
  };
}

/** Returns the files of a response by path. */
export const filesOf = (files: readonly Pick<GeneratedFile, 'path' | 'content' | 'encoding'>[]): Files =>
  new Map(files.map((file) => [file.path, contentOf(file)]));

function contentOf({ content, encoding }: { content: string; encoding?: string }): Content {
  return encoding === 'base64' ? Uint8Array.from(atob(content), (char) => char.charCodeAt(0)) : content;
}
