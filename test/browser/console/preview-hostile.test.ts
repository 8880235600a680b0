import type { Page } from 'playwright-core';
import { browser } from '../browser.ts';
import { sharedOrigin } from '../clouds.ts';
import { openPreview } from './previewed.ts';

const cloud = await sharedOrigin();

/** A worker has its own functions, without the replacements of the preview. */
const WORKER = `const failed = (promise) => promise.then(() => 'sent', () => 'failed');
self.onmessage = async ({ data }) =>
  postMessage([await failed(fetch(data)), await failed(fetch(data, { method: 'POST', mode: 'no-cors' }))]);`;

/** Previews a page with a script, and returns what the page and the console are like after it. */
async function attack(script: string) {
  const index = `<!doctype html><title>Hostile</title><input id="own"><script>
const attempt = (action) => { try { return String(action()); } catch (error) { return error.name; } };
/** The functions of a window without the replacements of the preview. */
const fresh = () => document.documentElement.appendChild(document.createElement('iframe')).contentWindow;
${script}</script>`;
  const previewed = await openPreview(browser, cloud.baseUrl, { 'index.html': index, 'worker.js': WORKER });
  return { ...previewed, frame: await previewed.titled(/^Hostile$/) };
}

const secrets = (page: Page) => page.evaluate('[localStorage.secret, document.cookie, document.title]');
const SECRETS = ['of the console', 'secret=1', 'prompt-to-project'];

