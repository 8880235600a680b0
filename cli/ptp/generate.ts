import { readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { Client, Generation, GenerationEvent, Project } from '../../client/client.ts';
import type { GenerateRequest } from '../../lambda/contract/generate.ts';
import { entryOf } from '../../lambda/sites/entry.ts';
import { Interrupted } from '../program.ts';
import type { Context } from './context.ts';
import { LiveLine } from './live-line.ts';
import { Progress } from './progress.ts';
import { newFolder, ProjectWriter } from './project-writer.ts';
import { clientFor } from './publish.ts';
import { clean, count, painter, sizeOf, wrap } from './text.ts';

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
  const client = clientFor(context, folder);
  const request = { prompt, model: options.model ?? 'auto', duration: options.duration ?? 'auto' } as const;
  const project = await follow(
    client,
    client.generate(request, { signal: context.signal }),
    writer,
    name,
    context,
  );
  const summary = { ...describe(project, writer), folder };
  const refused = writer.refused.map((path) => `Not written: ${path}, which other tools would run or trust`);
  for (const notice of [...noticesOf(project), ...refused])
    context.say(painter(context.color)('yellow', notice));
  if (project.status === 'incomplete') {
    context.result(summary, (stdout) => stdout.write(`${name}\n`));
    throw new Error(
      `The project is incomplete: ${missing(project)}${options.deploy ? `. Nothing was deployed; "ptp deploy ${name}" deploys it as it is` : ''}`,
    );
  }
  if (!options.deploy) {
    context.result(summary, (stdout) => stdout.write(`${name}\n`));
    if (options.open) await open(folder, project);
    return;
  }
  const { deployFolder, openPage, resultOf } = await import('./deploy.ts');
  const { manifest, published } = await deployFolder(folder, { asIs: options.asIs }, context);
  const result = { ...summary, deployment: resultOf(published, manifest) };
  context.result(result, (stdout) => stdout.write(`${published.url}\n`));
  if (options.open) await openPage(published.url);
}

/** Writes the files of a generation as they are completed, and shows its progress. Ctrl-C cancels it. */
async function follow(
  client: Client,
  generation: Generation,
  writer: ProjectWriter,
  name: string,
  context: Context,
): Promise<Project> {
  const paint = painter(context.color);
  const progress = new Progress(paint, performance.now());
  const live = LiveLine.on(context, (columns) => progress.status(performance.now(), columns));
  const show = (event: GenerationEvent) => {
    const now = performance.now();
    if (live) return live.print(progress.lines(event, now, live.columns));
    const line = progress.logLine(event, now);
    if (line !== undefined) context.say(line);
  };
  let id: string | undefined;
  try {
    for await (const event of generation) {
      id ??= await generation.id;
      if (event.type === 'file') writer.write(event.data.path, event.data.content);
      if (event.type === 'done')
        for (const { path, content } of event.data.files) writer.write(path, content);
      show(event);
    }
    const project = await generation;
    live?.stop();
    const bytes = [...writer.written.values()].reduce((sum, size) => sum + size, 0);
    const made = `${count(writer.written.size, 'file')} (${sizeOf(bytes)}) in ${name}`;
    const how = `by ${clean(project.model)} in ${(project.duration / 1_000).toFixed(1)} s`;
    context.say(
      wrap(`${paint('green', '✓')} ${made}, ${how}`, live?.columns ?? Number.POSITIVE_INFINITY, '  '),
    );
    return project;
  } catch (error) {
    live?.stop();
    writer.discard();
    const kept =
      writer.written.size > 0 ? `${count(writer.written.size, 'complete file')} kept in ${name}` : '';
    if (!context.signal.aborted) {
      if (kept) context.say(kept);
      throw error;
    }
    if (id !== undefined) await client.generations.cancel(id).catch(() => undefined);
    context.say(`Canceled${kept ? `: ${kept}` : ''}`);
    throw new Interrupted();
  }
}

function describe({ files, ...project }: Project, writer: ProjectWriter) {
  const listed = files.map(({ path, language }) => ({
    path,
    language,
    bytes: writer.written.get(path) ?? 0,
  }));
  return { ...project, files: listed };
}

/** Returns what the user should know of a project that is complete. */
function noticesOf({ status, matched, problems = [] }: Project): string[] {
  const none =
    'No starter project of the service fits this prompt, so the page only says so: a service with a language model would write it';
  if (matched === null) return [none];
  return status === 'incomplete' ? [] : problems.map((problem) => `Known problem: ${clean(problem)}`);
}

const missing = ({ problems = [] }: Project) =>
  problems.map(clean).join('; ') || 'its last answer was cut off';

async function open(folder: string, { files }: Project): Promise<void> {
  const entry = entryOf(files.map(({ path }) => path));
  if (entry === '') throw new Error('The project has no page to open');
  await (await import('./deploy.ts')).openPage(join(folder, entry));
}

function nameOf(folder: string, cwd: string): string {
  const path = relative(cwd, folder);
  if (path === '') return '.';
  return path.startsWith('..') ? folder : `./${path}`;
}
