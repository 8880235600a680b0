import { randomUUID } from 'node:crypto';
import type { Client, GenerateRequest, GenerationEvent, Project } from '../../client/client.ts';
import { LiveLines } from '../../terminal/live-lines.ts';
import { InterruptedError } from '../../terminal/program.ts';
import { printable } from '../../terminal/table.ts';
import { painter, success } from '../../terminal/text.ts';
import type { Context } from './context.ts';
import { Progress } from './progress.ts';
import type { ProjectOutput } from './project-output.ts';

/** Gives the files of a generation to `output`, and shows its progress. Ctrl-C cancels it. */
export async function follow(
  client: Client,
  request: GenerateRequest,
  token: string | undefined,
  output: ProjectOutput,
  name: string,
  context: Context,
): Promise<Project> {
  const { duration } = request;
  const progress = new Progress(painter(context.color), performance.now(), {
    duration,
    before: output.before,
  });
  const live = context.isLive
    ? new LiveLines(context.stderr, (columns) => progress.status(performance.now(), columns))
    : undefined;
  const show = (event: GenerationEvent) => {
    if (live) return live.print(progress.lines(event, live.columns));
    const line = progress.logLine(event);
    if (line !== undefined) context.say(line);
  };
  // With its key, the generation can be found even if Ctrl-C comes before the response that has its id.
  const options = { idempotencyKey: randomUUID(), token };
  const generation = client.generate(request, { ...options, signal: context.signal });
  try {
    for await (const event of generation) {
      if (event.type === 'file') output.take(event.data.path, contentOf(event.data));
      show(event);
    }
    const project = await generation;
    output.finish(new Map(project.files.map((file) => [file.path, contentOf(file)])));
    live?.stop();
    const how = `by ${printable(project.model)} in ${(project.duration / 1_000).toFixed(1)} s`;
    context.say(success(`${output.summary()} in ${name}, ${how}`, context));
    return project;
  } catch (error) {
    live?.stop();
    const left = output.left();
    if (!context.signal.aborted) {
      if (left !== undefined) context.say(`Kept ${left} in ${name}`);
      throw error;
    }
    context.say(left === undefined ? 'Canceling the generation' : `Canceling; kept ${left} in ${name}`);
    const id = await generation.id.catch(() => client.generate(request, options).id);
    await client.generations.cancel(id).catch(() => {});
    throw new InterruptedError();
  }
}

/** Returns the bytes of a file. */
export const contentOf = ({ content, encoding }: Pick<Project['files'][number], 'content' | 'encoding'>) =>
  Buffer.from(content, encoding ?? 'utf-8');
