import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import type { LookKind } from '../lambda/contract/looks.ts';
import { placedLine } from '../lambda/contract/messages.ts';
import { lookAt } from '../lambda/look/look.ts';
import { chromiumPath, thisMachine } from '../local/chromium.ts';
import { type EvaluatedProject, type Prompt, Visitor } from './prompts/visitor.ts';

/** The findings of a browser at a URL. Every list has one sentence per finding. */
export interface Findings {
  /** Why the page does not render: it is empty, too wide, or hangs. */
  readonly blank: readonly string[];
  /** Console errors and uncaught exceptions. */
  readonly errors: readonly string[];
  /** Requests to other origins. */
  readonly origins: readonly string[];
  /** References and links of the page to files that are missing. */
  readonly broken: readonly string[];
  /** Rules of axe-core that are violated. */
  readonly axe: readonly string[];
  readonly steps: readonly { readonly name: string; readonly problem?: string }[];
  /** When the first response of the URL arrived; a time of `performance.now()`. */
  readonly liveAt: number;
  /** PNG images by width. */
  readonly screenshots: Readonly<Record<string, Uint8Array>>;
}

type List = Exclude<keyof Findings, 'steps' | 'liveAt' | 'screenshots'>;
type Looked = Omit<Findings, 'steps' | 'liveAt'>;

const LISTS: Readonly<Record<LookKind, List>> = {
  blank: 'blank',
  wide: 'blank',
  hung: 'blank',
  layout: 'axe',
  error: 'errors',
  console: 'errors',
  left: 'origins',
  missing: 'broken',
  accessibility: 'axe',
};
const IN_PAGE = fileURLToPath(new URL('prompts/in-page.js', import.meta.url));
const NOON = '2026-01-15T12:00:00Z';
/** What does not come, not what a busy machine takes. */
const LOAD_MS = 60_000;
const ACTION_MS = 15_000;
const LOOK_MS = 90_000;

const ARGUMENTS =
  '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync';

/** Starts the browser that `chromiumPath` finds. */
export function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath(thisMachine()), args: ARGUMENTS.split(' ') });
}

/**
 * Looks at a URL as the service does before it publishes a project, and performs the steps of a prompt on a desktop.
 * @param url undefined for a project without a page, such as a command: then the steps see an empty one
 * @param steps performed in order, even after one failed
 */
export async function visit(
  browser: Browser,
  url: string | undefined,
  steps: Prompt['steps'],
  project: EvaluatedProject,
): Promise<Findings> {
  const { home, unopened, ...performed } = await perform(browser, url, steps, project);
  const seen = home === undefined ? undefined : await lookAtUrl(browser, home, project);
  const { blank = [], errors = [], origins = [], broken = [], axe = [], screenshots = {} } = seen ?? {};
  const all = unopened === undefined ? blank : [unopened, ...blank];
  return { blank: all, errors, origins, broken, axe, screenshots, ...performed };
}

interface Performed extends Pick<Findings, 'steps' | 'liveAt'> {
  /** The URL of the page after redirects; undefined without one. */
  readonly home: string | undefined;
  readonly unopened: string | undefined;
}

async function perform(
  browser: Browser,
  url: string | undefined,
  steps: Prompt['steps'],
  project: EvaluatedProject,
): Promise<Performed> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
    timezoneId: 'UTC',
    serviceWorkers: 'block',
  });
  await context.clock.install({ time: NOON });
  await context.addInitScript({ path: IN_PAGE });
  const page = await context.newPage();
  page.setDefaultTimeout(ACTION_MS);
  page.on('dialog', (dialog) => void dialog.accept().catch(() => {}));
  let liveAt = 0;
  try {
    await page.goto(url ?? 'about:blank', { waitUntil: 'commit', timeout: LOAD_MS });
    liveAt = performance.now();
    await page.waitForLoadState('networkidle', { timeout: LOAD_MS });
    const home = url === undefined ? undefined : page.url();
    return { steps: await performAll(steps, new Visitor(page, project)), liveAt, home, unopened: undefined };
  } catch (error) {
    const unperformed = Object.keys(steps).map((name) => ({ name, problem: 'not reached' }));
    return { steps: unperformed, liveAt, home: url, unopened: firstLine(error) };
  } finally {
    await context.close();
  }
}

async function performAll(steps: Prompt['steps'], visitor: Visitor): Promise<Findings['steps']> {
  const results: { name: string; problem?: string }[] = [];
  for (const [name, step] of Object.entries(steps)) {
    const problem = await step(visitor).then(() => undefined, firstLine);
    results.push({ name, ...(problem === undefined ? {} : { problem }) });
  }
  return results;
}

async function lookAtUrl(browser: Browser, url: string, { files }: EvaluatedProject): Promise<Looked> {
  const home = new URL('.', url).href;
  const elsewhere = new Set<string>();
  const target = {
    url,
    home,
    files: new Map(Array.from(files, ([path, content]) => [path, Buffer.from(content)])),
    entry: 'index.html',
    pathOf: (other: string) => pathBelow(home, other),
    guard: async (context: BrowserContext) => {
      recordElsewhere(context, home, elsewhere);
      return undefined;
    },
  };
  const { problems, screenshots } = await lookAt(target, browser, LOOK_MS);
  const lists = { blank: [], errors: [], origins: [...elsewhere], broken: [], axe: [] } as Record<List, string[]>;
  for (const problem of problems) lists[LISTS[problem.kind]].push(placedLine(problem));
  return { ...lists, screenshots: Object.fromEntries(screenshots) };
}

function pathBelow(home: string, url: string): string | undefined {
  if (!url.startsWith(home)) return undefined;
  const { pathname } = new URL(url);
  return decodeURIComponent(pathname.slice(new URL(home).pathname.length));
}

function recordElsewhere(context: BrowserContext, home: string, elsewhere: Set<string>): void {
  const own = new URL(home).origin;
  context.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (/^https?:|^wss?:/.test(protocol) && origin !== own && !request.isNavigationRequest())
      elsewhere.add(request.url());
  });
}

const firstLine = (error: unknown): string => String((error as Error).message ?? error).split('\n')[0] ?? '';
