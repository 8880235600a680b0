import { findMisplaced } from '../../../lambda/look/in-page/layout.js';
import { findUnstyled, isStyledElsewhere } from '../../../lambda/look/in-page/styles.js';
import { testRows } from '../../support/rows.ts';
import { browser } from '../browser.ts';

const page = await browser.newPage({ viewport: { width: 390, height: 844 } });

/** A page, and what is found of it. */
type Row = readonly [body: string, found: readonly string[]];

const show = (body: string) =>
  page.setContent(
    `<!doctype html><html lang="en"><style>body { margin: 0 } h1 { color: navy }</style><body>${body}</body></html>`,
  );

const OVER = 'position: absolute; left: 0; top: 0';
const on = (style: string, text = 'Second') =>
  `<div style="position: relative"><p style="margin:0">First of all</p><p style="margin:0; ${OVER}; ${style}">${text}</p></div>`;
const map = (first: number, second: number, more = '') =>
  `<svg viewBox="0 0 300 100" width="300"><text x="10" y="${first}">Town hall</text><text x="30" y="${second}" ${more}>Market</text></svg>`;
const button = (style: string, text = 'Save all') =>
  `<button style="border: 1px solid; white-space: nowrap; ${style}">${text}</button>`;
const at = (style: string) => `<button style="position: absolute; width: 90px; ${style}">Menu</button>`;
const CLIPPED = '<style>body { overflow-x: hidden }</style>';

const hidden = (style: string, text = 'Only for the owner') => `<section hidden style="${style}">${text}</section>`;

const misplaced: readonly Row[] = [
  [hidden('display: grid'), ['revealed']],
  [hidden('display: flex; position: fixed; inset: 0; background: #000c', '<button>Close</button>'), ['revealed']],
  [on(''), ['overlap']],
  [on('top: 6px'), ['overlap']],
  [map(40, 42), ['overlap']],
  [`<div style="height: 20px"><p>${'Long text '.repeat(20)}</p></div><p>Next to it</p>`, ['overlap']],
  [`<p style="margin: 0">First line</p><p style="margin-top: -16px">Second line</p>`, ['overlap']],
  [button('width: 40px'), ['cut']],
  [button('width: 60px; overflow: hidden', 'Add to shopping list'), ['cut']],
  [button('white-space: normal; width: 60px; height: 20px; padding: 0; overflow: hidden', 'Add to list'), ['cut']],
  [at('left: -40px'), ['outside']],
  [CLIPPED + at('left: 340px'), ['outside']],
  [
    `<div style="position: fixed; top: 700px">${'<p>Text</p>'.repeat(2)}${at('top: 125px; height: 40px')}</div>`,
    ['outside'],
  ],
];
const placed: readonly Row[] = [
  hidden(''),
  hidden('display: grid', ''),
  hidden('display: block; opacity: 0'),
  hidden('display: block; visibility: hidden'),
  hidden('display: block; position: fixed; left: 400px; width: 200px'),
  hidden('display: block; height: 0; overflow: hidden'),
  '<section hidden="until-found">Found by a search</section>',
  on('top: 24px'),
  on('background: white'),
  on('opacity: 0'),
  on('color: transparent'),
  on('transform: rotate(40deg)'),
  on('font-size: 90px'),
  on('', 'First of all'),
  on('position: fixed'),
  on('visibility: hidden'),
  map(40, 70),
  map(40, 42, 'transform="rotate(45 30 42)"'),
  `<h1 style="line-height: 0.9">A title of the page that has several lines</h1>`,
  `<p>One <b>bold</b> word</p>`,
  `<div style="height: 20px; overflow: hidden"><p>${'Long text '.repeat(20)}</p></div><p>Next to it</p>`,
  `<div style="position: relative"><div style="${OVER}; height: 50px; background: #eee"><p>Above</p></div><p>Below</p></div>`,
  button(''),
  button('width: 40px; overflow: hidden; text-overflow: ellipsis'),
  `<button style="width: 60px"><span style="display: block; overflow: hidden; text-overflow: ellipsis">Welcome_to_all</span></button>`,
  `<a href="#a">A link within a text</a>`,
  // Drawers, carousels and links that wait to be focused.
  at('left: -200px'),
  at('left: 0; transform: translateX(-40px)'),
  `<div style="overflow-x: auto; width: 390px"><div style="width: 900px; position: relative; height: 40px">${at('left: 340px')}</div></div>`,
  `<div style="position: fixed; top: 100px; height: 300px; overflow: auto">${'<p>Text</p>'.repeat(99)}<button>End</button></div>`,
].map((body): Row => [body, []]);

const list = (style: string, heading = 'color: navy', items = 'margin: 8px 0 0') =>
  `<style>h2, ul { margin: 0; ${heading} }</style><h2>Good to know</h2><ul style="${style}"><li style="margin:0">Bring shoes</li><li style="${items}">Tie your hair</li></ul>`;
const field = (style: string, around = 'border: 1px solid') =>
  `<div style="width: 300px; padding: 9px; ${around}"><input aria-label="Title" style="margin: 0; ${style}"></div>`;
