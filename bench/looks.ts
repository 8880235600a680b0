import { compose } from '../blueprints/engine/compose.ts';
import { LOOK_WIDTHS } from '../lambda/contract/looks.ts';
import { type LookBrowser, withBrowser } from '../lambda/look/browser.ts';
import { installedChromium } from '../lambda/look/chromium.ts';
import { Interceptor, type LookSite } from '../lambda/look/interceptor.ts';
import { look } from '../lambda/look/look.ts';
import { chromiumPath, thisMachine } from '../local/chromium.ts';
import { exactly, type Figure, median, withoutBound } from './figure.ts';
import { measureMs, ratio } from './ratio.ts';

const PROMPT = 'a blog';
const FILES = 8;
const LIFE_MS = 60_000;

/** Measures a look against the same browser that only opens and pictures the page at both widths. Each starts its browser. */
export async function looksBench(): Promise<Figure[]> {
  const site = siteOf(PROMPT);
  const chromium = await installedChromium(chromiumPath(thisMachine()));
  const inBrowser = (use: (browser: LookBrowser) => Promise<unknown>) =>
    withBrowser({ ...chromium, milliseconds: LIFE_MS }, use);
  const used: number[] = [];
  let problems = 0;
  const whole = async () => {
    let usedMs = 0;
    const ms = await measureMs(() =>
      inBrowser(async (browser) => {
        const findings = await look(site, browser);
        problems += findings.problems.length;
        usedMs = findings.usedMs;
      }),
    );
    used.push(usedMs);
    return ms - usedMs;
  };
  const bare = () => measureMs(() => inBrowser((browser) => openBare(site, browser)));
  const opened = await ratio(
    `a look at ${site.files.size} files, without using them / opening them`,
    { atMost: 1.5 },
    whole,
    bare,
    { rounds: 7, seconds: 40 },
  );
  return [
    opened,
    withoutBound('a look: ms in which the page is used', median(used)),
    exactly('problems of these files', problems, 0),
  ];
}

function siteOf(prompt: string): LookSite {
  const files = new Map(compose(prompt, 'auto').map(({ path, content }) => [path, Buffer.from(content)]));
  if (files.size !== FILES)
    throw new Error(`The starter of "${prompt}" has ${files.size} files, not ${FILES}`);
  return { files, entry: 'index.html', base: '/d/look/' };
}

async function openBare(site: LookSite, browser: LookBrowser): Promise<void> {
  const interceptor = new Interceptor(site);
  await Promise.all(
    LOOK_WIDTHS.map(async (width) => {
      const context = await browser.newContext({ viewport: { width, height: 844 }, serviceWorkers: 'block' });
      await interceptor.guard(context);
      const page = await context.newPage();
      await page.goto(interceptor.url);
      await page.screenshot();
      await context.close();
    }),
  );
}
