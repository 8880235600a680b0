import { compose } from '../blueprints/engine/compose.ts';
import { LOOK_WIDTHS } from '../lambda/contract/looks.ts';
import { type LookBrowser, withBrowser } from '../lambda/look/browser.ts';
import { installedChromium } from '../lambda/look/chromium.ts';
import { Interceptor, type LookSite } from '../lambda/look/interceptor.ts';
import { look } from '../lambda/look/look.ts';
import { chromiumPath, thisMachine } from '../local/chromium.ts';
import { startVendor } from '../test/support/vendors/index.ts';
import { exactly, type Figure, median, withoutBound } from './figure.ts';
import { measureMs, ratio } from './ratio.ts';
import { startBenchService } from './service.ts';

const PROMPT = 'a blog';
const FILES = 8;
const LIFE_MS = 60_000;

/** Measures looks alone, and what they add to generations. */
export async function looksBench(): Promise<Figure[]> {
  return [...(await lookFigures()), await generationFigure()];
}

/** Measures a look against the same browser that only opens and pictures the page at both widths. Each starts its browser. */
async function lookFigures(): Promise<Figure[]> {
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

/** Measures generations with looks against those without, with a model that answers at once. */
async function generationFigure(): Promise<Figure> {
  let number = 0;
  // An equal site for the same caller would have been looked at.
  const answer = () => {
    number += 1;
    const files = Array.from(siteOf(PROMPT).files, ([path, content]) =>
      file(path, Buffer.from(content).toString()),
    );
    return `${files.join('')}${file('version.txt', `${number}\n`)}<done/>\n`;
  };
  const vendor = await startVendor('openai-compatible', () => [{ text: answer() }, { finish: 'complete' }]);
  const providers = {
    'provider-a': { kind: 'openai-compatible', model: 'm', baseUrl: vendor.baseUrl },
  };
  const looking = await startBenchService({ providers, look: { enabled: true } });
  const blind = await startBenchService({ providers, look: { enabled: false } }, 3170);
  try {
    return await ratio(
      'a generation that is looked at / without a look',
      'none',
      () => measureMs(() => generate(looking.baseUrl, 'looked')),
      () => measureMs(() => generate(blind.baseUrl, 'skipped')),
      { rounds: 5, seconds: 20 },
    );
  } finally {
    await Promise.all([looking.close(), blind.close(), vendor.close()]);
  }
}

const file = (path: string, content: string) => `<file path="${path}">\n${content}</file>\n`;

async function generate(baseUrl: string, state: string): Promise<void> {
  const response = await fetch(`${baseUrl}/api/v1/generate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ prompt: PROMPT }),
  });
  await response.json();
  const looked = response.headers.get('x-generation-look');
  if (response.status !== 200 || looked !== state)
    throw new Error(`A generation ended with ${response.status}, look: ${looked}`);
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
