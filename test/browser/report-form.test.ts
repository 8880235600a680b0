import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { FORM_TEXTS } from '../../lambda/reports/form-texts.ts';
import { browser } from './browser.ts';
import { ownOrigins, sharedOrigin } from './clouds.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

// On a shared origin, the edge takes requests from a deployed page for those of its site.
describe.each([
  ['of a page that shares the origin of the service', await sharedOrigin()],
  ['of a page on an origin of its own', await ownOrigins()],
])('the form for reports %s', (_, cloud) => {
  it('is reached from a page of the service, and works without a script', async () => {
    const { id, url } = await cloud.deploy({ 'a.txt': 'a' });
    const context = await browser.newContext({ locale: 'de-DE', javaScriptEnabled: false });
    const page = await context.newPage();
    const texts = FORM_TEXTS.de;
    await page.goto(url);
    await page.getByRole('link', { name: 'Report this page' }).click();
    await page.getByRole('heading', { name: texts.title }).waitFor();
    expect(page.url()).toBe(`${cloud.baseUrl}/report?page=${id}`);
    expect(await page.getByLabel(texts.page).inputValue()).toBe(`${cloud.baseUrl}/d/${id}`);

    // What was entered stays after a mistake.
    await page.getByLabel(texts.page).fill('https://example.com/');
    await page.getByLabel(texts.reasons.phishing).check();
    await page.getByLabel(texts.details).fill('Fragt nach der PIN');
    await page.getByRole('button', { name: texts.send }).click();
    await page.getByText(texts.refusals.invalid).waitFor();
    expect(await page.title()).toBe(`Fehler: ${texts.title}`);
    expect(await page.getByLabel(texts.details).inputValue()).toBe('Fragt nach der PIN');
    await page.getByLabel(texts.page).fill(url);
    await page.getByRole('button', { name: texts.send }).click();
    await page.getByRole('heading', { name: texts.sent }).waitFor();
    await context.close();
  });
});

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
