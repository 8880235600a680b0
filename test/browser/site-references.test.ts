import type { Page } from 'playwright-core';
import type { DeployedSite, SiteFiles } from '../support/site-cloud.ts';
import { browser } from './browser.ts';
import { sharedOrigin } from './clouds.ts';
import { watchedPage } from './open-project.ts';

const cloud = await sharedOrigin();

/** Two pixels wide, three high. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAADCAIAAAA2iEnWAAAAD0lEQVR42mNgaGAAIRQKAB+VAwGJsdMGAAAAAElFTkSuQmCC',
  'base64',
);
/** A WOFF2 whose only letter, A, is four times as wide as it is high. */
const FONT = Buffer.from(
  'd09GMgABAAAAAAEAAAoAAAAAAlgAAAC3AAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAABmAANAowQgE2AiQDBgsGAAQgBTwHIBuxARieB7bzlCVD' +
    'yCeFZGxcaBkhSSfP//+9uc99d2bS2vIOGuqg3SAx+AQfMAQB7gXJ2//A9UMb5+uwkxscR5RLGMNgviYTTFAEaAENEEz40didwkIbA9y6cO9e' +
    '7hgUBo4MwZF2jNaC+3/dSAAUaBTWsAVoEOnOYlPZW5s3Mn8xA0H4OG/uXn1tjE94v7hWu1PFUCCMY7A7oToAgOxOICgtoICcdikggoASMaTX' +
    'RSmPGv364JU4AAAAAA==',
  'base64',
);

const image = (set: string) => `new Promise((loaded, failed) => {
  const image = new Image();
  image.onload = () => loaded(image.naturalWidth);
  image.onerror = failed;
  image.${set};
})`;
const answerOf = (worker: string) => `new Promise((answered, failed) => {
  const worker = new Worker(${worker});
  worker.onmessage = ({ data }) => answered(data);
  worker.onerror = failed;
})`;
const added = (element: string, attributes: string) => `new Promise((loaded, failed) => {
  const element = document.createElement('${element}');
  element.onload = loaded;
  element.onerror = failed;
  document.head.append(Object.assign(element, ${attributes}));
})`;
const styleOf = (selector: string, property: string) =>
  `getComputedStyle(document.querySelector('${selector}')).${property}`;

/** Expressions that the site's module evaluates, with their expected values. */
const PROBES: readonly (readonly [name: string, code: string, expected: unknown])[] = [
  ['a style sheet at the root', styleOf('body', 'color'), 'rgb(1, 2, 3)'],
  ['a relative style sheet', styleOf('body', 'backgroundColor'), 'rgb(4, 5, 6)'],
  ['@import of a style sheet', styleOf('body', 'outlineColor'), 'rgb(7, 8, 9)'],
  ['a font', `document.fonts.ready.then(() => document.querySelector('#letter').offsetWidth)`, 40],
  [
    'srcset',
    `document.querySelector('#chosen').decode().then(() => document.querySelector('#chosen').naturalWidth)`,
    2,
  ],
  ['a frame', `document.querySelector('iframe').contentDocument.title`, 'About'],
  ['a static import', 'util', 'util'],
  ['import()', `(await import('/lazy.js')).default`, 'lazy util'],
  ['an import map', `(await import('mapped')).default`, 'mapped'],
  ['a folder of an import map', `(await import('library/util.js')).util`, 'util'],
  ['the key of an import map', `(await import('/lib/replaced.js')).default`, 'mapped'],
  ['fetch', `(await fetch('/data.json')).json()`, { from: 'data.json' }],
  ['fetch with a query', `new URL((await fetch('/data.json?a=1&b=%20&c')).url).search`, '?a=1&b=%20&c'],
  ['new Image', image(`src = '/img.png'`), 2],
  ['the srcset of a new Image', image(`srcset = '/img.png 1x'`), 2],
  ['a worker', answerOf(`'/worker.js'`), 'worker.js with classic and data.json'],
  ['a module worker', answerOf(`'/module-worker.js', { type: 'module' }`), 'module-worker.js with util'],
  [
    'a style sheet from a script',
    `${added('link', `{ rel: 'stylesheet', href: '/late.css' }`)}.then(() => ${styleOf('h1', 'color')})`,
    'rgb(10, 11, 12)',
  ],
  ['a script from a script', `${added('script', `{ src: '/lib/classic.js' }`)}.then(() => classic)`, 'classic'],
];

