import type { Browser, Page } from 'playwright-core';
import { compose } from '../../../blueprints/engine/compose.ts';
import { launch, openProject } from '../open-project.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

/** Opens the project of a prompt on a phone, uses it, and expects that it fits and has no faults. */
async function visit(prompt: string, use: (page: Page) => Promise<void>) {
  const options = { viewport: { width: 390, height: 844 }, locale: 'en-US', timezoneId: 'Europe/Berlin' };
  await using project = await openProject(browser, compose(prompt, 'auto'), options);
  await use(project.page);
  expect(await project.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  expect(project.faults).toEqual([]);
}

/** Sets the visitor's clock and loads the page again. */
async function at(page: Page, time: string) {
  await page.clock.install({ time: new Date(time) });
  await page.reload();
}
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const texts = (page: Page, selector: string) => page.locator(selector).allInnerTexts();

describe('tracker', () => {
  test('adds, edits, sums and removes expenses, and keeps them', async () => {
    await visit('an expense tracker in euros with categories: rent, food, fun', async (page) => {
      await at(page, '2026-05-20T10:00:00Z');
      const spend = async (amount: string, category: string, date: string) => {
        await page.getByLabel('Amount').fill(amount);
        await page.getByLabel('Category').selectOption(category);
        await page.getByLabel('Date').fill(date);
        await page.getByLabel('Date').press('Enter');
      };
      await spend('12.5', 'Food', '2026-05-20');
      await spend('800', 'Rent', '2026-05-01');
      await spend('30', 'Fun', '2026-04-30');
      expect(await texts(page, '#numbers dd')).toEqual(['€812.50', '€30.00', '€12.50']);
      expect(await texts(page, '#share-list span')).toEqual(['Rent', 'Food']);
      await press(page, 'Edit Rent €800.00');
      await page.getByLabel('Amount').fill('810');
      await press(page, 'Save');
      await page.reload();
      expect(await texts(page, '.history h3')).toEqual(['May 2026\n€822.50', 'April 2026\n€30.00']);
      await press(page, 'Remove Food €12.50');
      expect(await texts(page, '#numbers dd')).toEqual(['€810.00', '€30.00', '€0.00']);
      await press(page, 'Undo');
      expect(await texts(page, '#numbers dd')).toEqual(['€822.50', '€30.00', '€12.50']);
    });
  });

  test('counts the days of a habit, in German', async () => {
    await visit('Gewohnheitstracker mit Serien. Gewohnheiten: Lesen, Laufen', async (page) => {
      await at(page, '2026-05-20T10:00:00Z');
      await page.getByRole('button', { name: 'Lesen, Dienstag, 19. Mai' }).click();
      await page.getByRole('button', { name: 'Lesen, Mittwoch, 20. Mai' }).focus();
      await page.keyboard.press('Space');
      await page.reload();
      expect(await texts(page, '.habit p')).toEqual(['2 Tage in Folge', 'Noch keine Serie']);
      await page.getByLabel('Neue Gewohnheit').fill('Dehnen');
      await page.getByLabel('Neue Gewohnheit').press('Enter');
      await press(page, 'Laufen entfernen');
      expect(await page.locator('.week').count()).toBe(2);
      await press(page, 'Vorige Woche');
      expect(await page.locator('.day:disabled').count()).toBe(0);
    });
  });

  test('draws a curve of weights, in the order of their dates', async () => {
    await visit('um diário do meu peso', async (page) => {
      for (const [weight, date] of [
        ['80.5', '2026-05-10'],
        ['82', '2026-05-01'],
      ] as const) {
        await page.getByRole('spinbutton', { name: 'Peso' }).fill(weight);
        await page.getByLabel('Data').fill(date);
        await press(page, 'Salvar');
      }
      expect(await texts(page, '#numbers dd')).toEqual(['80,5 kg', '-1,5 kg', '81,3 kg']);
      expect(await page.locator('#chart td').allTextContents()).toEqual(['82 kg', '80,5 kg']);
    });
  });
});
