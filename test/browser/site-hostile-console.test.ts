import type { Page } from 'playwright-core';
import type { DeployedSite } from '../support/site-cloud.ts';
import { browser } from './browser.ts';
import { sharedOrigin } from './clouds.ts';
import { EMPTY_PAGE } from './traces.ts';

const cloud = await sharedOrigin();

/** A page for each of these pairs of policies, one of which could match those of the console. */
const PAGES = [
  ['unsafe-none', 'unsafe-none'],
  ['same-origin', 'unsafe-none'],
  ['same-origin', 'require-corp'],
  ['same-origin-allow-popups', 'credentialless'],
  ['noopener-allow-popups', 'unsafe-none'],
].map(([opener, embedder]) => ({ path: `${opener}-${embedder}`, opener, embedder }));

const HEADERS = PAGES.map(
  ({ path, opener, embedder }) => `/${path}
  Cross-Origin-Opener-Policy: ${opener}
  Cross-Origin-Embedder-Policy: ${embedder}
  Service-Worker-Allowed: /`,
).join('\n');

/** It sends no Referer; otherwise its requests at the root would be redirected to its own site. */
const HTML = `${EMPTY_PAGE}<meta name="referrer" content="no-referrer">`;

/** A service worker that gives the pages their policies, in responses that no server sees. */
const WORKER = `
addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('fetch', (event) => {
  const { pathname } = new URL(event.request.url);
  const page = ${JSON.stringify(PAGES)}.find(({ path }) => pathname.endsWith('/' + path));
  if (!page) return;
  const headers = {
    'content-type': 'text/html',
    'cross-origin-opener-policy': page.opener,
    'cross-origin-embedder-policy': page.embedder,
  };
  event.respondWith(new Response(${JSON.stringify(HTML)}, { headers }));
});`;

/** Registers the service worker, and waits until its life as a new one is over. */
const REGISTER = `navigator.serviceWorker.register('sw.js').then((registration) => new Promise((over) => {
  const worker = registration.installing ?? registration.waiting ?? registration.active;
  const check = () => /^(activated|redundant)$/.test(worker.state) && over(0);
  worker.addEventListener('statechange', check);
  check();
}))`;

const KEY = 'ptp_typed';

/** Lists what a page can read of the documents in the windows that it may have a reference to. */
const READ = `(() => {
  const named = globalThis.popup && open('', 'console');
  const windows = [globalThis.popup, named, opener, parent, top, ...Array.from({ length }, (_, i) => window[i])];
  return windows.filter((one) => one && one !== window).flatMap((one) => {
    try {
      return [...one.document.querySelectorAll('input')].map(({ value }) => value);
    } catch {
      return [];
    }
  });
})()`;

/** Without a siteDomain, deployed sites have the origin of the console, in which people type their API keys. */
describe('a hostile site and the window of the console', () => {
  let site: DeployedSite;
  let page: Page;
  beforeAll(async () => {
    const pages = PAGES.map(({ path }) => [`${path}.html`, HTML]);
    const files = { 'index.html': HTML, 'sw.js': WORKER, _headers: HEADERS };
    site = await cloud.deploy({ ...files, ...Object.fromEntries(pages) });
  });
  beforeEach(async () => {
    page = await (await browser.newContext()).newPage();
  });
  afterEach(() => page.context().close());

  const typeKey = async (console: Page) => {
    await console.waitForURL(`${cloud.baseUrl}/`);
    await console.getByRole('link', { name: 'Account' }).click();
    await console.getByLabel('API key').fill(KEY);
  };

  /** Opens a window from the page. */
  const openFrom = async (url: string) => {
    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      page.evaluate(`globalThis.popup = open('${url}', 'console'), 0`),
    ]);
    await popup.waitForURL((now) => now.href !== 'about:blank');
    return popup;
  };

  /** Opens the console in a window, and then instead of the page. Returns what the other of the two windows can read. */
  const attack = async (url: string) => {
    await page.goto(url);
    const popup = await openFrom('/');
    await typeKey(popup);
    const opened = await page.evaluate<string[]>(READ);
    for (const other of page.context().pages()) if (other !== page) await other.close();
    await page.goto(url);
    const remaining = await openFrom(url);
    await page.evaluate(`location = '/'`);
    await typeKey(page);
    const left = await remaining.evaluate<string[]>(READ);
    await remaining.close();
    return [...opened, ...left];
  };

  const attackAll = async () => {
    const read: string[][] = [];
    for (const { path } of PAGES) {
      for (const value of await attack(`${site.url}/${path}`)) read.push([path, value]);
    }
    return read;
  };

  it('reads nothing of it, whatever policies its pages ask for in _headers', async () => {
    expect(await attackAll()).toEqual([]);
  });

  it('reads nothing of it, whatever policies a service worker would give its pages', async () => {
    await page.goto(`${site.url}/`);
    await page.evaluate(REGISTER);
    expect(await attackAll()).toEqual([]);
  });

  it('is not opened by it, and hears nothing from it', async () => {
    await page.goto(`${site.url}/`);
    await page.evaluate(`{
      globalThis.heard = [];
      const hear = ({ type }) => heard.push(type);
      for (const type of ['storage', 'message']) addEventListener(type, hear);
      new BroadcastChannel('console').onmessage = hear;
    }`);
    const console = await page.context().newPage();
    await console.goto(cloud.baseUrl);
    await typeKey(console);
    const [opened] = await Promise.all([console.waitForEvent('popup'), console.evaluate(`void open('${site.url}/')`)]);
    await opened.waitForLoadState();
    expect(await opened.evaluate('opener')).toBeNull();
    const stored = '[Object.values(localStorage), Object.values(sessionStorage), document.cookie]';
    expect(await page.evaluate(stored)).toEqual([[], [], '']);
    expect(await page.evaluate('caches.keys()')).toEqual([]);
    expect(await page.evaluate('indexedDB.databases()')).toEqual([]);
    expect(await page.evaluate('heard')).toEqual([]);
  });

  it('reads nothing of it from the history of its own window', async () => {
    await page.goto(cloud.baseUrl);
    await typeKey(page);
    await page.goto(`${site.url}/`);
    expect(await page.evaluate(READ)).toEqual([]);
    const entries = await page.evaluate('JSON.stringify([history.state, navigation.entries()])');
    expect(entries).not.toContain(KEY);
    const remaining = await openFrom(`${site.url}/same-origin-unsafe-none`);
    await page.goBack();
    await page.waitForURL((now) => now.pathname === '/');
    expect(await remaining.evaluate(READ)).toEqual([]);
  });

  it('cannot reach the document of its preview in a frame', async () => {
    await page.goto(`${site.url}/`);
    const framed = `new Promise((loaded) => {
      const frame = Object.assign(document.createElement('iframe'), { src: '/preview' });
      frame.onload = () => loaded(frame.contentDocument);
      document.body.append(frame);
    })`;
    expect(await page.evaluate(framed)).toBeNull();
  });
});
