import type { Look } from '../../client/client.ts';
import { GENERATION_ID } from '../../lambda/contract/ids.ts';
import { blockingProblem, problemLine, type Width } from '../../lambda/mcp/looks.ts';
import { printable } from '../../terminal/table.ts';
import type { Context } from './context.ts';
import {
  awaitLook,
  checkScreenshot,
  lookHead,
  noPicture,
  type ScreenshotOptions,
  writeScreenshot,
} from './look.ts';
import { asOwner, requireCredential, targetOf } from './target.ts';

/** How long to wait for a look that goes on. */
const WAIT_MS = 60_000;

/** What a browser saw. */
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
  const target = targetOf(argument, context);
  requireCredential(target, context);
  const client = await context.client({ folder: target.folder });
  const wait = { token: target.token, waitMs: WAIT_MS };
  const look = await asOwner(target, () => awaitLook(client, target.id, wait, context));
  const { id, token } = target;
  return { look, read: (width) => client.deployments.screenshot(id, { width, token, signal }) };
}
