import type { BrowserContext, BrowserContextOptions } from 'playwright-core';
import { BROWSER_SLOW, LOOK_LIMITS, LOOK_WIDTHS, type LookProblem, type LookWidth } from '../contract/looks.ts';
import type { TrialData } from '../sites/data/trial.ts';
import { type LookBrowser, TooSlow } from './browser.ts';
import { examine, examineOther } from './examine.ts';
import { Findings, PageRecord } from './findings.ts';
import { pretend } from './in-page/pretend.js';
import { Interceptor, type LookSite, ORIGIN } from './interceptor.ts';
import { alsoAsOwner, openOthers, openViews } from './pages.ts';
import { type Mapped, Places } from './places.ts';
import { IS_OWN, Tab, Unresponsive, within } from './tab.ts';
import { findDeadButtons, Used, use, useKeys } from './use.ts';
import { watch } from './watch.ts';

/** The findings of a browser. */
export interface LookFindings {
  readonly problems: readonly LookProblem[];
  /** PNG images of what is in the window. */
  readonly screenshots: ReadonlyMap<LookWidth, Uint8Array>;
  /** The time was over before the look was: there may be other problems. */
  readonly isPartial: boolean;
}

/** A site at an address. */
interface LookTarget extends Mapped {
  /** The URL of the page. */
  readonly url: string;
  /** Prepares a context in which the site is opened. @returns the data of the site, if this answers requests for it */
  guard(context: BrowserContext, now: number): Promise<TrialData | undefined>;
}

/** Narrow and dark, wide and light: together they show each theme and each layout once. */
const SCREENS: Readonly<Record<LookWidth, BrowserContextOptions>> = {
  390: { viewport: { width: 390, height: 844 }, colorScheme: 'dark', hasTouch: true, isMobile: true },
  1280: { viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
};
const NOON = Date.UTC(2026, 0, 15, 12);
/** Milliseconds of the clock of a page, in which one that loads in steps has done so. */
const LOADING_MS = 2_000;
/** The number of controls to use. */
const ACTIONS: Readonly<Record<LookWidth, number>> = { 390: 5, 1280: 30 };

/** A page at one width, with the data of the site there. */
interface Opened {
  readonly tab: Tab;
  readonly data: TrialData | undefined;
}

/**
 * Opens a site that nobody else can see as a visitor would, and uses it.
 * @param milliseconds when it ends, with what it has found until then
 */
export function look(
  site: LookSite,
  browser: LookBrowser,
  milliseconds: number = LOOK_LIMITS.milliseconds,
): Promise<LookFindings> {
  const interceptor = new Interceptor(site);
  return lookAt(
    {
      files: site.files,
      entry: site.entry,
      home: ORIGIN + site.base,
      url: interceptor.url,
      pathOf: (url) => interceptor.pathOf(url),
      guard: (context, now) => interceptor.guard(context, now),
    },
    browser,
    milliseconds,
  );
}

/**
 * Opens a site at its address on a phone and on a desktop, examines all of its pages, and uses the first one. The same
 * site gives the same findings.
 * @param milliseconds when it ends; a page has more time for all that it does in a look with more
 */
export async function lookAt(
  target: LookTarget,
  browser: LookBrowser,
  milliseconds: number = LOOK_LIMITS.milliseconds,
): Promise<LookFindings> {
  const patience = milliseconds / LOOK_LIMITS.milliseconds;
  const findings = new Findings();
  const screenshots = new Map<LookWidth, Uint8Array>();
  const places = new Places(target);
  const contexts: BrowserContext[] = [];
  const records: PageRecord[] = [];
  const others = new Set<string>();
  let opened = 0;
  const openAt = async (width: LookWidth) => {
    const { context, data } = await contextFor(target, browser, width, patience);
    contexts.push(context);
    const record = new PageRecord(width, places, findings);
    records.push(record);
    const tab = await Tab.open(context, record, patience);
    await watch(tab);
    const picture = await load(tab, target.url);
    opened++;
    if (picture) screenshots.set(width, picture);
    return { tab, data };
  };
  /** Returns the tab if it can still be used. */
  const openRest = async ({ tab, data }: Opened) => {
    if (tab.record.left) return undefined;
    await openViews(tab, target);
    if (data) await showEntries(tab, target.url, data);
    for (const path of await openOthers(tab, target, data)) others.add(path);
    // A page that was opened as its owner has a part that visitors do not see, and they do not use.
    if (tab.record.page !== undefined || data?.hasOwnersPart) await reopen(tab, target.url);
    return tab;
  };
  const all = async () => {
    const tabs = await Promise.all(LOOK_WIDTHS.map((width) => openAt(width).catch(ignoreUnresponsive)));
    // What the entry has at any width is found there first.
    const usable = await Promise.all(
      tabs.map((one) => one && openRest(one).catch((error) => ignoreWhileOpen(one.tab, error))),
    );
    const used = new Used(others);
    for (const tab of usable.reverse())
      if (tab && !findings.isBlank) await useAll(tab, target.url, used).catch((error) => ignoreWhileOpen(tab, error));
  };
  const isPartial = (await within(milliseconds, all())) === undefined;
  for (const record of records) record.flush();
  // The browser of a look ends after it, which does not wait for its contexts.
  for (const context of contexts) void context.close().catch(() => undefined);
  const problems = findings.list();
  if (opened < LOOK_WIDTHS.length && problems.length === 0) throw new TooSlow(BROWSER_SLOW);
  return { problems, screenshots, isPartial };
}

async function contextFor(
  target: LookTarget,
  browser: LookBrowser,
  width: LookWidth,
  patience: number,
): Promise<{ readonly context: BrowserContext; readonly data: TrialData | undefined }> {
  const context = await browser.newContext({
    ...SCREENS[width],
    locale: 'en-US',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
    acceptDownloads: false,
  });
  const data = await target.guard(context, NOON);
  await context.addInitScript({ content: `(${pretend})(${NOON}, ${patience})${IS_OWN}` });
  return { context, data };
}

async function load(tab: Tab, url: string): Promise<Uint8Array | undefined> {
  await tab.goto(url);
  if (tab.record.left) return undefined;
  await tab.advance(LOADING_MS);
  return tab.record.left ? undefined : examine(tab);
}

/** Opens the page again with entries of visitors, which were missing so far, and which are there from now on. */
async function showEntries(tab: Tab, url: string, data: TrialData): Promise<void> {
  await data.fill();
  tab.record.hasEntries = true;
  await alsoAsOwner(tab, data, async () => {
    await reopen(tab, url);
    await examineOther(tab);
  });
}

async function reopen(tab: Tab, url: string): Promise<void> {
  tab.begin(undefined);
  await tab.goto(url);
  await tab.advance(LOADING_MS);
}

async function useAll(tab: Tab, url: string, used: Used): Promise<void> {
  if (tab.record.width === 1280) await findDeadButtons(tab);
  await use(tab, url, used, ACTIONS[tab.record.width]);
  if (tab.record.width === 1280) await useKeys(tab);
}

/**
 * A page may replace itself at any time. Without its browser, nothing of the look is worth anything.
 * @returns the tab if it can still be used
 */
function ignoreWhileOpen(tab: Tab, error: unknown): Tab | undefined {
  if (error instanceof Unresponsive) return undefined;
  if (tab.page.isClosed()) throw error;
  return tab;
}

function ignoreUnresponsive(error: unknown): undefined {
  if (!(error instanceof Unresponsive)) throw error;
}
