import type { Page } from 'playwright-core';
import type { SiteFiles } from '../support/site-cloud.ts';
import { browser } from './browser.ts';
import { sharedOrigin } from './clouds.ts';
import { watchedPage } from './open-project.ts';

const cloud = await sharedOrigin();

const page = (title: string, body: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><link rel="icon" href="data:,">${body}`;

/** Displays the route relative to its base as the heading. */
const ROUTER = `const base = new URL(document.baseURI).pathname;
const show = () => {
  document.querySelector('h1').textContent = decodeURI(location.href.split(base)[1]) || 'home';
};
document.addEventListener('click', (event) => {
  const link = event.target.closest('nav a');
  if (!link) return;
  event.preventDefault();
  history.pushState(null, '', link.href);
  show();
});
addEventListener('popstate', show);
show();`;

const APP: SiteFiles = {
  'index.html': page(
    'App',
    `<base href="/"><link rel="stylesheet" href="/app.css"><h1></h1>
<nav><a href="notes/42?sort=new#last">Note</a> <a href="über uns">About</a></nav><script src="/app.js"></script>`,
  ),
  'app.js': ROUTER,
  'app.css': 'h1 { color: rgb(1, 2, 3) }',
};

describe('deployed sites with several pages', () => {
  const open = async (files: SiteFiles, path = '/') => {
    const { url } = await cloud.deploy(files);
    const { page: visited, faults } = await watchedPage(browser, `${url}/`);
    const response = await visited.goto(url + path);
    return { visited, faults, url, status: response?.status() };
  };
  const color = (visited: Page, selector: string) =>
    visited.evaluate(`getComputedStyle(document.querySelector('${selector}')).color`);

  describe('a single-page application', () => {
    const expectRoute = async (visited: Page, address: string, heading: string) => {
      await visited.waitForFunction(`document.querySelector('h1').textContent === ${JSON.stringify(heading)}`);
      expect(decodeURI(visited.url())).toBe(address);
      expect(await color(visited, 'h1')).toBe('rgb(1, 2, 3)');
    };

    it('navigates, goes back and forward, and keeps its route on reload', async () => {
      const { visited, faults, url } = await open(APP);
      await expectRoute(visited, `${url}/`, 'home');
      await visited.click('text=Note');
      await expectRoute(visited, `${url}/notes/42?sort=new#last`, 'notes/42?sort=new#last');
      await visited.click('text=About');
      await expectRoute(visited, `${url}/über uns`, 'über uns');
      for (const _ of [1, 2]) {
        await visited.reload();
        await expectRoute(visited, `${url}/über uns`, 'über uns');
      }
      await visited.goBack();
      await expectRoute(visited, `${url}/notes/42?sort=new#last`, 'notes/42?sort=new#last');
      await visited.reload();
      await expectRoute(visited, `${url}/notes/42?sort=new#last`, 'notes/42?sort=new#last');
      await visited.goBack();
      await expectRoute(visited, `${url}/`, 'home');
      await visited.goForward();
      await expectRoute(visited, `${url}/notes/42?sort=new#last`, 'notes/42?sort=new#last');
      expect(faults).toEqual([]);
    });

    it('is served for a deep link, but not for a missing script', async () => {
      const { visited, faults, url, status } = await open(APP, '/notes/42');
      expect(status).toBe(200);
      await expectRoute(visited, `${url}/notes/42`, 'notes/42');
      expect(faults).toEqual([]);
      // The edge has now cached the application for navigations to this URL.
      const fetched = ['notes/42', 'notes/gone.js', '/gone.js'];
      const statuses = `Promise.all(${JSON.stringify(fetched)}.map(async (path) => (await fetch(path)).status))`;
      expect(await visited.evaluate(statuses)).toEqual([404, 404, 404]);
      const missing = `new Promise((failed) => {
        const script = Object.assign(document.createElement('script'), { src: 'notes/gone.js', onerror: () => failed('failed') });
        document.head.append(script);
      })`;
      expect(await visited.evaluate(missing)).toBe('failed');
    });
  });
});
