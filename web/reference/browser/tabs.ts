import { onClick } from './page.ts';

const root = document.documentElement;

/** Makes the tabs of samples choose the language of all samples (https://www.w3.org/WAI/ARIA/apg/patterns/tabs/). */
export function initTabs(): void {
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
