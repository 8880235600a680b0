import type { GeneratedFile, GenerationEvent, GenerationResource } from '../../../client/client.ts';
import type { Content, Files, Form, OpenProject, Turn, Working } from './types.ts';

/** Returns a turn that was just sent. */
export function newTurn(key: string, form: Form, at: number, keyed: boolean, base?: Working): Turn {
  const { prompt, model, duration } = form;
  return {
    key,
    keyed,
    prompt,
    model,
    duration,
    status: 'starting',
    startedAt: at,
    attempts: [],
    looks: new Map(),
    written: [],
    writing: [],
    files: new Map(base?.files),
    ...(base && { base }),
  };
}

/** Returns a turn for a generation of an earlier visit, without its files. */
export function oldTurn(key: string, resource: GenerationResource, keyed: boolean): Turn {
  const { id, prompt, model, duration, status, createdAt } = resource;
  const turn: Turn = {
    key,
    keyed,
    id,
    prompt,
    model,
    duration,
    status,
    startedAt: createdAt,
    attempts: [],
    looks: new Map(),
    written: [],
    writing: [],
  };
  return isOver(turn) ? finishTurn(turn, resource, createdAt) : { ...turn, files: new Map() };
}

export const isOver = ({ status }: Turn) => !['starting', 'queued', 'running', 'deploying'].includes(status);

/** Returns the turn that runs. */
export const runningTurn = (turns: readonly Turn[] = []) => turns.find((turn) => !isOver(turn));

/** Whether a follow-up can be made from it. */
export const hasResult = ({ status }: Turn) => status === 'succeeded' || status === 'incomplete';

/** The service keeps generations for 24 hours. The rest is for clocks that differ, and for the request. */
export const KEPT_MS = 23 * 3_600_000;

/** Returns the id of a generation that the service still gives to this page. @param now in Unix milliseconds */
export function readableId({ id, startedAt, isForeign }: Turn, now: number): string | undefined {
  return isForeign || now - startedAt > KEPT_MS ? undefined : id;
}

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
    case 'look': {
      const { attempt, ...look } = data;
      return { ...turn, looks: new Map(turn.looks).set(attempt, look) };
    }
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
  const { plan, changes, problems, look, deploymentError, matched, cost, costUnknown } = resource;
  const ms = finishedAt === undefined ? at - turn.startedAt : finishedAt - createdAt;
  const known = { plan, changes, problems, look, deploymentError, matched, cost, costUnknown };
  const looks = attempts.flatMap((attempt, index) => (attempt.look ? [[index + 1, attempt.look] as const] : []));
  return {
    ...turn,
    id,
    status,
    attempts,
    looks: new Map([...turn.looks, ...looks]),
    finishedAt: turn.startedAt + ms,
    writing: [],
    ...(Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined)) as Partial<Turn>),
  };
}

/** Returns the files of a response by path. */
export const filesOf = (files: readonly Pick<GeneratedFile, 'path' | 'content' | 'encoding'>[]): Files =>
  new Map(files.map((file) => [file.path, contentOf(file)]));

function contentOf({ content, encoding }: { content: string; encoding?: string }): Content {
  return encoding === 'base64' ? Uint8Array.from(atob(content), (char) => char.charCodeAt(0)) : content;
}