const crowded: readonly Row[] = [
  [list(''), ['touching']],
  [list('list-style: none; padding: 0'), ['touching']],
  [field('width: 340px'), ['beyond']],
  [field('width: 340px', 'overflow: hidden'), ['beyond']],
  [`<form style="width: 200px">${field('width: 100%', '')}</form>`, ['beyond']],
];
const spaced: readonly Row[] = [
  list('margin-top: 8px'),
  list('padding-top: 10px'),
  list('', '', 'margin: 8px 0 0').replace('<li style="margin:0"', '<li style="padding: 12px"'),
  list('', 'line-height: 2'),
  list('', 'background: #eee'),
  // As close as its items are to each other.
  list('', 'font-size: 16px', 'margin: 0'),
  field('width: 100%; box-sizing: border-box'),
  field('width: 340px', 'border: 1px solid; overflow-x: auto'),
  field('position: absolute; left: 260px'),
  field('transform: translateX(90px)'),
  field('margin-left: 400px', 'overflow: hidden; white-space: nowrap'),
  field('width: 340px', ''),
].map((body): Row => [body, []]);

testRows<Row>([...misplaced, ...placed, ...crowded, ...spaced])(
  'finds what does not fit where it is',
  async (body, found) => {
    await show(body);
    expect((await page.evaluate(findMisplaced)).map(({ what }) => what)).toEqual(found);
  },
);

it('names a list by its label, not by what it offers', async () => {
  await show(
    `<form style="width: 200px"><label>Who <select style="width: 340px"><option>Ann</option></select></label></form>`,
  );
  expect((await page.evaluate(findMisplaced)).map(({ texts }) => texts)).toEqual([['Who']]);
});

const SKIP = (more = '') => `<a class="skip" href="#main"${more}>Skip</a><main id="main">Text</main>`;
const STYLED = `<style>.go { border: 0; background: navy; color: white }</style><button class="go">Go</button><button class="go">Stop</button>`;
const lanterns = (fill = '', root = '') =>
  `<svg width="90" height="90" ${root}>${[1, 2, 3].map((i) => `<g class="lantern l${i}" ${fill}><circle cx="${i * 20}" cy="20" r="9"/></g>`).join('')}</svg>`;
const NAMES = `<p><span class="name">Anna</span><span class="time">12:30</span></p>`;

const unstyled: readonly Row[] = [
  [SKIP(), ['skip skip']],
  [`<style>a { color: navy } .skip-link { left: -99px }</style>${SKIP()}`, ['skip skip']],
  [`${STYLED}<button class="ghost">Undo</button>`, ['button ghost']],
  [`${STYLED}<button class="icon-button small">Undo</button>`, ['button icon-button']],
  [lanterns(), ['drawing lantern', 'drawing lantern', 'drawing lantern']],
  [`<svg width="90" height="90"><path class="hill" d="M0 0h40v40z"/></svg>`, ['drawing hill']],
  [NAMES, ['stuck name']],
  [`<p><b class="player">Player</b><i class="score">Score</i></p>`, ['stuck player']],
];
const styled: readonly Row[] = [
  `<style>.skip { position: absolute; left: -999px } .skip:focus { left: 0 }</style>${SKIP()}`,
  SKIP(' style="clip-path: inset(50%)"'),
  `<main id="main"><a class="top" href="#main">To the top</a></main>`,
  `<nav><a class="item" href="#main">Start</a></nav><main id="main">Text</main>`,
  `<button class="a">One</button><button class="b">Two</button>`,
  `${STYLED}<button>Plain</button>`,
  `${STYLED}<style>form button { border: 0 }</style><form><button class="send">Send</button></form>`,
  lanterns('fill="red"'),
  lanterns('', 'fill="none" stroke="currentColor"'),
  `<style>.lanterns circle { fill: red }</style><div class="lanterns">${lanterns()}</div>`,
  `<style>.lamp { & .l1, & .l2, & .l3 { fill: red } }</style><div class="lamp">${lanterns()}</div>`,
  `<style>@media (min-width: 1px) { .name { margin-right: 1em } }</style>${NAMES}`,
  `<p><span class="name">Anna</span> <span class="time">12:30</span></p>`,
  `<p style="display: flex; gap: 9px"><span class="name">Anna</span><span class="time">12:30</span></p>`,
  `<p><span class="value">12</span><span class="unit">kg</span></p>`,
  `<p><span class="syllable">gui</span><span class="syllable">tar</span></p>`,
].map((body): Row => [body, []]);

testRows<Row>([...unstyled, ...styled])('finds markup for which there is no rule', async (body, found) => {
  await show(body);
  const seen = (await page.evaluate(findUnstyled)).map(({ what, classes }) => `${what} ${classes[0]}`);
  expect(seen).toEqual(found);
});

testRows<readonly [head: string, isElsewhere: boolean]>([
  ['<link rel="stylesheet" href="https://cdn.example/tailwind.css">', true],
  ['<script src="https://cdn.tailwindcss.com"></script>', true],
  ['<style>@import "https://cdn.example/bootstrap.css";</style>', true],
  ['<link rel="stylesheet" href="https://fonts.googleapis.com/css2?family=Inter">', false],
  ['<script src="https://plausible.io/js/script.js"></script>', false],
  ['<style>@import url(https://fonts.bunny.net/css?family=inter);</style>', false],
  ['<link rel="stylesheet" href="data:text/css,h1{color:red}"><script>1</script>', false],
])('reports if rules may come from elsewhere', async (head, isElsewhere) => {
  await page.route('https://**', (route) => route.abort());
  await show(head + SKIP());
  expect(await page.evaluate(isStyledElsewhere)).toBe(isElsewhere);
  // Any script may have had rules.
  if (!isElsewhere) expect(await page.evaluate(findUnstyled)).toHaveLength(head.includes('src=') ? 0 : 1);
});
