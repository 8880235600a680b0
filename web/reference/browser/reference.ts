import type { BrowserData } from '../browser-data.ts';
import { find } from './page.ts';
import { initSearch } from './search.ts';
import { initSections } from './sections.ts';
import { initTabs } from './tabs.ts';
import { initTry } from './try.ts';

const data = JSON.parse(find('#data').textContent) as BrowserData;
initTabs();
initSections();
initSearch(data.entries);
initTry(data.calls);
