import type { Look } from '../../client/client.ts';
import { wrap } from '../../terminal/text.ts';
import type { Manifest } from '../folder/manifest.ts';
import { contentOf } from '../folder/scan.ts';
import type { Context } from './context.ts';
import { sayLook } from './look.ts';
import type { Publisher, PublishResult } from './publish.ts';

export interface DeployLookOptions {
  /** Whether to wait for what a browser sees of the page. Default: only if a person reads all of the output. */
  readonly look?: boolean | undefined;
}

/** How long to wait: by default, and if it was asked for. */
const WAIT_MS = { standard: 15_000, asked: 60_000 };

/** Returns whether to wait for a look: a script gets the URL without a delay, unless it asks. */
export function waitsForLook({ look }: DeployLookOptions, { json, isLive, stdout }: Context): boolean {
  return look ?? (isLive && stdout.isTTY === true && !json);
}

/**
 * Shows what a browser saw of a version that was just deployed, after waiting for it. The page is live: no failure changes that.
 * @returns undefined if nobody looked, or the time was over
 */
export async function showDeployLook(
  publisher: Publisher,
  published: PublishResult,
  manifest: Manifest,
  { look: asked = false }: DeployLookOptions,
  context: Context,
): Promise<Look | undefined> {
  const waitMs = asked ? WAIT_MS.asked : WAIT_MS.standard;
  const look = await publisher.look(published, waitMs, context).catch(() => undefined);
  // That a service does not look is said once.
  if (look === undefined || (look.state === 'skipped' && !published.created && !asked)) return look;
  sayLook(look, manifest.site.folder, context);
  const isPublic = published.access === undefined || published.access === 'public';
  if (published.created && isPublic && context.isTerminal && look.screenshots?.[1280] !== undefined)
    for (const line of imageHint(published, manifest, context.columns)) context.say(line);
  return look;
}

/** Returns the line with which other sites show the picture where they link the page; nothing if the page names one. */
function imageHint({ url, entry }: PublishResult, { files }: Manifest, columns: number): string[] {
  const page = files.find(({ path }) => path === entry);
  if (page === undefined || contentOf(page).toString().includes('og:image')) return [];
  const what = `Add this line to the <head> of ${entry}, and links to the page are shown with its picture:`;
  return [...wrap(what, columns, ''), `  <meta property="og:image" content="${url}.png">`];
}
