import { createServer, type ServerResponse } from 'node:http';
import { closeAtEnd } from '../../support/at-end.ts';
import { serve } from '../../support/serve.ts';
import { browser } from '../browser.ts';
import { sharedOrigin } from '../clouds.ts';
import { generate, openConsole, turn } from './open-console.ts';

const cloud = await sharedOrigin();
/** The event stream of the generation. */
let stream: ServerResponse;
const server = createServer((_, response) => {
  stream = response.writeHead(200, { 'content-type': 'text/event-stream', 'x-generation-id': 'g' });
  send('queued', { at: 1 });
});
const { port } = closeAtEnd(await serve(server));

let id = 0;
const send = (type: string, data: object) =>
  stream.write(`${type === 'writing' ? '' : `id: ${++id}\n`}event: ${type}\ndata: ${JSON.stringify(data)}\n\n`);
const attempt = (number: number, more = {}) =>
  send('attempt', { attempt: number, model: 'provider-a/m', kind: 'write', startedAt: 1, ...more });
const writing = (...files: [path: string, characters: number, attempt: number][]) =>
  send('writing', {
    files: files.map(([path, characters, attempt]) => ({ path, characters, attempt })),
  });

it('shows files that grow at the same time without moving anything', async () => {
  const { page } = await openConsole(browser, cloud.baseUrl, { viewport: { width: 390, height: 844 } });
  const url = `http://127.0.0.1:${port}/`;
  await page.route('**/api/v1/generate', (route) => route.continue({ url }));
  await generate(page, 'a quiz');
  await turn(page, 0).locator('.state.queued').waitFor();
  await page.evaluate(`globalThis.shifts = 0; new PerformanceObserver((list) => { shifts += list.getEntries()
    .filter(({ hadRecentInput }) => !hadRecentInput).length; }).observe({ type: 'layout-shift' });`);
  const lines = turn(page, 0).locator('.writing li');
  const shows = (text: string) => lines.filter({ hasText: text }).waitFor();
  attempt(1);
  const paths = ['index.html', 'app.js', 'a-rather-long-name-of-a-module.js'];
  send('plan', { files: paths.map((path, at) => ({ path, purpose: '', group: at < 1 ? 1 : 2 })) });
  attempt(2, { group: 2 });
  writing(['index.html', 900, 1], ['app.js', 2_000, 2]);
  await shows('app.js');
  writing(['index.html', 20_480, 1], ['app.js', 102_400, 2]);
  await shows('100.0\u00a0KB');
  attempt(2, { group: 2, outcome: 'cut_off', reason: 'Too long', ms: 1, files: 0 });
  attempt(3, { group: 2 });
  send('file', { path: 'app.js', content: '', language: 'javascript', bytes: 9 });
  await shows('1 of 2');
  writing(['a-rather-long-name-of-a-module.js', 10, 3]);
  await shows('a-rather-long');
  expect(await lines.count()).toBe(2);
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  expect(await page.evaluate('shifts')).toBe(0);
  await turn(page, 0).getByText('3 attempts, 2 running').click();
  const items = turn(page, 0).locator('.attempts li');
  expect(await items.count()).toBe(3);
  expect(await items.nth(1).innerText()).toMatch(/write, group\s2: continued in/);
  await page.context().close();
});
