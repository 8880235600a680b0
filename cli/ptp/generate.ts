import { randomUUID } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Client, GenerateRequest, GenerationEvent, Project } from '../../client/client.ts';
import { LIMITS } from '../../lambda/contract/limits.ts';
import { entryOf } from '../../lambda/sites/entry.ts';
import { nameOf } from '../folder/manifest.ts';
import { newFolder } from '../folder/project-writer.ts';
import { LiveLine } from '../live-line.ts';
import { Interrupted, UsageError } from '../program.ts';
import { printable } from '../table.ts';
import { painter, sizeOf, success } from '../text.ts';
import { changeSource, isInPlace } from './change-source.ts';
import type { Context } from './context.ts';
import { deployFolder, resultOf, show } from './deploy.ts';
import { Progress } from './progress.ts';
import { ChangedFolder, NewFolder, type ProjectOutput } from './project-output.ts';

export interface GenerateOptions extends Pick<GenerateRequest, 'model' | 'duration' | 'locked'> {
  /** The project to change: a folder, an id or a URL. */
  readonly from?: string | undefined;
  /** Images to upload. */
  readonly asset?: readonly string[] | undefined;
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
  const { from, locked, asset = [], model = 'auto', duration = 'auto' } = options;
  if (asset.length > LIMITS.imagesPerGeneration)
    throw new UsageError(
      `--asset is given ${asset.length} times, but at most ${LIMITS.imagesPerGeneration} are accepted`,
    );
  if (locked && from === undefined) throw new UsageError('--locked needs --from, the project to change');
  const source = from === undefined ? undefined : changeSource(from, context);
  const given = options.output === undefined ? undefined : resolve(cwd, options.output);
  const inPlace = source?.project && isInPlace(source, given) ? source.project : undefined;
  const folder =
    inPlace && source ? source.folder : (given ?? newFolder(source?.request.from ?? prompt, cwd));
  const output = inPlace ? new ChangedFolder(inPlace) : new NewFolder(folder, options.force);
  const name = nameOf(folder, cwd);
  const client = await context.client({ folder: source?.folder ?? folder, needsKey: asset.length > 0 });
  const assets = await upload(asset, client, context);
  const request = { prompt, model, duration, ...source?.request, locked, assets };
  const project = await follow(client, request, source?.token, output, name, context);
  for (const notice of noticesOf(project, output)) context.say(painter(context.color)('yellow', notice));
  const files = project.files.map((file) => ({
    path: file.path,
    language: file.language,
    bytes: contentOf(file).length,
  }));
  const summary = { ...project, files, folder, ...output.fields };
  if (options.deploy && project.status !== 'incomplete' && !output.lacks) {
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
  if (output.lacks)
    throw new Error(
      `Some files were not written. "ptp generate --from ${project.id} -o DIR PROMPT" continues with all of them`,
    );
  const entry = entryOf(files.map(({ path }) => path));
  if (options.open && entry === '') throw new Error('The project has no page to open');
  if (options.open) await show(join(folder, entry), context);
}

/** Uploads images, and returns the ids of their assets; undefined if there are none. */
async function upload(
  files: readonly string[],
  client: Client,
  context: Context,
): Promise<string[] | undefined> {
  if (files.length === 0) return undefined;
  const { typeOf, uploadFile } = await import('./upload.ts');
  const advice = 'an image is a .png, .jpg, .gif, .webp, .avif or .svg file';
  const sources = files.map((file) => ({ file, type: typeOf(file, advice) }));
  for (const file of files) checkImage(file, context);
  const assets = await Promise.all(
    sources.map(({ file, type }) => uploadFile(file, { type }, client, context)),
  );
  return assets.map(({ asset_id }) => asset_id);
}

/** @throws Error for an image that is too large, before it is uploaded */
function checkImage(file: string, { cwd }: Context): void {
  const size = statSync(resolve(cwd, file), { throwIfNoEntry: false })?.size ?? 0;
  if (size > LIMITS.fileBytes)
    throw new Error(`${file} has ${sizeOf(size)}, but an image of a project at most 1 MB: make it smaller`);
}

/** Gives the files of a generation to `output`, and shows its progress. Ctrl-C cancels it. */
async function follow(
  client: Client,
  request: GenerateRequest,
  token: string | undefined,
  output: ProjectOutput,
  name: string,
  context: Context,
): Promise<Project> {
  const progress = new Progress(painter(context.color), performance.now(), output.before);
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
    throw new Interrupted();
  }
}

/** Returns the bytes of a file. */
const contentOf = ({ content, encoding }: Pick<Project['files'][number], 'content' | 'encoding'>) =>
  Buffer.from(content, encoding ?? 'utf-8');

/** Returns what the user should know of a project. */
function noticesOf({ status, matched, problems = [] }: Project, { refused }: ProjectOutput): string[] {
  const none =
    'No starter project fits this prompt, so the page only says so: a service with a language model would write it';
  return [
    ...(matched === null ? [none] : []),
    ...(status === 'incomplete' ? [] : problems.map((problem) => `Known problem: ${printable(problem)}`)),
    ...refused,
  ];
}
