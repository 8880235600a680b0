import type { Browser } from 'playwright-core';
import { compose } from '../../../blueprints/engine/compose.ts';
import { KINDS } from '../../../blueprints/engine/kinds.ts';
import { none } from '../../../blueprints/kinds/none/kind.ts';
import type { SiteCloud } from '../../support/site-cloud.ts';
import { CHOICES } from '../../unit/blueprints/prompts.ts';
import { launch } from '../open-project.ts';
import { startCloud } from './part.ts';
import { openPreview, type Previewed } from './previewed.ts';

let cloud: SiteCloud;
let browser: Browser;
let previewed: Previewed;
beforeAll(async () => {
  [cloud, browser] = await Promise.all([startCloud(), launch()]);
  previewed = await openPreview(browser, cloud.baseUrl, {});
});
afterAll(async () => {
  await Promise.all([cloud?.close(), browser?.close()]);
});

// Two kinds may have one name, and then compose the same project.
const prompts = [...new Set([...KINDS, none].map(({ name }) => name))].map((name) => {
  const prompt = CHOICES.find(([, kind]) => kind === name)?.[0];
  return [name, prompt ?? 'an operating system kernel driver'] as const;
});

describe.each(['auto', '10min'] as const)('with %s', (duration) => {
  it.each(prompts)('the starter %s runs in the preview as it does when it is deployed', async (_, prompt) => {
    const { page, frame, show, problems } = previewed;
    await page.evaluate('problems.length = 0');
    const files = compose(prompt, duration);
    const shown = await page.$('.preview iframe');
    await show(Object.fromEntries(files.map(({ path, content }) => [path, content])));
    await page.waitForFunction((old) => !old?.isConnected, shown);
    const title = await (await frame()).title();
    // The browser gives the focus to no frame of another origin, and says so.
    const faults = previewed.faults.filter((fault) => !fault.startsWith('console: Blocked autofocusing'));
    expect([title, await problems(), faults]).toEqual([expect.stringMatching(/./), [], []]);
  });
});
