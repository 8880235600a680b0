import type { Page } from 'playwright-core';
import type { DeployedSite } from '../support/site-cloud.ts';
import { browser } from './browser.ts';
import { sharedOrigin } from './clouds.ts';
import { EMPTY_PAGE, TRACES } from './traces.ts';

const cloud = await sharedOrigin();

/** Without a siteDomain, all deployed sites and the service's own pages share one origin. */
describe('hostile pages under the base URL', () => {
  let site: DeployedSite;
  let victim: DeployedSite;
  let page: Page;
  beforeAll(async () => {
    // It sends no Referer; otherwise its requests at the root would be redirected to its own site.
    const referrer = '<meta name="referrer" content="no-referrer">';
    site = await cloud.deploy({ 'index.html': EMPTY_PAGE + referrer, 'sw.js': '' });
    victim = await cloud.deploy({ 'index.html': EMPTY_PAGE, 'app.js': '' });
  });
  beforeEach(async () => {
    page = await (await browser.newContext()).newPage();
    await page.goto(site.url);
  });
  afterEach(() => page.context().close());

  const openBeside = async (url: string) => {
    const other = await page.context().newPage();
    await other.goto(url);
    return other;
  };

  it('find no data of the service itself', async () => {
    for (const path of ['/', '/docs', '/api/v1/deployments', '/nowhere']) await openBeside(cloud.baseUrl + path);
    for (const [what, , see] of TRACES) expect([what, await page.evaluate(see)]).toEqual([what, []]);
  });

  it.each([
    ['the root', () => `'sw.js', { scope: '/' }`, 'max scope allowed'],
    ['all sites', () => `'sw.js', { scope: '/d/' }`, 'max scope allowed'],
    ['another site', () => `'sw.js', { scope: '/d/${victim.id}/' }`, 'max scope allowed'],
    ['the root, by a script at the root', () => `'/sw.js'`, '404'],
    ['the root, by a script of the service', () => `'/client.js'`, '404'],
    ['the root, by an escaped path', () => `'..%2f..%2fsw.js', { scope: '/' }`, 'disallowed escape'],
  ])('cannot register a service worker for %s', async (_, call, message) => {
    await expect(page.evaluate(`navigator.serviceWorker.register(${call()})`)).rejects.toThrow(message);
  });

  it('have no service worker, since it could give their pages any headers', async () => {
    expect(await page.evaluate(`navigator.serviceWorker.register('sw.js').then(({ scope }) => scope)`)).toBe(
      `${site.url}/`,
    );
    await page.waitForFunction('navigator.serviceWorker.getRegistrations().then((all) => all.length === 0)');
  });

  it('cannot register one for the root through the redirect to their own root', async () => {
    const open = await cloud.deploy({ 'index.html': EMPTY_PAGE, 'sw.js': '' });
    await page.goto(open.url);
    expect(await page.evaluate(`fetch('/sw.js').then(({ url }) => url)`)).toBe(`${open.url}/sw.js`);
    await expect(page.evaluate(`navigator.serviceWorker.register('/sw.js')`)).rejects.toThrow('redirect');
  });

  it.each(['/', '/docs', '/nowhere'])('cannot frame %s', async (path) => {
    const framed = `new Promise((loaded) => {
      const frame = Object.assign(document.createElement('iframe'), { src: '${path}' });
      frame.onload = () => loaded(frame.contentDocument);
      document.body.append(frame);
    })`;
    expect(await page.evaluate(framed)).toBeNull();
  });

  it.each(['/', '/docs', '/nowhere'])('cannot access a window with %s, nor can it access theirs', async (path) => {
    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      page.evaluate(`globalThis.popup = open('${path}'), 0`),
    ]);
    await popup.waitForURL(cloud.baseUrl + path);
    expect(await popup.evaluate('opener')).toBeNull();
    await page.waitForFunction('popup.closed');
    await expect(page.evaluate('popup.document.title')).rejects.toThrow('SecurityError');
  });
});
