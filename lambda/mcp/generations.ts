import type { GenerationEvent, GenerationResource, Project } from '../../client/client.ts';
import { dollars } from '../contract/dollars.ts';
import { lookSentence, otherProblems, picturesOf, problemList, type Width } from './looks.ts';
import { type Call, ToolError, type ToolResult } from './tool.ts';

/** Returns a function that describes an event of a generation in a sentence; undefined if it says nothing new. */
export function progressOf(): (event: GenerationEvent) => string | undefined {
  const said = new Set<string>();
  const complete = new Set<string>();
  let planned = 0;
  const sentence = ({ type, data }: GenerationEvent): string | undefined => {
    if (type === 'attempt' && !data.outcome) return `${data.model} began`;
    if (type === 'plan') {
      planned = data.files.length;
      return `${planned} files are planned`;
    }
    if (type === 'file') {
      complete.add(data.path);
      return `${data.path} is complete`;
    }
    // The result says so, too.
    if (type === 'look' && data.state === 'skipped') return undefined;
    if (type === 'look') return lookSentence(data)?.replace(/\.$/, '');
    if (type !== 'writing' || data.files.length === 0) return undefined;
    const count = data.files.length === 1 ? '1 file is' : `${data.files.length} files are`;
    const done = planned > complete.size ? `${complete.size} of ${planned}` : complete.size;
    return `${count} being written; ${done} complete`;
  };
  return (event) => {
    const text = sentence(event);
    // Attempts at the same time begin alike.
    if (text === undefined || said.has(text)) return undefined;
    said.add(text);
    return text;
  };
}

type Files = Project['files'];

/** Characters of files in one result: more does not fit into the context of many models. */
const CONTENT_CHARACTERS = 200_000;

export const isOver = ({ status }: GenerationResource) => !['queued', 'running', 'deploying'].includes(status);
export const hasProject = ({ status }: GenerationResource) => status === 'succeeded' || status === 'incomplete';

/**
 * Reports events until the generation is over, or for as long as the call may wait since the first one.
 * @param open opens the events, which end with its signal
 * @param abandon called if the call is aborted
 */
export async function follow<Events extends AsyncIterable<GenerationEvent>>(
  open: (signal: AbortSignal) => Events,
  { signal, holdMs, polled, progress }: Call,
  abandon?: (events: Events) => void,
): Promise<{ readonly events: Events }> {
  const hold = new AbortController();
  const events = open(AbortSignal.any([signal, hold.signal]));
  const describe = progressOf();
  let timer: NodeJS.Timeout | undefined;
  try {
    for await (const event of events) {
      if (polled) break;
      timer ??= setTimeout(() => hold.abort(), holdMs);
      const message = describe(event);
      if (message !== undefined) progress(message);
    }
  } catch (error) {
    if (signal.aborted) abandon?.(events);
    if (signal.aborted || !hold.signal.aborted) throw error;
  } finally {
    clearTimeout(timer);
  }
  return { events };
}

/** Returns a generation, after waiting for its end. */
export async function waitForEnd(id: string, call: Call): Promise<GenerationResource> {
  const { generations } = call.client;
  const generation = await generations.get(id, call);
  if (isOver(generation) || call.polled) return generation;
  // An error is the end of the generation, which then has the reason.
  const ended = () => call.signal.throwIfAborted();
  await follow((signal) => generations.events(id, { signal }), call).catch(ended);
  return generations.get(id, call);
}

/**
 * Returns the files of a generation.
 * @param paths of those to return, if they are not too long for a result
 * @throws ToolError for an unknown path, and if there is no project, or not yet
 */
export async function filesOf(generation: GenerationResource, call: Call, paths?: readonly string[]) {
  if (!hasProject(generation)) throw new ToolError(summary(generation));
  const { files } = await call.client.generations.result(generation.id, { signal: call.signal });
  const unknown = paths?.filter((path) => !files.some((file) => file.path === path)) ?? [];
  if (unknown.length > 0) throw new ToolError(`There is no ${unknown.join(', ')}. ${summary(generation)}`);
  const wanted = files.filter(({ path }) => paths?.includes(path) ?? true);
  const length = wanted.reduce((sum, { content }) => sum + content.length, 0);
  if (paths === undefined || length <= CONTENT_CHARACTERS) return wanted;
  throw new ToolError(`These files have ${length} characters: read at most ${CONTENT_CHARACTERS} at once`);
}

/** Returns the result of a tool that returns a generation, with what a browser saw of it if its files were not asked for. */
export async function generationResult(
  generation: GenerationResource,
  { client, signal }: Call,
  contents?: Files,
): Promise<ToolResult> {
  if (contents) return { data: { ...generation, contents }, text: [summary(generation), ...textsOf(contents)] };
  const { id, look } = generation;
  const read = (width: Width) => client.screenshot(id, { width, signal });
  const images = isOver(generation) ? await picturesOf(look, read, signal) : [];
  return { data: generation, text: [summary(generation), ...problemList(look)], images };
}

/** Base64 would fill the context of a model, which cannot read it. */
const textsOf = (contents: Files) =>
  contents.map(({ path, content, encoding }) =>
    encoding === undefined ? `${path}:\n${content}` : `${path} is not text: only the structured result has it`,
  );

/** Returns the state of a generation, and what to do next. */
export function summary(generation: GenerationResource): string {
  const { id, status, files, attempts, problems = [], look, cost, deployment, deploymentError } = generation;
  const count = files.length === 1 ? '1 file' : `${files.length} files`;
  const names = files.length > 0 ? ` (${files.map(({ path }) => path).join(', ')})` : '';
  const reason = attempts.findLast((attempt) => attempt.reason !== undefined)?.reason ?? 'It has no project';
  const project = `To publish it, call deploy with generationId ${id}; to read files, get_generation with their paths`;
  const ended = hasProject(generation) ? project : `${reason}. To try again, call generate`;
  const next = isOver(generation) ? ended : `To wait for it, call get_generation with id ${id}`;
  const price = isOver(generation) && cost && cost.usd > 0 && `It cost ${dollars(cost.usd)}.`;
  const published = deployment && `It is published at ${deployment.url} (deployment ${deployment.id}).`;
  const failed = deploymentError && `It is not published: ${deploymentError.error}.`;
  const known = [...otherProblems(problems, look), lookSentence(look)];
  const verb = status === 'succeeded' || status === 'failed' ? 'has' : 'is';
  const lines = [`Generation ${id} ${verb} ${status}: ${count}${names}.`, ...known, price, published, failed];
  return [...lines, next].filter(Boolean).join(' ');
}
