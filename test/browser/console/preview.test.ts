import { resolve } from 'node:path';
import { build } from 'esbuild';
import { compose } from '../../../blueprints/engine/compose.ts';
import { browser } from '../browser.ts';
import { sharedOrigin } from '../clouds.ts';
import { openPreview, type PreviewedFiles } from './previewed.ts';

const cloud = await sharedOrigin();

// A picture of one pixel.
const GIF = [...Buffer.from('R0lGODlhAQABAIAAAP///wAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64')];

const SITE: PreviewedFiles = {
  'dist/index.html': `<!doctype html><html lang="en"><title>Home</title>
<link rel="stylesheet" href="/css/style.css"><link rel="icon" href="data:,">
<script type="importmap">{ "imports": { "lib": "./js/lib.js", "all/": "./js/" } }</script>
<h1>Home</h1><img id="picture" src="img/a.gif" srcset="img/a.gif 1x, /img/a.gif 2x"><div id="bare"></div>
<a href="about.html?from=home#end">About</a> <a href="docs/">Docs</a> <a href="nowhere">Nowhere</a>
<form action="about.html"><input name="q" value="1 2"><button>Search</button></form>
<script>globalThis.order = [document.readyState, document.title];</script>
<script src="js/classic.js"></script>
<script type="module">import { value } from './js/main.js'; globalThis.inline = value;</script>
<script type="module" src="js/main.js"></script>`,
  'dist/css/style.css': '@import "more.css"; h1 { color: rgb(1, 2, 3) }',
  'dist/css/more.css': '#bare { background-image: url(../img/a.gif) }',
  'dist/img/a.gif': GIF,
  'dist/js/classic.js': `order.push('classic'); localStorage.setItem('visits', Number(localStorage.visits ?? 0) + 1);`,
  'dist/js/lib.js': `import { value } from './main.js'; export const again = () => value;`,
  'dist/js/main.js': `import { again } from 'lib';
import * as same from 'all/lib.js';
export const value = 'value';
const name = 'lazy';
const { lazy } = await import(\`./\${name}.js\`);
const { text } = await (await fetch('data.json')).json();
const missing = await fetch('/api/v1/usage');
const request = new XMLHttpRequest();
const xhr = await new Promise((loaded) => { request.onload = () => loaded(request.responseText); request.open('GET', 'data.json'); request.send(); });
const added = Object.assign(new Image(), { src: 'img/a.gif' });
await added.decode();
document.body.insertAdjacentHTML('beforeend', '<img id="late" src="img/a.gif">');
await document.querySelector('#late').decode();
globalThis.result = [again(), same.again(), lazy, text, missing.status, JSON.parse(xhr).text, new URL('x', import.meta.url).pathname, added.naturalWidth];`,
  'dist/js/lazy.js': `export const lazy = 'lazy';`,
  'dist/data.json': '{ "text": "data" }',
  'dist/about.html': `<!doctype html><title>About</title><p id="visits"></p><p id="end">End</p>
<script>document.querySelector('#visits').textContent = localStorage.getItem('visits') + location.search + location.hash;</script>
<a href="/">Home</a><button onclick="location.href = 'docs/index.html'">Script</button>`,
  'dist/docs/index.html': '<!doctype html><title>Docs</title><img src="../img/a.gif"><a href="../index.html">Up</a>',
};

