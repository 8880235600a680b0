import { fileURLToPath } from 'node:url';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import type { Prompt } from './prompts/prompt.ts';
import { type EvaluatedProject, Visitor } from './prompts/visitor.ts';

/** What a browser found at a URL. Every list has one sentence per finding. */
export interface Findings {
  /** Why the page does not render. */
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
  readonly screenshots: Readonly<Record<string, Buffer>>;
}

const IN_PAGE = fileURLToPath(new URL('prompts/in-page.js', import.meta.url));
const NOON = '2026-01-15T12:00:00Z';
const LOAD_MS = 15_000;
const ACTION_MS = 3_000;
const LEAST_CHARACTERS = 20;
const PHONE = 390;
/** Narrow and dark, wide and light: together they show each theme and each layout once. */
const SCREENS = [
  { width: PHONE, height: 844, colorScheme: 'dark' },
  { width: 1280, height: 800, colorScheme: 'light' },
] as const;

type Mutable = { [Name in 'blank' | 'errors' | 'origins' | 'broken' | 'axe']: Set<string> };

/**
 * Opens a URL on a phone and on a desktop, examines it, and performs the steps of a prompt on the desktop.
 * @param url undefined for a project without a page, such as a command: then the steps see an empty one
 * @param steps performed in order, even after one failed
 */
export async function visit(
  browser: Browser,
  url: string | undefined,
  steps: Prompt['steps'],
  project: EvaluatedProject,
): Promise<Findings> {
  const found: Mutable = {
    blank: new Set(),
    errors: new Set(),
    origins: new Set(),
    broken: new Set(),
    axe: new Set(),
  };
  const screenshots: Record<string, Buffer> = {};
  let liveAt = 0;
  let results: Findings['steps'] = [];
  for (const { width, height, colorScheme } of SCREENS) {
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme,
      reducedMotion: 'reduce',
      timezoneId: 'UTC',
      serviceWorkers: 'block',
    });
    await context.clock.install({ time: NOON });
    await context.addInitScript({ path: IN_PAGE });
    const page = await context.newPage();
    page.setDefaultTimeout(ACTION_MS);
    if (url) watch(page, url, found);
    try {
      await page.goto(url ?? 'about:blank', { waitUntil: 'commit', timeout: LOAD_MS });
      liveAt ||= performance.now();
      await page.waitForLoadState(width === PHONE ? 'load' : 'networkidle', { timeout: LOAD_MS });
      if (url) await examine(page, width, found);
      screenshots[width] = await page.screenshot();
      if (width === SCREENS.at(-1)?.width) results = await perform(steps, new Visitor(page, project));
    } catch (error) {
      found.blank.add(`At ${width} px: ${firstLine(error)}`);
    }
    await context.close();
  }
  const unperformed = Object.keys(steps).map((name) => ({ name, problem: 'not reached' }));
  const { blank, errors, origins, broken } = found;
  const lists = { blank: [...blank], errors: [...errors], origins: [...origins], broken: [...broken] };
  return {
    ...lists,
    axe: [...found.axe],
    steps: results.length ? results : unperformed,
    liveAt,
    screenshots,
  };
}

/** Records what goes wrong on a page, from its first request. */
function watch(page: Page, url: string, { errors, origins, broken }: Mutable): void {
  let home = new URL(url).origin;
  page.on('console', (message) => {
    // A failed request is recorded as what it is.
    const ofRequest = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !ofRequest) errors.add(firstLine(message.text()));
  });
  page.on('pageerror', (error) => errors.add(`Uncaught ${error.message}`));
  page.on('dialog', (dialog) => void dialog.accept().catch(() => {}));
  page.on('response', (response) => {
    const main = response.request().isNavigationRequest() && response.frame() === page.mainFrame();
    // The service may redirect to an origin of the deployment.
    if (main && response.status() < 300) home = new URL(response.url()).origin;
    if (response.status() >= 400 && new URL(response.url()).origin === home)
      broken.add(`${response.status()}: ${response.url()}`);
  });
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (/^https?:|^wss?:/.test(protocol) && origin !== home && !request.isNavigationRequest())
      origins.add(request.url());
  });
}

async function examine(page: Page, width: number, { blank, broken, axe: violated }: Mutable): Promise<void> {
  const text = (await page.innerText('body')).trim();
  const pictures = await page.locator('canvas, svg, img').filter({ visible: true }).count();
  if (text.length < LEAST_CHARACTERS && pictures === 0) blank.add(`At ${width} px: the page shows "${text}"`);
  const scrollWidth = await page.evaluate<number>('document.documentElement.scrollWidth');
  if (scrollWidth > width) blank.add(`At ${width} px: the page is ${scrollWidth} px wide`);
  for (const link of await page.evaluate<string[]>('visitor.brokenLinks()')) broken.add(link);
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<axe.AxeResults>("axe.run({ resultTypes: ['violations'] })");
  for (const { id, nodes, help } of violations)
    violated.add(`${id}: ${help} (${nodes[0]?.target.join(' ')})`);
}

async function perform(steps: Prompt['steps'], visitor: Visitor): Promise<Findings['steps']> {
  const results: { name: string; problem?: string }[] = [];
  for (const [name, step] of Object.entries(steps)) {
    const problem = await step(visitor).then(() => undefined, firstLine);
    results.push({ name, ...(problem === undefined ? {} : { problem }) });
  }
  return results;
}

const firstLine = (error: unknown): string => String((error as Error).message ?? error).split('\n')[0] ?? '';