describe('a hostile project', () => {
  it('reaches neither the console nor its storage', async () => {
    const { page, frame } = await attack(`globalThis.found = [
      attempt(() => parent.document.title),
      attempt(() => top.localStorage.secret),
      attempt(() => parent.document.cookie),
      attempt(() => frameElement),
      attempt(() => opener),
      attempt(() => fresh().localStorage.secret),
      attempt(() => fresh().document.cookie),
      attempt(() => Object.getOwnPropertyDescriptor(Window.prototype, 'localStorage').get.call(window).secret),
      attempt(() => Object.getOwnPropertyDescriptor(Document.prototype, 'cookie').get.call(document)),
      attempt(() => indexedDB.open('x')),
      attempt(() => localStorage.secret),
      attempt(() => document.cookie),
      self.origin,
    ];`);
    expect(await frame.evaluate('found')).toEqual([
      'SecurityError',
      'SecurityError',
      'SecurityError',
      'null',
      'null',
      'SecurityError',
      'SecurityError',
      'TypeError',
      'SecurityError',
      'SecurityError',
      'undefined',
      '',
      'null',
    ]);
    expect(await secrets(page)).toEqual(SECRETS);
    await page.context().close();
  });

  it('does not navigate the console, or send anything to the service', async () => {
    const requests: string[] = [];
    const { page, frame } = await attack(`globalThis.done = (async () => {
      const api = new URL('/api/v1/usage', location.href).href;
      const worker = new Worker('worker.js');
      const inWorker = new Promise((end) => { worker.onmessage = ({ data }) => end(data); });
      worker.postMessage(api);
      const source = new EventSource(api);
      const bySource = new Promise((end) => { source.onopen = () => end('sent'); source.onerror = () => end('failed'); });
      return [
        attempt(() => { top.location = 'about:blank'; }),
        attempt(() => { parent.location.href = '/docs'; }),
        attempt(() => { open('/docs', '_top'); }),
        ...(await inWorker),
        await bySource,
        attempt(() => navigator.sendBeacon(api, 'x')),
        attempt(() => fresh().fetch(api)),
        attempt(() => { const form = document.body.appendChild(document.createElement('form')); form.action = api; form.method = 'post'; form.submit(); }),
        (await fetch('/api/v1/usage')).status,
      ];
    })();`);
    page.on('request', (request) => requests.push(request.url()));
    const [top, parentLocation, popup, ...sent] = (await frame.evaluate('done')) as string[];
    expect([top, parentLocation]).toEqual(['SecurityError', 'SecurityError']);
    expect(popup).toMatch(/undefined|SecurityError/);
    expect(sent.filter((result) => result === 'sent')).toEqual([]);
    expect(requests.filter((url) => url.includes('/api/'))).toEqual([]);
    expect(page.url()).toBe(`${cloud.baseUrl}/part-of-the-console`);
    expect(await secrets(page)).toEqual(SECRETS);
    await page.context().close();
  });

  it('cannot run in the origin of the service through windows that it opens', async () => {
    const { page, frame } = await attack('');
    const opened = page.waitForEvent('popup');
    await frame.evaluate(`globalThis.windows = []; document.onclick = () => { windows.push(open('/docs')); };`);
    await frame.click('#own');
    const docs = await opened;
    await docs.waitForSelector('h1');
    expect(await docs.evaluate('opener')).toBe(null);
    expect(await frame.evaluate('attempt(() => windows[0].document.title)')).toMatch(/TypeError|SecurityError/);
    // Opened directly, the page of the preview has an opaque origin, and takes no files.
    const direct = await page.context().newPage();
    await direct.goto(`${cloud.baseUrl}/preview`);
    expect(await direct.evaluate('self.origin')).toBe('null');
    const start = `const { port2 } = new MessageChannel();
      postMessage({ files: new Map([['index.html', '<title>Taken</title>']]), url: '/', local: [], session: [] }, '*', [port2]);
      new Promise((next) => setTimeout(next)).then(() => document.title)`;
    expect(await direct.evaluate(start)).toBe('Preview');
    await page.context().close();
  });

  it('is shown to no other site', async () => {
    for (const path of ['/preview', '/preview/', '/preview?x']) {
      const { headers: preview } = await fetch(cloud.baseUrl + path);
      expect(preview.get('content-security-policy')).toMatch(
        /^sandbox (?!.*allow-same-origin).* frame-ancestors 'self'$/,
      );
      expect(preview.get('x-frame-options')).toBe(null);
    }
  });

  it('reports at most so much, and forges messages without effect', async () => {
    const { page, problems } = await attack(`
      for (const message of [{ type: 'open', url: 'https://example.com/' }, { files: new Map(), url: '/' }, 'x'])
        parent.postMessage(message, '*', [new MessageChannel().port1]);
      MessagePort.prototype.postMessage = () => parent.taken();
      for (let n = 0; n < 100; n++) console.error('Problem ' + n + 'x'.repeat(10_000));`);
    await page.waitForFunction(() => (globalThis as unknown as { problems: string[] }).problems.length >= 50);
    const found = await problems();
    expect(found).toHaveLength(50);
    expect(Math.max(...found.map(({ length }) => length))).toBe(1_000);
    expect(page.url()).toBe(`${cloud.baseUrl}/part-of-the-console`);
    await page.context().close();
  });

  it('does not get the keys that the user types in the console', async () => {
    const { page, frame, problems } = await attack(
      `globalThis.told = new Promise((resolve) => { onmessage = ({ data }) => data === 'inert' && resolve(); });`,
    );
    await page.focus('#key');
    await page.mouse.move(0, 0);
    // The process of the frame hears that it is inert after the next picture, and then of this message.
    await page.evaluate(`requestAnimationFrame(() => requestAnimationFrame(() =>
      document.querySelector('iframe').contentWindow.postMessage('inert', '*')))`);
    await frame.evaluate(`told.then(() => {
      globalThis.typed = ''; document.onkeydown = ({ key }) => { typed += key; };
      document.querySelector('#own').focus(); focus();
    })`);
    // The console gives the focus back in a task after the blur.
    await page.evaluate(`new Promise((done) => {
      let kept = 0;
      const check = () => {
        kept = document.activeElement?.id === 'key' ? kept + 1 : 0;
        if (kept < 20) requestAnimationFrame(check);
        else done();
      };
      check();
    })`);
    await page.keyboard.type('ptp_', { delay: 20 });
    expect(await frame.evaluate('typed')).toBe('');
    expect(await page.inputValue('#key')).toBe('ptp_');
    // It can take the focus for a window, and is stopped then.
    await frame.evaluate(`{ const own = fresh(); setInterval(() => own.focus(), 5); }`);
    await page.waitForSelector('.preview-frames:empty');
    await page.keyboard.type('secret');
    expect(await page.inputValue('#key')).toBe('ptp_secret');
    expect((await problems()).at(-1)).toBe('The preview was stopped: the page keeps taking the focus');
    await page.context().close();
  });
});
