import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { FORM_TEXTS } from '../../lambda/reports/form-texts.ts';
import { heldResponse } from '../../lambda/sites/serving/notice-pages.ts';
import { browser } from './browser.ts';
import { sharedOrigin } from './clouds.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

it('the form for reports has no barriers, in the light and in the dark', async () => {
  const found = 'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html]))';
  const cloud = await sharedOrigin();
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await browser.newPage({ colorScheme, viewport: { width: 390, height: 844 } });
    await page.goto(`${cloud.baseUrl}/report`);
    await page.evaluate(AXE);
    expect(await page.evaluate(found)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await page.getByLabel(FORM_TEXTS.en.page).fill('nonsense');
    await page.getByLabel(FORM_TEXTS.en.reasons.spam).check();
    await page.getByRole('button').click();
    await page.getByRole('alert').waitFor();
    await page.evaluate(AXE);
    expect(await page.evaluate(found)).toEqual([]);
    await page.close();
  }
});

it('the page in place of one that is held fits a phone', async () => {
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
  await page.setContent(String(heldResponse('9a6ips6qxbnv', [], undefined).body));
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  await page.close();
});
