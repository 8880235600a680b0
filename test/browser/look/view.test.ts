import { findEmptyView } from '../../../lambda/look/in-page/view.js';
import { testRows } from '../../support/rows.ts';
import { browser } from '../browser.ts';

const page = await browser.newPage({ viewport: { width: 390, height: 844 } });

const BAR = '<header><a href="#/">Recipes</a><nav><a href="#/list">List</a><a href="#/new">New</a></nav></header>';
const FOOT = '<footer><p>Made with flour</p></footer>';

/** A page, and the view of it that is empty; undefined if there is none. */
type Row = readonly [body: string, view: string | undefined];

const empty: readonly Row[] = [
  [`${BAR}<main id="view" tabindex="-1"></main>`, '<main id="view" tabindex="-1">'],
  [`<a href="#view">Skip to the content</a>${BAR}<main id="view"></main>${FOOT}`, '<main id="view">'],
  [`${BAR}<main> <!-- filled by app.js --> <section></section></main>`, '<main>'],
  [`${BAR}<main><h1 hidden>Recipes</h1><p style="visibility:hidden">None</p></main>`, '<main>'],
  [`${BAR}<main><div style="opacity:0"><h1>Recipes</h1></div></main>`, '<main>'],
  [`${BAR}<main><template><h1>Recipes</h1></template><script>1</script></main>`, '<main>'],
  [`<style>main { background: #eee; padding: 9rem }</style>${BAR}<main><ul></ul></main>`, '<main>'],
  [`${BAR}<main></main><div role="status">Loaded</div>`, '<main>'],
  [`${BAR}<div id="app"></div>${FOOT}`, '<div id="app">'],
  [`<div>${BAR}<div class="page-content"><div></div></div></div>`, '<div class="page-content">'],
  [`<div role="banner">Shop</div><div role="main"></div>`, '<div role="main">'],
  [`<header>Shop <button class="theme-toggle">Dark</button></header><main></main>`, '<main>'],
];
const shown: readonly Row[] = [
  `${BAR}<main><p>Nothing here yet</p></main>`,
  `${BAR}<main><canvas width="300" height="200"></canvas></main>`,
  `${BAR}<main><input aria-label="Name"></main>`,
  `${BAR}<main><img alt="" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" width="9" height="9"></main>`,
  // Waits for somebody who scrolls.
  `<header style="height:900px"><h1>Hotel</h1></header><main><p style="opacity:0">Rooms</p></main>`,
  // A view that the header asks for.
  `<header><h1>Weather</h1><input aria-label="City"></header><main id="result"></main>`,
  // What covers the view.
  `${BAR}<main></main><div class="login" style="position:fixed;inset:0">Log in</div>`,
  `${BAR}<main hidden>Recipes</main><dialog open>Welcome</dialog>`,
  `${BAR}<main></main><div class="loader"><svg width="40" height="40"></svg></div>`,
  // A drawing of boxes.
  `${BAR}<main>${'<div style="width:9px;height:9px;background:red"></div>'.repeat(3)}</main>`,
  `${BAR}<style>p::before { content: "Soon" }</style><main><p></p></main>`,
  // All of the page is in its header.
  `<header><h1>Opening soon</h1><p>In May.</p></header><div id="toast"></div>${FOOT}`,
  `<main><header><h1>All</h1></header></main>`,
  `<h1>Hello</h1>`,
  `${BAR}<main><template shadowrootmode="open"><p>Board</p></template></main>`,
].map((body): Row => [body, undefined]);

testRows<Row>([...empty, ...shown])('finds a view that shows nothing', async (body, view) => {
  await page.setContent(`<!doctype html><html lang="en"><body>${body}</body></html>`);
  expect((await page.evaluate(findEmptyView))?.element).toEqual(view);
});

it('says if the header offers something that may fill the view', async () => {
  await page.setContent('<header><h1>Quiz</h1><button>Start</button></header><main></main>');
  expect(await page.evaluate(findEmptyView)).toEqual({ element: '<main>', isOffered: true });
});
