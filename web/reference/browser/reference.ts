import type { BrowserData } from '../browser-data.ts';
import { find, onClick, unfold } from './page.ts';
import { initSearch } from './search.ts';
import { initTry } from './try.ts';

/** Marks the current section in the contents, and shows the targets of links. */
function initSections(): void {
  const contents = find('#contents');
  const links = [...contents.querySelectorAll<HTMLAnchorElement>('a[href^="#"]')];
  const sections = links.map((link) => find(link.hash));
  const crossing = new Set<Element>();
  const update = () => {
    // The last sections can be too short to reach the line.
    const atEnd = scrollY > 0 && scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
    const wanted = atEnd
      ? (sections.find((one) => one.matches(':target, :has(:target)')) ?? sections.at(-1))
      : undefined;
    const current = wanted ?? [...crossing][0];
    if (current) mark(contents, links, current.id);
  };
  const note = (entries: readonly IntersectionObserverEntry[]) => {
    for (const { target, isIntersecting } of entries) crossing[isIntersecting ? 'add' : 'delete'](target);
    update();
  };
  // A line somewhat below the place where links lead to.
  const observer = new IntersectionObserver(note, { rootMargin: '-15% 0px -84% 0px' });
  for (const section of sections) observer.observe(section);
  addEventListener('scrollend', update);
  addEventListener('hashchange', () => unfold()?.scrollIntoView());
  onClick('#contents a', () => contents.matches(':popover-open') && contents.hidePopover());
}

function mark(contents: HTMLElement, links: readonly HTMLAnchorElement[], id: string): void {
  for (const link of links) link.ariaCurrent = link.hash === `#${id}` ? 'location' : null;
  const { top = 0, bottom = 0 } = links.find((link) => link.ariaCurrent)?.getBoundingClientRect() ?? {};
  const frame = contents.getBoundingClientRect();
  // `scrollIntoView` would scroll the page too.
  if (top < frame.top + 90 || bottom > frame.bottom - 20) contents.scrollTop += top - frame.top - frame.height / 2;
}

const root = document.documentElement;

/** Makes the tabs of samples choose the language of all samples (https://www.w3.org/WAI/ARIA/apg/patterns/tabs/). */
function initTabs(): void {
  select(root.dataset.language);
  onClick('[role=tab]', choose);
  document.addEventListener('keydown', (event) => {
    const tab = event.target as HTMLElement;
    if (!tab.matches?.('[role=tab]')) return;
    const tabs = [...(tab.parentElement?.children ?? [])] as HTMLElement[];
    const at = tabs.indexOf(tab);
    const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: -1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    tabs.at(next % tabs.length)?.click();
  });
}

function choose(tab: HTMLElement): void {
  const before = tab.getBoundingClientRect().top;
  select(tab.dataset.language);
  // The samples above have other heights now: keeps the tab where it was.
  scrollBy({ top: tab.getBoundingClientRect().top - before, behavior: 'instant' });
  tab.focus({ preventScroll: true });
  // Last, because storage can be disabled: then the choice holds for this page.
  localStorage.setItem('ptp-language', tab.dataset.language ?? '');
}

function select(language = ''): void {
  root.dataset.language = language;
  for (const tab of document.querySelectorAll<HTMLElement>('[role=tab]')) {
    const selected = tab.dataset.language === language;
    tab.ariaSelected = String(selected);
    tab.tabIndex = selected ? 0 : -1;
  }
}

const data = JSON.parse(find('#data').textContent) as BrowserData;
initTabs();
initSections();
initSearch(data.entries);
initTry(data.calls);
