import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { encodeAs } from '../support/encode.ts';
import { testRows } from '../support/rows.ts';
import type { DeployedSite, SiteFiles } from '../support/site-cloud.ts';
import { browser } from './browser.ts';
import { sharedOrigin } from './clouds.ts';
import { watchedPage } from './open-project.ts';

const svg = (width: number) => `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="1"></svg>`;
/** One pixel. */
const GIF = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64');
/** An icon of one pixel, as a bitmap. */
const ICO = Buffer.from(
  '0000010001000101000001002000300000001600000028000000010000000200000001002000000000000000000000000000000000000000000000000000ff0000ff00000000',
  'hex',
);
/** A module that exports a function that returns 7. */
const WASM = Buffer.from('0061736d010000000105016000017f03020100070501016600000a0601040041070b', 'hex');

/** Extensions that browsers display as text. */
const SHOWN = 'txt md c rs py sh sql ts tsx vue scss yaml toml env log json webmanifest js mjs css atom';
/** Extensions that browsers display as documents, with their types. */
const DOCUMENTS: Readonly<Record<string, string>> = {
  html: 'text/html',
  htm: 'text/html',
  xhtml: 'application/xhtml+xml',
  xml: 'text/xml',
  svg: 'image/svg+xml',
  svgz: 'image/svg+xml',
};
/** Extensions that browsers may play. */
const PLAYED = 'mp3 m4a ogg wav flac mp4 webm m3u8'.split(' ');
const IMAGES = ['gif', 'svg', 'svgz', 'ico'];

const XHTML = '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body/></html>';

const FILES: SiteFiles = {
  'index.html':
    '<!doctype html><meta charset="utf-8"><title>Types</title><link rel="icon" href="icon.ico"><img id="icon" src="icon.ico">',
  ...Object.fromEntries(
    SHOWN.split(' ').map((extension) => [`shown/a.${extension}`, `Text of ${extension}`]),
  ),
  ...Object.fromEntries(Object.keys(DOCUMENTS).map((extension) => [`documents/a.${extension}`, XHTML])),
  'documents/a.svg': svg(3),
  'documents/a.svgz': gzipSync(svg(4)),
  ...Object.fromEntries(PLAYED.map((extension) => [`played/a.${extension}`, GIF])),
  'a.gif': GIF,
  'a.ico': ICO,
  'icon.ico': ICO,
  'a.svg': svg(3),
  'a.svgz': gzipSync(svg(4)),
  'a.js': `export default 'js';`,
  'a.mjs': `export default 'mjs';`,
  'a.cjs': `export default 'cjs';`,
  'classic.cjs': `globalThis.classic = 'classic';`,
  'a.json': '{"from": "json"}',
  'a.css': 'body { color: rgb(1, 2, 3) }',
  'a.wasm': WASM,
};

const size = (path: string) => `new Promise((loaded, failed) => {
  const image = new Image();
  image.onload = () => loaded(image.naturalWidth);
  image.onerror = () => failed(new Error(image.src));
  image.src = '${path}';
})`;

const cloud = await sharedOrigin();

