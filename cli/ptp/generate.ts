import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { GenerateRequest, Project } from '../../client/client.ts';
import { LIMITS } from '../../lambda/contract/limits.ts';
import { entryOf } from '../../lambda/sites/entry.ts';
import { UsageError } from '../../terminal/program.ts';
import { printable } from '../../terminal/table.ts';
import { painter } from '../../terminal/text.ts';
import { nameOf } from '../folder/manifest.ts';
import { newFolder } from '../folder/project-writer.ts';
import { changeSource, isInPlace } from './change-source.ts';
import type { Context } from './context.ts';
import { deployFolder, resultOf, show } from './deploy.ts';
import { contentOf, follow } from './follow.ts';
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
  const assets =
    asset.length === 0 ? undefined : await (await import('./upload.ts')).uploadImages(asset, client, context);
  const request = { prompt, model, duration, ...source?.request, locked, assets };
  const project = await follow(client, request, source?.token, output, name, context);
  for (const notice of noticesOf(project, output)) context.say(painter(context.color)('yellow', notice));
  const files = project.files.map((file) => ({
    path: file.path,
    language: file.language,
    bytes: contentOf(file).length,
  }));
  const summary = { ...project, files, folder, ...output.fields };
  if (options.deploy && project.status !== 'incomplete' && !output.isPartial) {
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
  if (output.isPartial)
    throw new Error(
      `Some files were not written. "ptp generate --from ${project.id} -o DIR PROMPT" continues with all of them`,
    );
  const entry = entryOf(files.map(({ path }) => path));
  if (options.open && entry === '') throw new Error('The project has no page to open');
  if (options.open) await show(join(folder, entry), context);
}

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