/** The location of a worker, relative to the site's root. */
const BELOW_SITE = `const belowSite = location.pathname.replace(/^\\/d\\/[0-9a-z]{12}\\//, '');
`;

const page = (head: string, body: string) => `<!doctype html><html lang="en"><meta charset="utf-8">${head}${body}`;

const BUILT: SiteFiles = {
  'README.md': 'Beside the site, not in it.',
  'dist/index.html': page(
    `<title>Built</title>
<link rel="icon" href="/icon.png">
<link rel="stylesheet" href="/style.css?v=1"><link rel="stylesheet" href="css/relative.css">
<style>#sheet { background-image: url("/sheet.png") }</style>
<script type="importmap">
  { "imports": { "mapped": "/lib/mapped.js", "library/": "/lib/", "/lib/replaced.js": "/lib/mapped.js" } }
</script>
<script type="module" src="/app.js"></script>`,
    `<h1 id="sheet">Built</h1><span id="letter">A</span><p id="attribute" style="background-image: url(/attribute.png)">
<img id="chosen" alt="" src="/none.png" srcset="/img.png 1x, /twice.png 2x"><iframe src="/about"></iframe>
<a href="/about?from=link#end">About</a> <a id="home" href="/">Home</a>
<form action="/search"><input name="q"><button>Search</button></form>`,
  ),
  'dist/about.html': page('<title>About</title><link rel="icon" href="/icon.png">', '<a href="/">Home</a>'),
  'dist/search.html': page('<title>Search</title><link rel="icon" href="/icon.png">', ''),
  'dist/style.css': `@import "/css/imported.css";
@font-face { font-family: Wide; src: url(/fonts/wide.woff2) format("woff2") }
body { color: rgb(1, 2, 3); background-image: url(/bg.png) }
#letter { display: inline-block; font: 10px Wide }`,
  'dist/css/relative.css': 'body { background-color: rgb(4, 5, 6) }',
  'dist/css/imported.css': 'body { outline-color: rgb(7, 8, 9) }',
  'dist/late.css': 'h1 { color: rgb(10, 11, 12) }',
  'dist/app.js': `import { util } from '/lib/util.js';
globalThis.probes = {${PROBES.map(([name, code]) => `${JSON.stringify(name)}: async () => ${code}`).join()}};`,
  'dist/lazy.js': `import { util } from './lib/util.js'; export default 'lazy ' + util;`,
  'dist/lib/util.js': `export const util = 'util';`,
  'dist/lib/mapped.js': `export default 'mapped';`,
  'dist/lib/classic.js': `var classic = 'classic';`,
  'dist/worker.js': `${BELOW_SITE}importScripts('/lib/classic.js');
fetch('/data.json').then((answer) => answer.json())
  .then(({ from }) => postMessage(belowSite + ' with ' + classic + ' and ' + from));`,
  'dist/module-worker.js': `import { util } from '/lib/util.js';
${BELOW_SITE}postMessage(belowSite + ' with ' + util);`,
  'dist/data.json': '{ "from": "data.json" }',
  'dist/fonts/wide.woff2': FONT,
  ...Object.fromEntries(
    ['icon', 'bg', 'img', 'twice', 'none', 'sheet', 'attribute'].map((name) => [`dist/${name}.png`, PNG]),
  ),
};