describe('a preview', () => {
  it('runs a project as it would be deployed', async () => {
    const { page, faults, frame, problems } = await openPreview(browser, cloud.baseUrl, SITE);
    const shown = await frame();
    await shown.waitForFunction('globalThis.result');
    expect(await shown.evaluate('result')).toEqual(['value', 'value', 'lazy', 'data', 404, 'data', '/js/x', 1]);
    expect(await shown.evaluate('[inline, ...order]')).toEqual(['value', 'loading', 'Home', 'classic']);
    expect(await shown.evaluate(`getComputedStyle(document.querySelector('h1')).color`)).toBe('rgb(1, 2, 3)');
    expect(await shown.evaluate(`getComputedStyle(document.querySelector('#bare')).backgroundImage`)).toMatch(
      /^url\("blob:/,
    );
    expect(await shown.evaluate(`document.querySelector('#picture').naturalWidth`)).toBe(1);
    expect(await problems()).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('follows links, forms and scripts to other pages, which share their storage', async () => {
    const { page, titled, problems } = await openPreview(browser, cloud.baseUrl, SITE);
    await (await titled(/^Home$/)).click('text=About');
    let shown = await titled(/^About$/);
    expect(await shown.innerText('#visits')).toBe('1?from=home#end');
    await shown.click('a:text-is("Home")');
    await (await titled(/^Home$/)).click('text=Search');
    shown = await titled(/^About$/);
    expect(await shown.innerText('#visits')).toBe('2?q=1+2');
    await shown.click('text=Script');
    await (await titled(/^Docs$/)).click('text=Up');
    await (await titled(/^Home$/)).click('text=Nowhere');
    await titled(/^Home$/);
    expect(await problems()).toEqual([]);
    await page.context().close();
  });

  it('reports errors with their file and line', async () => {
    const { page, problems } = await openPreview(browser, cloud.baseUrl, {
      'index.html': `<!doctype html>
<title>Broken</title><img src="gone.png">
<script>
  console.error('Odd', { n: 1 });
  undefinedName();
</script>
<script src="app.js"></script><script type="module" src="module.js"></script>`,
      'app.js': '\n\nnull.x;',
      'module.js': `const a = 1;
fetch('https://example.com/data').catch(() => {});
Promise.reject(new Error('Rejected'));`,
    });
    await page.waitForFunction(() => (globalThis as unknown as { problems: string[] }).problems.length >= 6);
    expect((await problems()).toSorted()).toEqual([
      'A preview does not connect to https://example.com/data: the deployed page may',
      'Unhandled rejection: module.js:3: Error: Rejected',
      `app.js:3: Uncaught TypeError: Cannot read properties of null (reading 'x')`,
      'console.error: Odd {"n":1}',
      'index.html: /gone.png is not a file of the project',
      'index.html:5: Uncaught ReferenceError: undefinedName is not defined',
    ]);
    await page.context().close();
  });

  it('shows changes without a blank page in between, and only those that matter', async () => {
    const { page, show, frame } = await openPreview(browser, cloud.baseUrl, {});
    const version = (n: number) => ({
      'index.html': `<!doctype html><title>${n}</title><p>${n}`,
      'README.md': `${n}`,
    });
    await show(version(1));
    await frame();
    await page.evaluate(`globalThis.blank = 0; new MutationObserver(() => {
      if (!document.querySelector('.preview iframe:not(.preview-next)')) blank++;
    }).observe(document.querySelector('.preview'), { subtree: true, childList: true, attributes: true });`);
    for (const n of [2, 3, 4, 5]) await show(version(n));
    await page.frameLocator('.preview iframe:not(.preview-next)').getByText('5').waitFor();
    expect(await page.evaluate('blank')).toBe(0);
    const before = await frame();
    await show({ ...version(5), 'README.md': 'changed' });
    expect((await frame()) === before).toBe(true);
    await page.context().close();
  });

  it.each([
    'a pomodoro timer',
    'a kanban board',
    'a chat app',
    'a pixel art editor',
    'a music player',
    'an invoice generator',
    'a blog about slow travel',
    'a REST API for books',
  ])('runs the starter for %s as it does when it is deployed', async (prompt) => {
    const files = compose(prompt, '10min').map(({ path, content }) => [path, content]);
    const { page, faults, titled, problems } = await openPreview(browser, cloud.baseUrl, Object.fromEntries(files));
    // Until the project is loaded, it is that of the preview itself.
    await titled(/^(?!Preview$)./);
    // The browser gives the focus to no frame of another origin, and says so.
    const own = faults.filter((fault) => !fault.startsWith('console: Blocked autofocusing'));
    expect([await problems(), own]).toEqual([[], []]);
    await page.context().close();
  });
});

const GUESTBOOK: PreviewedFiles = {
  'dist/_data.json': JSON.stringify({
    messages: {
      create: 'visitor',
      read: 'visitor',
      delete: 'author',
      most: 3,
      schema: {
        type: 'object',
        required: ['text', 'seats'],
        properties: { text: { type: 'string', minLength: 1 }, seats: { type: 'integer' } },
      },
    },
  }),
  'dist/index.html': `<!doctype html><html lang="en"><title>Guestbook</title><link rel="icon" href="data:,">
<form action="./.data/messages" method="post"><input name="text"><input name="seats" value="2"><input type="hidden" name="_next" value="all/list.html"><button>Send</button></form>
<script type="module">
import { collection, me } from './.data/client.js';
const messages = collection('messages');
const first = await messages.create({ text: 'One', seats: 1 });
const refused = await messages.create({ text: 'One', seats: 'one' }).catch(({ status, field }) => [status, field]);
globalThis.result = [first.mine, first.seats, refused, await messages.list(), (await me()).collections];
</script>`,
  'dist/all/list.html': `<!doctype html><title>List</title><ul></ul><form action="../.data/messages" method="post"><input name="text"><button>More</button></form>
<script type="module">
import { collection } from '../.data/client.js';
collection('messages').watch((items) => { document.querySelector('ul').textContent = items.map(({ text, seats }) => text + seats).join(); });
</script>`,
};

it('has the data of a project in memory, for scripts and forms, on all of its pages', async () => {
  const { page, faults, titled, problems } = await openPreview(browser, cloud.baseUrl, GUESTBOOK);
  let shown = await titled(/^Guestbook$/);
  await shown.waitForFunction('globalThis.result');
  expect(await shown.evaluate('result')).toMatchObject([
    true,
    1,
    [400, 'seats'],
    { items: [{ text: 'One' }], next: null },
    { messages: ['create', 'read', 'delete'] },
  ]);
  await shown.fill('[name=text]', 'Two');
  await shown.click('button');
  shown = await titled(/^List$/);
  await shown.waitForFunction(`document.querySelector('ul').textContent === 'Two2,One1'`);
  await shown.fill('[name=text]', 'Three');
  await shown.click('button');
  // A page of the service, which says that a number is missing.
  await shown.waitForSelector('[role=alert]');
  expect(await shown.innerText('main')).toContain('seats');
  await shown.click('#back');
  shown = await titled(/^List$/);
  expect(await problems()).toEqual([]);
  expect(faults).toEqual([]);
  await page.context().close();
});

const REACT =
  "import { createRoot } from 'react-dom/client'; const root = createRoot(document.querySelector('#root'));";
const PAGES = `<p id="at">{location.pathname}</p><nav><Link to="/">Start</Link> <Link to="/about">About</Link></nav>`;

const ROUTERS: Readonly<Record<string, string>> = {
  'BrowserRouter of react-router-dom 7': `${REACT}
import { BrowserRouter, Link, Route, Routes } from 'react-router-dom';
root.render(<BrowserRouter>${PAGES}<Routes><Route path="/" element={<h1>Start</h1>} /><Route path="/about" element={<h1>About</h1>} /></Routes></BrowserRouter>);`,
  'createBrowserRouter of react-router-dom 6': `${REACT}
import { createBrowserRouter, Link, Outlet, RouterProvider } from 'react-router-dom6';
const Shell = () => <div>${PAGES}<Outlet /></div>;
const children = [{ index: true, element: <h1>Start</h1> }, { path: 'about', element: <h1>About</h1> }];
root.render(<RouterProvider router={createBrowserRouter([{ path: '/', element: <Shell />, children }])} />);`,
};

/** Returns a page with the bundle of a script. */
async function site(script: string, more = '') {
  const { outputFiles } = await build({
    stdin: { contents: script, loader: 'tsx', resolveDir: resolve('test/fixtures/packages') },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  return {
    'index.html': `<!doctype html><title>App</title><div id="root"></div>${more}<script type="module" src="/assets/a.js"></script>`,
    'assets/a.js': outputFiles[0]?.text ?? '',
  };
}

it.each(Object.keys(ROUTERS))('follows the routes of %s, back again, and in the next version', async (name) => {
  const previewed = await openPreview(browser, cloud.baseUrl, await site(ROUTERS[name] ?? ''));
  const { page, show, faults, problems } = previewed;
  const frame = page.frameLocator('.preview iframe:not(.preview-next)');
  await frame.getByRole('heading', { name: 'Start' }).waitFor();
  await frame.getByRole('link', { name: 'About' }).click();
  await frame.getByRole('heading', { name: 'About' }).waitFor();
  await frame.getByRole('link', { name: 'Start' }).click();
  await frame.getByRole('heading', { name: 'Start' }).waitFor();
  await (await previewed.frame()).evaluate('history.back()');
  await frame.getByRole('heading', { name: 'About' }).waitFor();
  await show(await site(ROUTERS[name] ?? '', '<i>second</i>'));
  await frame.getByText('second').waitFor();
  await frame.getByRole('heading', { name: 'About' }).waitFor();
  expect(await frame.locator('#at').innerText()).toBe('/about');
  expect([faults, await problems()]).toEqual([[], []]);
  await page.context().close();
});
