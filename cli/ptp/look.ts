import { ApiError, type Client, type Look } from '../../client/client.ts';
import { GENERATION_ID } from '../../lambda/contract/ids.ts';
import { blockingProblem, type LookWait, problemLine, type Width, waitForLook } from '../../lambda/mcp/looks.ts';
import { LiveLines } from '../../terminal/live-lines.ts';
import { UsageError } from '../../terminal/program.ts';
import { count, painter, printable, spinner, success } from '../../terminal/text.ts';
import { writeOutput } from '../../terminal/written-files.ts';
import { nameOf } from '../folder/site.ts';
import type { Context } from './context.ts';
import { linesIn, problemLines } from './problems.ts';
import { asOwner, ownTarget } from './target.ts';

export interface ScreenshotOptions {
  /** The file for a picture of the page. */
  readonly screenshot?: string | undefined;
  readonly width?: '390' | '1280' | undefined;
}

/** @throws UsageError */
export function checkScreenshot({ screenshot, width }: ScreenshotOptions): void {
  if (width && screenshot === undefined) throw new UsageError('--width needs --screenshot, its file');
}

/** Returns what a browser saw in one line, without the problems that it found. */
function lookHead({ state, problems = [], reason = '' }: Look, context: Pick<Context, 'color' | 'columns'>): string {
  const paint = painter(context.color);
  if (state === 'looking') return paint('dim', 'A browser is still looking at it: "ptp look" shows what it saw');
  if (state === 'skipped') return paint('dim', `No browser looked at it: ${printable(reason)}`);
  if (state === 'failed') return paint('yellow', `The browser could not look at it: ${printable(reason)}`);
  if (problems.length === 0) return success('A browser looked at it and found no problems', context);
  return paint('yellow', `A browser looked at it and found ${count(problems.length, 'problem')}:`);
}

/**
 * Prints what a browser saw, with its problems as compilers print them.
 * @param folder of the project, whose lines are shown
 */
export function sayLook(look: Look, folder: string, context: Context): void {
  context.say(lookHead(look, context));
  const { color, columns } = context;
  const problems = (look.problems ?? []).map(({ width, ...problem }) => ({
    ...problem,
    message: width === undefined ? problem.message : `${problem.message} (at ${width} px)`,
  }));
  for (const line of problemLines(problems, linesIn(folder), columns, painter(color))) context.say(line);
}

/** Returns what a browser saw of a deployment, and shows in the meantime that it is looking. */
export async function awaitLook(
  client: Client,
  id: string,
  wait: LookWait,
  context: Context,
): Promise<Look | undefined> {
  const begin = performance.now();
  const status = () => {
    const now = performance.now();
    return [`${spinner(now)} A browser is looking at it · ${Math.floor((now - begin) / 1_000)} s`];
  };
  const live = context.isLive ? new LiveLines(context.stderr, status) : undefined;
  return waitForLook(client, id, { signal: context.signal, ...wait }).finally(() => live?.stop());
}

/**
 * Writes a screenshot to the file that was asked for, if any.
 * @param read requests a picture
 * @throws Error that says why there is none
 */
export async function writeScreenshot(
  { screenshot, width }: ScreenshotOptions,
  look: Look | undefined,
  read: (width: Width) => Promise<Uint8Array>,
  context: Context,
): Promise<void> {
  if (screenshot === undefined) return;
  const bytes = await read(width === '390' ? 390 : 1280).catch((error) => {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
    throw new Error(`There is no screenshot: ${noPicture(look)}`, { cause: error });
  });
  const path = writeOutput(screenshot, context.cwd, bytes, true);
  context.say(success(`Screenshot in ${nameOf(path, context.cwd)}`, context));
}

/** Returns why there is no picture of a page. */
export function noPicture(look: Look | undefined): string {
  if (look === undefined) return 'the project has no page that a browser could look at';
  if (look.state === 'looking') return 'a browser is still looking at the page';
  return printable(look.reason ?? 'the browser could not take it');
}

/** The longest wait for a look in progress. */
const WAIT_MS = 60_000;

/** The result of a look. */
interface Seen {
  readonly look: Look | undefined;
  /** Requests a picture of it. */
  readonly read: (width: Width) => Promise<Uint8Array>;
}

/**
 * `ptp look [id]`: prints what a browser saw, after waiting for it.
 * @throws Error if nobody looked, and for a page that shows nothing or fails while it loads
 */
export async function showLook(
  argument: string | undefined,
  options: ScreenshotOptions,
  context: Context,
): Promise<void> {
  checkScreenshot(options);
  const { look, read } = await lookAt(argument, context);
  if (look === undefined) throw new Error(`No browser looked at it: ${noPicture(look)}`);
  if (look.state === 'looked') context.say(lookHead(look, context));
  context.result(look, (stdout) => {
    for (const problem of look.problems ?? []) stdout.write(`${printable(problemLine(problem))}\n`);
  });
  if (look.state === 'looked') await writeScreenshot(options, look, read, context);
  else throw new Error(lookHead(look, { color: false, columns: 1_000 }));
  const blocking = blockingProblem(look);
  if (blocking) throw new Error(`The page does not work: ${printable(problemLine(blocking))}`);
}

async function lookAt(argument: string | undefined, context: Context): Promise<Seen> {
  const { signal } = context;
  if (argument !== undefined && GENERATION_ID.test(argument)) {
    const client = await context.client();
    const { look } = await client.generations.get(argument, { signal });
    return { look, read: (width) => client.screenshot(argument, { width, signal }) };
  }
  const { target, client, options } = await ownTarget(argument, context);
  const { id, token } = target;
  const look = await asOwner(target, () => awaitLook(client, id, { token, waitMs: WAIT_MS }, context));
  return { look, read: (width) => client.deployments.screenshot(id, { width, ...options }) };
}
