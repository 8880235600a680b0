import type { TrialData } from '../sites/data/trial.ts';
import { isHtml } from '../sites/paths.ts';
import { examineOther, examineView } from './examine.ts';
import { listLinks, listViews } from './in-page/controls.js';
import type { Mapped } from './places.ts';
import type { Tab } from './tab.ts';

/** The number of views and pages that are opened besides the entry, and the time for each of both at each width. */
const MAX_VIEWS = 4;
const VIEWS_MS = 2_000;
const MAX_PAGES = 8;
const PAGES_MS = 8_000;
/** Milliseconds of the clock of a page, as after a press of a link. */
const LOADING_MS = 1_000;

/** Folders whose pages no visitor opens. */
const NOT_VISITED =
  /(?:^|\/)(?:tests?|specs?|__tests__|fixtures|coverage|templates?|partials?|includes|layouts|components|e-?mails?|node_modules)\//i;
const DOCUMENT = /<!doctype|<html\b/i;
const READS_QUERY = /\blocation\.search\b|\bsearchParams\b|\bURLSearchParams\b/;

/** Returns the HTML files of a site that a visitor may open, besides its entry: fragments of pages are none. */
export function otherPages({ files, entry }: Pick<Mapped, 'files' | 'entry'>): string[] {
  const root = rootOf(entry);
  return [...files.keys()]
    .filter((path) => path !== entry && path.startsWith(root) && isHtml(path) && !NOT_VISITED.test(path))
    .filter((path) => DOCUMENT.test(startOf(files.get(path))))
    .sort();
}

/** Opens the views to which links of the entry lead by a fragment such as `#/new`, and examines each. */
export async function openViews(tab: Tab, { entry }: Mapped): Promise<void> {
  const begun = performance.now();
  const document = tab.page.url().split('#')[0];
  const views = (await tab.try(listViews)) ?? [];
  for (const view of views.slice(0, MAX_VIEWS)) {
    if (performance.now() - begun > VIEWS_MS * tab.patience) return;
    tab.begin({ path: entry, view, isWhole: true });
    await tab.goto(document + view);
    await tab.advance(LOADING_MS);
    if (tab.page.url() === document + view) await examineView(tab);
  }
}

/**
 * Opens the other pages of a site, at the address that a link has or else at their own, and examines each without using
 * it. Those with a link come first.
 * @param data of the site
 * @returns the paths of the pages that were opened
 */
export async function openOthers(tab: Tab, site: Mapped, data: TrialData | undefined): Promise<string[]> {
  const { record } = tab;
  const begun = performance.now();
  const waiting = new Set(otherPages(site));
  const linked = new Map<string, string>();
  const opened: string[] = [];
  const addLinks = async () => {
    for (const href of await tab.call(listLinks, site.home)) {
      const path = record.places.fileOf(href);
      if (path !== undefined && waiting.has(path) && !linked.has(path)) linked.set(path, href);
    }
  };
  while (waiting.size > 0 && opened.length < MAX_PAGES && performance.now() - begun < PAGES_MS * tab.patience) {
    await addLinks();
    const [path = ''] = [...linked.keys(), ...waiting].filter((one) => waiting.has(one));
    waiting.delete(path);
    const address = linked.get(path);
    await alsoAsOwner(tab, data, async () => {
      tab.begin({ path, isWhole: address !== undefined || !readsQuery(path, site) });
      await tab.goto(address ?? urlOf(path, site));
      await tab.advance(LOADING_MS);
      // It may lead to another page at once.
      if (record.places.fileOf(tab.page.url()) === path) await examineOther(tab);
    });
    opened.push(path);
  }
  return opened;
}

/**
 * Opens a page, and if it has a part for the owner of the site, once more as the owner: a script in an entry of a visitor that runs
 * there may do what the owner may.
 */
export async function alsoAsOwner(
  { record }: Tab,
  data: TrialData | undefined,
  open: () => Promise<void>,
): Promise<void> {
  if (data) data.hasOwnersPart = false;
  await open();
  if (!data?.hasOwnersPart) return;
  const be = (isOwner: boolean) => {
    data.isOwner = isOwner;
    record.asOwner = isOwner;
  };
  be(true);
  await open().finally(() => be(false));
}

function rootOf(entry: string): string {
  return entry.slice(0, entry.lastIndexOf('/') + 1);
}

function urlOf(path: string, { home, entry }: Mapped): string {
  return home + path.slice(rootOf(entry).length).split('/').map(encodeURIComponent).join('/');
}

/** Reports if a page may need a query, such as the id of what it shows, which is not known without a link. */
function readsQuery(page: string, { files }: Mapped): boolean {
  return [...files].some(
    ([path, content]) => (path === page || /\.m?js$/i.test(path)) && READS_QUERY.test(Buffer.from(content).toString()),
  );
}

function startOf(content: Uint8Array | undefined): string {
  return Buffer.from(content ?? [])
    .subarray(0, 2_000)
    .toString();
}
