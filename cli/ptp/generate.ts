import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Client, GenerateRequest, Project } from '../../client/client.ts';
import { withContent } from '../../client/files.ts';
import { dollars } from '../../lambda/contract/dollars.ts';
import { GENERATION_ID } from '../../lambda/contract/ids.ts';
import { LIMITS } from '../../lambda/contract/limits.ts';
import { blockingProblem, otherProblems, problemLine } from '../../lambda/mcp/looks.ts';
import { entryOf } from '../../lambda/sites/paths.ts';
import { projectKind } from '../../lambda/sites/source/kind.ts';
import { UsageError } from '../../terminal/program.ts';
import { painter, printable } from '../../terminal/text.ts';
import { outputPath } from '../../terminal/written-files.ts';
import { newFolder, ProjectFolder } from '../folder/project-writer.ts';
import { checkManifest, findSite, kindOf, manifestOf, nameOf } from '../folder/site.ts';
import { sourceManifest } from '../folder/source.ts';
import type { Context } from './context.ts';
import { deployFolder, resultOf as deployResultOf, show, showFile } from './deploy.ts';
import { checkScreenshot, type ScreenshotOptions, sayLook, writeScreenshot } from './look.ts';
import { explainBuild } from './problems.ts';
import { contentOf, follow } from './progress.ts';
import { ChangedFolder, NewFolder, type ProjectOutput } from './project-output.ts';
import { targetOf } from './target.ts';

export interface GenerateOptions extends Pick<GenerateRequest, 'model' | 'duration' | 'locked'>, ScreenshotOptions {
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
  const { from, locked, asset = [], model = 'auto', duration = 'auto' } = options;
  checkOptions(options);
  const source = from === undefined ? undefined : changeSource(from, context);
  const { folder, output } = outputOf(prompt, source, options, context);
  const name = nameOf(folder, context.cwd);

  const client = await context.client({ folder: source?.folder ?? folder, needsKey: asset.length > 0 });
  const assets = await upload(asset, client, context);
  const request = { prompt, model, duration, ...source?.request, locked, assets };
  const project = await follow(client, request, source?.token, output, name, context);
  const cost = costLine(project);
  if (cost !== undefined) context.say(cost);
  for (const notice of noticesOf(project, output)) context.say(painter(context.color)('yellow', notice));
  if (project.look?.problems?.length) sayLook(project.look, folder, context);
  const read = (width: 390 | 1280) => client.screenshot(project.id, { width, signal: context.signal });
  // The project is complete without it.
  const noScreenshot = await writeScreenshot(options, project.look, read, context).catch((error) => error);

  const result = resultOf(project, folder, output);
  const isComplete = project.status !== 'incomplete' && !output.isPartial;
  const unpublished = options.deploy && isComplete ? unpublishedError(project, name) : undefined;
  const deploys = options.deploy && isComplete && !unpublished;
  if (!deploys) context.result(withError(result, unpublished), (stdout) => stdout.write(`${name}\n`));
  if (!isComplete) throw incompleteError(project, name);
  if (unpublished) throw unpublished;
  if (deploys) await deploy(result, options, context);
  else if (isSource(project))
    context.say(`A browser shows this project once it is built: "ptp deploy ${name}" builds and publishes it`);
  else if (options.open) await open(result, context);
  if (noScreenshot) throw noScreenshot;
}

/** @throws UsageError */
function checkOptions({ from, locked, asset = [], ...options }: GenerateOptions): void {
  const most = LIMITS.imagesPerGeneration;
  if (asset.length > most)
    throw new UsageError(`--asset is given ${asset.length} times, but at most ${most} are accepted`);
  checkScreenshot(options);
  if (locked && from === undefined) throw new UsageError('--locked needs --from, the project to change');
}

/** Returns the folder that the project goes to: the one that is changed in place, the given one, or a new one. */
function outputOf(
  prompt: string,
  source: ChangeSource | undefined,
  options: GenerateOptions,
  { cwd }: Context,
): { folder: string; output: ProjectOutput } {
  const given = options.output === undefined ? undefined : outputPath(options.output, cwd);
  if (source?.project && isInPlace(source, given))
    return { folder: source.folder, output: new ChangedFolder(source.project) };
  const folder = given ?? newFolder(source?.request.from ?? prompt, cwd);
  return { folder, output: new NewFolder(folder, options.force) };
}

/** Uploads images. @returns their ids */
async function upload(paths: readonly string[], client: Client, context: Context) {
  if (paths.length === 0) return undefined;
  const { uploadImages } = await import('./upload.ts');
  return uploadImages(paths, client, context);
}

