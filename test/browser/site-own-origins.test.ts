import type { BrowserContext } from 'playwright-core';
import { newCaller } from '../support/cloud/client.ts';
import type { SiteFiles } from '../support/site-cloud.ts';
import { browser } from './browser.ts';
import { ownOrigins } from './clouds.ts';
import { watchedPage } from './open-project.ts';
import { EMPTY_PAGE } from './traces.ts';

const cloud = await ownOrigins();

const DOMAIN = 'sites.localhost';
const EMPTY: SiteFiles = { 'index.html': EMPTY_PAGE, 'sw.js': '' };

/** A single-page application written for the root of its origin. */
const APP: SiteFiles = {
  'dist/index.html': `<!doctype html><title>App</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="/style.css"><h1></h1><script type="module" src="/app.js"></script>`,
  'dist/style.css': '@import "/more.css"; h1 { color: rgb(1, 2, 3) }',
  'dist/more.css': 'h1 { background-color: rgb(4, 5, 6) }',
  'dist/app.js': `import { state } from '/state.js';
const { state: same } = await import('./state.js');
const { text } = await (await fetch('/data.json')).json();
const show = () => { document.querySelector('h1').textContent = [location.pathname, text, state === same].join(' '); };
addEventListener('popstate', show);
globalThis.go = (path) => { history.pushState(null, '', path); show(); };
show();`,
  'dist/state.js': 'export const state = {};',
  'dist/data.json': '{ "text": "data" }',
};

describe('with a siteDomain, every deployed site has an origin of its own', () => {
  /** The origins of two sites. */
  let sites: readonly [string, string];
  beforeAll(async () => {
    sites = [originOf((await cloud.deploy(EMPTY)).id), originOf((await cloud.deploy(EMPTY)).id)];
  });

  const originOf = (id: string) => `http://${id}.${DOMAIN}:${new URL(cloud.baseUrl).port}`;
  const open = async (context: BrowserContext, url: string) => {
    const page = await context.newPage();
    await page.goto(url);
    return page;
  };
  const openBoth = async () => {
    const context = await browser.newContext();
    return [await open(context, sites[0]), await open(context, sites[1])] as const;
  };

  it('a private page opens with its password, and no other page has the visitor’s access', async () => {
    const { json } = await newCaller(cloud.baseUrl).post('/api/v1/deploy', {
      files: [{ path: 'index.html', content: '<h1>Secret</h1><script>document.title = document.cookie</script>' }],
      access: 'password',
      password: 'correct horse',
    });
    const context = await browser.newContext({ locale: 'de-DE', javaScriptEnabled: false });
    const page = await open(context, `${json.url}/?a=1`);
    for (const password of ['wrong horse', 'correct horse']) {
      await page.getByLabel('Passwort').fill(password);
      await page.getByRole('button', { name: 'Öffnen' }).click();
      if (password !== 'correct horse') await page.getByText('nicht richtig').waitFor();
    }
    await page.getByText('Secret').waitFor();
    expect(page.url()).toBe(`${originOf(json.id)}/?a=1`);
    // Neither its own script nor another page reads the cookie, and none gets the page with it.
    const scripts = await browser.newContext({ storageState: await context.storageState() });
    expect(await (await open(scripts, `${originOf(json.id)}/`)).title()).toBe('');
    const other = await open(scripts, sites[0]);
    const read = `fetch('${originOf(json.id)}/', { credentials: 'include' }).then((one) => one.text(), () => 'refused')`;
    expect(await other.evaluate(read)).toBe('refused');
    expect((await scripts.cookies(sites[0])).map(({ name }) => name)).not.toContain('ptp-access');
    await Promise.all([context.close(), scripts.close()]);
  });

  it('a deployment’s URL redirects there, and references to the root work', async () => {
    const { id, url } = await cloud.deploy(APP);
    const own = originOf(id);
    const { page, faults } = await watchedPage(browser, own);
    const expectRoute = async (path: string) => {
      await page.waitForFunction(`document.querySelector('h1')?.textContent === '${path} data true'`);
      expect(page.url()).toBe(own + path);
      const styles = `(({ color, backgroundColor }) => [color, backgroundColor])(getComputedStyle(document.querySelector('h1')))`;
      expect(await page.evaluate(styles)).toEqual(['rgb(1, 2, 3)', 'rgb(4, 5, 6)']);
    };
    // Not through the redirect, so that every request goes to the site.
    await page.goto(own);
    await expectRoute('/');
    await page.evaluate(`go('/notes/42')`);
    await expectRoute('/notes/42');
    await page.reload();
    await expectRoute('/notes/42');
    await page.goBack();
    await expectRoute('/');
    expect(faults).toEqual([]);
    await page.goto(`${url}/notes/42`);
    await expectRoute('/notes/42');
  });

  it('a site cannot access a window of another', async () => {
    const [page] = await openBoth();
    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      page.evaluate(`globalThis.popup = open('${sites[1]}'), 0`),
    ]);
    // Until then, it shows a page of its opener.
    await popup.waitForURL(`${sites[1]}/`);
    await expect(page.evaluate('popup.document.title')).rejects.toThrow('SecurityError');
  });

  it('a cookie for the siteDomain is shared unless the domain is on the Public Suffix List', async () => {
    const [page, other] = await openBoth();
    await page.evaluate(`document.cookie = 'wide=1; path=/; domain=${DOMAIN}'`);
    expect(await other.evaluate('document.cookie')).toBe('wide=1');
    // The service itself does not receive it.
    expect(await page.context().cookies(cloud.baseUrl)).toEqual([]);
  });

  it('a service worker may control its whole site', async () => {
    const [page] = await openBoth();
    const scope = `navigator.serviceWorker.register('sw.js', { scope: '/' }).then((one) => one.scope)`;
    expect(await page.evaluate(scope)).toBe(`${sites[0]}/`);
  });
});
