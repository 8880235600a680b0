import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { ApiError, type Client, type Look } from '../../client/client.ts';
import { type LookWait, type Width, waitForLook } from '../../lambda/mcp/looks.ts';
import { LiveLines } from '../../terminal/live-lines.ts';
import { UsageError } from '../../terminal/program.ts';
import { printable } from '../../terminal/table.ts';
import { count, painter, spinner, success } from '../../terminal/text.ts';
import { nameOf } from '../folder/manifest.ts';
import type { Context } from './context.ts';
import { linesIn, problemLines } from './problems.ts';

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
export function lookHead(
  { state, problems = [], reason = '' }: Look,
  context: Pick<Context, 'color' | 'columns'>,
): string {
  const paint = painter(context.color);
  if (state === 'looking')
    return paint('dim', 'A browser is still looking at it: "ptp look" shows what it saw');
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
  const path = resolve(context.cwd, screenshot);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
  context.say(success(`Screenshot in ${nameOf(path, context.cwd)}`, context));
}

/** Returns why there is no picture of a page. */
export function noPicture(look: Look | undefined): string {
  if (look === undefined) return 'the project has no page that a browser could look at';
  if (look.state === 'looking') return 'a browser is still looking at the page';
  return printable(look.reason ?? 'the browser could not take it');
}
