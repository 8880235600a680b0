import type { Page } from 'playwright-core';
import { LOOK_WIDTHS } from '../lambda/contract/looks.ts';
import { type LookBrowser, withBrowser } from '../lambda/look/browser.ts';
import { installedChromium } from '../lambda/look/chromium.ts';
import { auditScript } from '../lambda/look/examine.ts';
import { Interceptor, type LookSite } from '../lambda/look/interceptor.ts';
import { look } from '../lambda/look/look.ts';
import { chromiumPath, thisMachine } from '../local/chromium.ts';
import { exactly, type Figure, measureMs, ratio } from './figure.ts';

const LIFE_MS = 60_000;

const PARAGRAPHS = Array.from(
  { length: 24 },
  (_, i) => `<section><h2>Chapter ${i + 1}</h2><p>${'Long ago, there was a lighthouse. '.repeat(8)}</p></section>`,
);
/** A page to read: without controls, so that the time in which a look uses a page is not measured. */
const FILES = {
  'index.html': `<!doctype html>
<html lang="en">
<head>
<meta name="viewport" content="width=device-width">
<title>The lighthouse</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="style.css">
</head>
<body>
<header><h1>The lighthouse</h1></header>
<main id="chapters">${PARAGRAPHS.join('\n')}</main>
<script type="module" src="main.js"></script>
</body>
</html>
`,
  'style.css':
    'body { font: 1rem/1.5 serif; margin: 2rem auto; max-width: 40rem; padding: 0 1rem; }\nh2 { color: #063; }\n',
  'main.js': "document.title += ' in ' + document.querySelectorAll('section').length + ' chapters';\n",
};

/**
 * Measures a look against the same browser that only opens and pictures the page at both widths, and against one that audits
 * it there as well. Each starts its browser.
 */
export async function lookBench(): Promise<Figure[]> {
  const site: LookSite = {
    files: new Map(Object.entries(FILES).map(([path, text]) => [path, Buffer.from(text)])),
    entry: 'index.html',
    base: '/d/look/',
  };
  const chromium = await installedChromium(chromiumPath(thisMachine()));
  const inBrowser = (use: (browser: LookBrowser) => Promise<unknown>) =>
    measureMs(() => withBrowser({ ...chromium, milliseconds: LIFE_MS }, use));
  let problems = 0;
  const lookAt = () =>
    inBrowser(async (browser) => {
      problems += (await look(site, browser)).problems.length;
    });
  const against = (what: string, prepare: (page: Page) => Promise<unknown>) =>
    ratio(
      `a look at a page to read / ${what}`,
      { atMost: 1.5 },
      lookAt,
      () => inBrowser((browser) => openBare(site, browser, prepare)),
      { rounds: 7, seconds: 40 },
    );
  const opened = await against('opening it', () => Promise.resolve());
  const audited = await against('opening and auditing it', (page) => page.evaluate(auditScript()));
  return [opened, audited, exactly('its problems', problems, 0)];
}

/** Opens the page at both widths, and pictures it. */
async function openBare(
  site: LookSite,
  browser: LookBrowser,
  prepare: (page: Page) => Promise<unknown>,
): Promise<void> {
  const interceptor = new Interceptor(site);
  await Promise.all(
    LOOK_WIDTHS.map(async (width) => {
      const context = await browser.newContext({ viewport: { width, height: 844 }, serviceWorkers: 'block' });
      await interceptor.guard(context, Date.now());
      const page = await context.newPage();
      await page.goto(interceptor.url);
      await prepare(page);
      await page.screenshot();
      await context.close();
    }),
  );
}
