import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Client, GenerationEvent, Project } from '../../client/client.ts';
import type { GenerateRequest } from '../../lambda/contract/generate.ts';
import { entryOf } from '../../lambda/sites/entry.ts';
import { nameOf } from '../folder/manifest.ts';
import { newFolder, ProjectWriter } from '../folder/project-writer.ts';
import { LiveLine } from '../live-line.ts';
import { Interrupted } from '../program.ts';
import { printable } from '../table.ts';
import { count, painter, sizeOf, success } from '../text.ts';
import type { Context } from './context.ts';
import { deployFolder, resultOf, show } from './deploy.ts';
import { Progress } from './progress.ts';

export interface GenerateOptions extends Partial<Pick<GenerateRequest, 'model' | 'duration'>> {
  readonly output?: string | undefined;
  /** Replaces files of the same path. */
  readonly force?: boolean | undefined;
  readonly deploy?: boolean | undefined;
  readonly asIs?: boolean | undefined;
  readonly open?: boolean | undefined;
}

/** `ptp generate <prompt>`; `-` reads the prompt from stdin. */
export async function generate(text: string, options: GenerateOptions, context: Context): Promise<void> {
  const prompt = text === '-' ? readFileSync(0, 'utf8') : text;
  const { cwd } = context;
  const folder = options.output === undefined ? newFolder(prompt, cwd) : resolve(cwd, options.output);
  const name = nameOf(folder, cwd);
  const writer = new ProjectWriter(folder, options.force);
  const client = await context.client({ folder });
  const request = { prompt, model: options.model ?? 'auto', duration: options.duration ?? 'auto' } as const;
  const project = await follow(client, request, writer, name, context);
  for (const notice of noticesOf(project, writer)) context.say(painter(context.color)('yellow', notice));
  const files = project.files.map((file) => ({
    path: file.path,
    language: file.language,
    bytes: sizeIn(file),
  }));
  const summary = { ...project, files, folder };
  if (options.deploy && project.status !== 'incomplete') {
    const { manifest, published } = await deployFolder(folder, { asIs: options.asIs }, context);
    const result = { ...summary, deployment: resultOf(published, manifest) };
    context.result(result, (stdout) => stdout.write(`${published.url}\n`));
    if (options.open) await show(published.url, context);
    return;
  }
  context.result(summary, (stdout) => stdout.write(`${name}\n`));
  if (project.status === 'incomplete')
    throw new Error(
      `The project is incomplete: ${(project.problems ?? []).map(printable).join('; ')}. "ptp deploy ${name}" deploys it as it is`,
    );
  const entry = entryOf(files.map(({ path }) => path));
  if (options.open && entry === '') throw new Error('The project has no page to open');
  if (options.open) await show(join(folder, entry), context);
}

/** Writes the files of a generation as they are completed, and shows its progress. Ctrl-C cancels it. */
async function follow(
  client: Client,
  request: GenerateRequest,
  writer: ProjectWriter,
  name: string,
  context: Context,
): Promise<Project> {
  const progress = new Progress(painter(context.color), performance.now());
  const live = context.isLive
    ? new LiveLine(context.stderr, (columns) => progress.status(performance.now(), columns))
    : undefined;
  const show = (event: GenerationEvent) => {
    const now = performance.now();
    if (live) return live.print(progress.lines(event, now, live.columns));
    const line = progress.logLine(event, now);
    if (line !== undefined) context.say(line);
  };
  // With its key, the generation can be found even if Ctrl-C comes before the response that has its id.
  const idempotencyKey = randomUUID();
  const generation = client.generate(request, { idempotencyKey, signal: context.signal });
  const written = () => `${count(writer.count, 'complete file')} in ${name}`;
  try {
    for await (const event of generation) {
      if (event.type === 'file') writer.write(event.data.path, event.data.content);
      if (event.type === 'done')
        for (const { path, content } of event.data.files) writer.write(path, content);
      show(event);
    }
    const project = await generation;
    live?.stop();
    const bytes = project.files.reduce((sum, file) => sum + sizeIn(file), 0);
    const how = `by ${printable(project.model)} in ${(project.duration / 1_000).toFixed(1)} s`;
    const summary = `${count(writer.count, 'file')}, ${sizeOf(bytes)}, in ${name}, ${how}`;
    context.say(success(summary, context));
    return project;
  } catch (error) {
    live?.stop();
    if (!context.signal.aborted) {
      if (writer.count > 0) context.say(`Kept ${written()}`);
      throw error;
    }
    context.say(writer.count > 0 ? `Canceling; kept ${written()}` : 'Canceling the generation');
    const id = await generation.id.catch(() => client.generate(request, { idempotencyKey }).id);
    await client.generations.cancel(id).catch(() => {});
    throw new Interrupted();
  }
}

const sizeIn = ({ content }: { content: string }) => Buffer.byteLength(content);

/** Returns what the user should know of a project that is complete. */
function noticesOf({ status, matched, problems = [] }: Project, { refused }: ProjectWriter): string[] {
  const none =
    'No starter project fits this prompt, so the page only says so: a service with a language model would write it';
  return [
    ...(matched === null ? [none] : []),
    ...(status === 'incomplete' ? [] : problems.map((problem) => `Known problem: ${printable(problem)}`)),
    ...[...refused].map((path) => `Not written, because other tools would trust it: ${path}`),
  ];
}