describe('a built site with references of every kind', () => {
  let site: DeployedSite;
  let visited: Page;
  let faults: readonly string[];
  /** URLs of successful responses, and of failed requests with a prefix. */
  const responses: string[] = [];
  /** URLs at the root that the page requested while it was loading. */
  let atRoot: string[];

  beforeAll(async () => {
    site = await cloud.deploy(BUILT);
    ({ page: visited, faults } = await watchedPage(browser, `${cloud.baseUrl}/`));
    const requested: string[] = [];
    visited.on('request', (request) => requested.push(request.url()));
    visited.on('response', (response) => response.ok() && responses.push(response.url()));
    visited.on('requestfailed', (request) => responses.push(`failed: ${request.url()}`));
    await visited.goto(`${site.url}/`, { waitUntil: 'networkidle' });
    // On a busy machine, the network is idle before the script has run.
    await visited.waitForFunction('globalThis.probes');
    atRoot = requested.filter((url) => !url.startsWith(site.url));
  });

  it('has its references in HTML and CSS rewritten, and only those of scripts redirected', () => {
    expect(atRoot).toEqual([`${cloud.baseUrl}/lib/util.js`]);
  });

  it.each(PROBES)('loads %s', async (name, _code, expected) => {
    expect(await visited.evaluate(`probes[${JSON.stringify(name)}]()`)).toEqual(expected);
  });

  it('loads backgrounds', async () => {
    const urls = ['bg', 'sheet', 'attribute'].map((name) => `${site.url}/${name}.png`);
    while (!urls.every((url) => responses.includes(url))) await visited.waitForTimeout(20);
  });

  it('loads everything from the site itself, without faults', () => {
    expect(faults).toEqual([]);
    // The browser reports the scripts of workers with the URL before the redirect; the workers return their own.
    const elsewhere = responses.filter((url) => !url.startsWith(`${site.url}/`) && !/worker\.js$/.test(url));
    expect(elsewhere).toEqual([]);
  });

  const toAbout = `location.href = '/about?from=script'`;
  const search = (before = '') =>
    `${before}document.querySelector('[name=q]').value = 'a b'; document.forms[0].submit()`;
  it.each([
    ['a link', `document.querySelector('a').click()`, '/about?from=link#end', 'About'],
    ['the link to the root', `document.querySelector('#home').click()`, '/', 'Built'],
    ['location.href', toAbout, '/about?from=script', 'About'],
    ['a form', search(), '/search?q=a+b', 'Search'],
    ['a form from a script', search(`document.forms[0].action = '/search'; `), '/search?q=a+b', 'Search'],
  ])('navigates with %s', async (_, code, address, title) => {
    await visited.goto(`${site.url}/`);
    await Promise.all([visited.waitForNavigation(), visited.evaluate(code)]);
    expect(visited.url()).toBe(site.url + address);
    expect(await visited.title()).toBe(title);
    expect(faults).toEqual([]);
  });

  it('resolves <base href="/"> to the root of the site', async () => {
    const head =
      '<base href="/"><title>Based</title><link rel="icon" href="icon.png"><link rel="stylesheet" href="css/style.css">';
    const { url } = await cloud.deploy({
      'index.html': page(head, '<a href="deep/page">Deeper</a><script type="module" src="js/app.js"></script>'),
      'deep/page.html': page(head, '<a href="./">Home</a><script type="module" src="js/app.js"></script>'),
      'css/style.css': 'body { color: rgb(1, 2, 3) }',
      'js/app.js': `import { util } from './util.js'; document.title += util;`,
      'js/util.js': `export const util = (await (await fetch('data.json')).json()).text;`,
      'data.json': '{ "text": "!" }',
      'icon.png': PNG,
    });
    const based = await watchedPage(browser, `${url}/`);
    await based.page.goto(`${url}/`);
    for (const address of ['/deep/page', '/']) {
      await based.page.click('a');
      await based.page.waitForFunction(`document.title === 'Based!'`);
      expect(based.page.url()).toBe(url + address);
      expect(await based.page.evaluate(styleOf('body', 'color'))).toBe('rgb(1, 2, 3)');
    }
    expect(based.faults).toEqual([]);
  });
});