describe('files of many types', () => {
  let site: DeployedSite;
  let page: Page;
  let visited: Page;
  let faults: readonly string[];

  beforeAll(async () => {
    site = await cloud.deploy(FILES);
    ({ page, faults } = await watchedPage(browser, `${site.url}/`));
    await page.goto(`${site.url}/`);
    visited = await page.context().newPage();
  });

  testRows<readonly [name: string, code: string, expected: unknown]>([
    ['a module .js', `import('./a.js').then((module) => module.default)`, 'js'],
    ['a module .mjs', `import('./a.mjs').then((module) => module.default)`, 'mjs'],
    ['a module .cjs', `import('./a.cjs').then((module) => module.default)`, 'cjs'],
    [
      'a classic script .cjs',
      `new Promise((loaded, failed) => document.head.append(Object.assign(document.createElement('script'),
        { src: 'classic.cjs', onload: () => loaded(globalThis.classic), onerror: failed })))`,
      'classic',
    ],
    [
      'a JSON module',
      `import('./a.json', { with: { type: 'json' } }).then((module) => module.default.from)`,
      'json',
    ],
    [
      'a CSS module',
      `import('./a.css', { with: { type: 'css' } }).then((module) => module.default.cssRules[0].style.color)`,
      'rgb(1, 2, 3)',
    ],
    [
      'WebAssembly from a stream',
      `WebAssembly.instantiateStreaming(fetch('a.wasm')).then(({ instance }) => instance.exports.f())`,
      7,
    ],
    [
      'an icon',
      `document.querySelector('#icon').decode().then(() => document.querySelector('#icon').naturalWidth)`,
      1,
    ],
    ...IMAGES.map(
      (extension) =>
        [`an image .${extension}`, size(`a.${extension}`), { svg: 3, svgz: 4 }[extension] ?? 1] as const,
    ),
  ])('loads a file', async (_, code, expected) => {
    expect(await page.evaluate(code)).toBe(expected);
    expect(faults).toEqual([]);
  });

  testRows(SHOWN.split(' '))('displays a file as text', async (extension) => {
    await visited.goto(`${site.url}/shown/a.${extension}`);
    expect(await visited.evaluate('document.body.innerText')).toContain(`Text of ${extension}`);
  });

  testRows(Object.entries(DOCUMENTS))('displays a file as a document', async (extension, type) => {
    await visited.goto(`${site.url}/documents/a.${extension}`);
    expect(await visited.evaluate('document.contentType')).toBe(type);
  });

  testRows(PLAYED)('gives a file a playable type', async (extension) => {
    const type = `(await fetch('played/a.${extension}')).headers.get('content-type')`;
    const answer = await page.evaluate(
      `(async () => document.createElement('video').canPlayType(${type}))()`,
    );
    expect(['maybe', 'probably']).toContain(answer);
  });
});

describe('pages in many encodings', () => {
  testRows([
    ['windows-1252', '<meta charset=iso-8859-1>', 'Café “été”'],
    ['windows-1251', '<meta charset=windows-1251>', 'Привет'],
    ['Shift_JIS', '<meta http-equiv=Content-Type content="text/html; charset=Shift_JIS">', '日本 表示'],
    ['Shift_JIS', `<!--${'x'.repeat(3_000)}--><meta charset=Shift_JIS>`, '日本 表示'],
    ['GBK', '<meta charset=gb2312>', '中文网'],
    ['UTF-16LE', '\ufeff', '日本'],
    ['UTF-16BE', '\ufeff', '日本'],
    ['UTF-8', '\ufeff', '日本'],
    ['UTF-8', '<meta charset=iso-8859-1>', 'Café'],
  ])('are displayed correctly', async (charset, head, text) => {
    const html = `${head}<!doctype html><title>${text}</title><link rel="stylesheet" href="/a.css"><link rel="icon" href="data:,"><p>${text}</p><script src="/a.js"></script>`;
    const encode = (content: string) => encodeAs(charset.toLowerCase(), content);
    const legacy = !charset.startsWith('UTF');
    const { url } = await cloud.deploy({
      'index.html': encode(html),
      'a.css': 'p { color: rgb(1, 2, 3) }',
      // A script without a charset is decoded in that of the page.
      'a.js': legacy ? encode(`globalThis.text = '${text}'`) : `globalThis.text = '${text}'`,
    });
    const { page, faults } = await watchedPage(browser, `${url}/`);
    await page.goto(`${url}/`);
    const seen = `[document.characterSet, document.title, document.querySelector('p').textContent, globalThis.text,
      getComputedStyle(document.querySelector('p')).color]`;
    expect(await page.evaluate(seen)).toEqual([charset, text, text, text, 'rgb(1, 2, 3)']);
    expect(faults).toEqual([]);
  });
});
