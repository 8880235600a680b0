import * as z from 'zod';
import { BUILD_LIMITS } from '../contract/limits.ts';
import { LOOK_LIMITS, type LookProblem, type LookWidth } from '../contract/looks.ts';
import { log, logAbout } from '../platform/log.ts';
import { download } from '../platform/presigned.ts';
import { unpackSite } from '../sites/archive.ts';
import {
  BrowserEnded,
  type Chromium,
  LaunchFailed,
  type LookBrowser,
  NotInstalled,
  TooSlow,
  withBrowser,
} from './browser.ts';
import type { LookSite } from './interceptor.ts';
import type { LookFindings } from './look.ts';

const lookEvent = z.strictObject({
  /** Presigned URL of the site (`packSite`). */
  in: z.url(),
  /** Path of the page; an empty string if there is none. */
  entry: z.string(),
  /** Fields for the log lines of this invocation. */
  about: z.record(z.string(), z.unknown()).default({}),
});

/** The findings of a browser, or the reason why it failed, which is never a fault of the page. */
export type LookOutcome =
  | {
      readonly looked: true;
      readonly problems: readonly LookProblem[];
      /** PNG images as base64. */
      readonly screenshots: { readonly [Width in LookWidth]?: string };
      readonly isPartial?: true;
      readonly browser: string;
      readonly ms: number;
    }
  | { readonly looked: false; readonly reason: string };

/** Looks at a site in a browser of its own, which ends at a time of `performance.now()`. */
type LookOnce = (site: LookSite, deadline: number) => Promise<LookOutcome>;

/** A site with the headers of its archive. */
const MOST_BYTES = BUILD_LIMITS.outputBytes + 1_048_576;

/** The function has a timeout of 60 s; its first download can take 15 s, and the browser 20 s until it has started. */
const DEADLINE_MS = 56_000;

/** A look ends by itself in `LOOK_LIMITS.milliseconds`, with what it has found so far. */
const GRACE_MS = 2_000;

/** A fault of the browser, and a page that ends it, are tried again. */
const ATTEMPTS = 2;

const MESSAGES: Readonly<Record<BrowserEnded['why'], string>> = {
  late: 'The page does not respond: a script runs without an end',
  memory: 'The page needs too much memory',
  crash: 'The page makes the browser crash',
};

const CONTROL = '<!doctype html><html lang="en"><title>Page</title><main><h1>Page</h1><button>Press</button></main>';

/**
 * Returns the handler of the look function. The log has numbers only: neither paths nor contents.
 * @param base the path at which sites are opened; begins and ends with a slash
 */
export function lookHandler(
  chromium: () => Promise<Chromium>,
  base: string,
  look: (site: LookSite, browser: LookBrowser) => Promise<LookFindings>,
) {
  const lookOnce: LookOnce = (site, deadline) => inBrowser(chromium, deadline, (browser) => look(site, browser));
  return async (event: unknown): Promise<LookOutcome> => {
    const begun = performance.now();
    const { in: url, entry, about } = lookEvent.parse(event);
    logAbout(about);
    const archive = await download(url, MOST_BYTES);
    if (!archive) throw new Error('The site does not exist');
    const files = unpackSite(archive);
    const downloaded = performance.now();
    const outcome = await lookAt({ files, entry, base }, lookOnce, begun + DEADLINE_MS);
    log.info('look', {
      files: files.size,
      bytes: archive.length,
      ...(outcome.looked ? { problems: outcome.problems.length } : { failed: 1 }),
      downloadMs: Math.round(downloaded - begun),
      ms: Math.round(performance.now() - begun),
    });
    return outcome;
  };
}

/** Looks at a site. @param deadline a time of `performance.now()`, at which it has ended */
async function lookAt(site: LookSite, lookOnce: LookOnce, deadline: number): Promise<LookOutcome> {
  let fault: unknown;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    try {
      return await lookOnce(site, deadline);
    } catch (error) {
      fault = error;
      if (error instanceof NotInstalled) break;
      log.error('browser failed', { error, attempt });
      // A second page would hang as long as the first one.
      if (error instanceof BrowserEnded && error.why === 'late') break;
      if (deadline - performance.now() < LOOK_LIMITS.milliseconds) break;
    }
  }
  if (!(fault instanceof BrowserEnded)) return { looked: false, reason: reasonOf(fault) };
  if (fault.why === 'crash' && !(await works(lookOnce, deadline)))
    return { looked: false, reason: 'The browser crashes' };
  const problem = { kind: 'hung', message: MESSAGES[fault.why], blocking: true } as const;
  return { looked: true, problems: [problem], screenshots: {}, browser: 'Chromium', ms: 0 };
}

async function inBrowser(
  chromium: () => Promise<Chromium>,
  deadline: number,
  look: (browser: LookBrowser) => Promise<LookFindings>,
): Promise<LookOutcome> {
  const begun = performance.now();
  const milliseconds = LOOK_LIMITS.milliseconds + GRACE_MS;
  return await withBrowser({ ...(await chromium()), milliseconds, deadline }, async (browser) => {
    const { problems, screenshots, isPartial } = await look(browser);
    return {
      looked: true,
      problems: problems.slice(0, LOOK_LIMITS.problems),
      screenshots: encoded(screenshots),
      ...(isPartial && { isPartial }),
      browser: `Chromium ${browser.version()}`,
      ms: Math.round(performance.now() - begun),
    };
  });
}

/** Returns whether the browser looks at a page without a fault: then the page before has made it crash. */
async function works(lookOnce: LookOnce, deadline: number): Promise<boolean> {
  const site = { files: new Map([['index.html', Buffer.from(CONTROL)]]), entry: 'index.html', base: '/' };
  return await lookOnce(site, deadline).then(
    () => true,
    () => false,
  );
}

function reasonOf(fault: unknown): string {
  if (fault instanceof NotInstalled) return 'The browser is not installed yet';
  if (fault instanceof TooSlow) return fault.message;
  return fault instanceof LaunchFailed ? 'The browser does not start' : 'The browser failed';
}

function encoded(screenshots: LookFindings['screenshots']): { readonly [Width in LookWidth]?: string } {
  const small = [...screenshots].filter(([, { length }]) => length <= LOOK_LIMITS.screenshotBytes);
  return Object.fromEntries(small.map(([width, png]) => [width, Buffer.from(png).toString('base64')]));
}