/** Returns why a page is not deployed together with its generation: it shows nothing, or fails while it loads. */
function unpublishedError({ look }: Project, name: string): Error | undefined {
  const problem = blockingProblem(look);
  if (problem === undefined) return undefined;
  const advice = `"ptp deploy ${name}" publishes it as it is`;
  return new Error(`Not published: ${printable(problemLine(problem))}. The project is in ${name}; ${advice}`);
}

function withError(result: Result, error: Error | undefined) {
  return error ? { ...result, deploymentError: { status: 400, error: error.message } } : result;
}

/** Returns what `--json` prints, without the contents of files. */
function resultOf(project: Project, folder: string, output: ProjectOutput) {
  const files = project.files.map((file) => ({
    path: file.path,
    language: file.language,
    bytes: contentOf(file).length,
  }));
  return { ...project, files, folder, ...output.fields };
}

type Result = ReturnType<typeof resultOf>;

async function deploy(result: Result, { asIs, open }: GenerateOptions, context: Context): Promise<void> {
  const { folder } = result;
  const { manifest, published } = await deployFolder(folder, { asIs }, context).catch((error) => {
    throw explainBuild(error, folder, 'The project is written, but not deployed', context);
  });
  const deployment = deployResultOf(published, manifest);
  context.result({ ...result, deployment }, (stdout) => stdout.write(`${published.url}\n`));
  if (open) await show(published.url, context);
}

function incompleteError({ id, status, problems = [] }: Project, name: string): Error {
  if (status === 'incomplete')
    return new Error(
      `The project is incomplete: ${problems.map(printable).join('; ')}. "ptp deploy ${name}" deploys it as it is`,
    );
  return new Error(`Some files were not written. "ptp generate --from ${id} -o DIR PROMPT" continues with all of them`);
}

function isSource({ files }: Project): boolean {
  return projectKind(new Map(files.map((file) => [file.path, contentOf(file)]))).kind === 'source';
}

async function open({ folder, files }: Result, context: Context): Promise<void> {
  const entry = entryOf(files.map(({ path }) => path));
  if (entry === '') throw new Error('The project has no page to open');
  await showFile(join(folder, entry), context);
}

/** Returns what the generation cost; undefined if it was free, or the service does not say. */
function costLine({ cost, costUnknown }: Project): string | undefined {
  if (costUnknown !== undefined) return `Cost: unknown. ${printable(costUnknown)}`;
  if (cost === undefined || cost.usd === 0) return undefined;
  const repairs = cost.repairsUsd ? `, of which ${dollars(cost.repairsUsd)} for repairs` : '';
  return `Cost: ${dollars(cost.usd)}${repairs}`;
}

/** Returns what the user should know of a project. */
function noticesOf({ status, matched, problems = [], look }: Project, { refused }: ProjectOutput): string[] {
  const none =
    'No starter project fits this prompt, so the page only says so: a service with a language model would write it';
  const others = status === 'incomplete' ? [] : otherProblems(problems, look);
  return [
    ...(matched === null ? [none] : []),
    ...others.map((problem) => `Known problem: ${printable(problem)}`),
    ...refused,
  ];
}

/** The project that `--from` names. */
interface ChangeSource {
  /** The fields of the request that name or contain the project. */
  readonly request: Pick<GenerateRequest, 'from' | 'files'>;
  /** The folder whose `.ptp.json` names the service. */
  readonly folder: string;
  /** Its files, if it is a folder. */
  readonly project?: ProjectFolder;
  /** The token of a deployment without an owner. */
  readonly token?: string | undefined;
}

/**
 * Returns the project that an argument names: a folder, the id of a generation or deployment, or the URL of a page. The
 * files of a folder are always sent, because the live version may have changed since the last deploy.
 * @throws UsageError if it names none
 */
function changeSource(argument: string, context: Context): ChangeSource {
  const folder = resolve(context.cwd, argument);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folderSource(folder);
  if (GENERATION_ID.test(argument)) return { request: { from: argument }, folder: context.cwd };
  const { id, token } = targetOf(argument, context);
  return { request: { from: id }, folder: context.cwd, token };
}

/** Returns the files that a deploy of the folder itself would send; of source, those that a build needs. */
function folderSource(folder: string): ChangeSource {
  const site = findSite(folder, { asIs: true });
  const all = manifestOf(site, {});
  const manifest = kindOf(all).kind === 'source' ? sourceManifest(all) : all;
  if (manifest.files.length === 0) throw new Error(`The folder "${folder}" has no files to change`);
  checkManifest(manifest);
  const project = new ProjectFolder(site.folder, manifest.files);
  return { request: { files: project.files.map(withContent) }, folder, project };
}

/** Reports if a folder is that of the source, which is then changed in place. */
function isInPlace({ project, folder }: ChangeSource, output: string | undefined): boolean {
  if (!project) return false;
  return output === undefined || (existsSync(output) && realpathSync(output) === realpathSync(folder));
}
