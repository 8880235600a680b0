import { FORM_TEXTS } from '../../lambda/reports/form-texts.ts';
import { heldResponse } from '../../lambda/sites/serving/notice-pages.ts';
import { browser } from './browser.ts';
import { sharedOrigin } from './clouds.ts';
import { violations } from './console/barriers.ts';

it('the form for reports has no barriers, in the light and in the dark', async () => {
  const cloud = await sharedOrigin();
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await browser.newPage({ colorScheme, viewport: { width: 390, height: 844 } });
    await page.goto(`${cloud.baseUrl}/report`);
    expect(await violations(page, '')).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await page.getByLabel(FORM_TEXTS.en.page).fill('nonsense');
    await page.getByLabel(FORM_TEXTS.en.reasons.spam).check();
    await page.getByRole('button').click();
    await page.getByRole('alert').waitFor();
    expect(await violations(page, '')).toEqual([]);
    await page.close();
  }
});

it('the page in place of one that is held fits a phone', async () => {
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
  await page.setContent(String(heldResponse('9a6ips6qxbnv', [], undefined).body));
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  await page.close();
});
