import type { Page } from 'playwright-core';
import { press, stopClock, texts, visit as visitOnPhone } from './visit.ts';

const visit = (prompt: string, use: (page: Page) => Promise<void>) =>
  visitOnPhone(prompt, use, { timezoneId: 'Europe/Berlin' });

const at = (page: Page, time: string) => stopClock(page, Date.parse(time));

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
      await page.getByRole('button', { name: 'Lesen, Di 19' }).click();
      await page.getByRole('button', { name: 'Lesen, Mi 20' }).focus();
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
});

test('a gantt chart has the tasks of the prompt, and moves, adds, edits and removes them', async () => {
  await visit('gantt chart for a relaunch: design 2 weeks, development 6 weeks', async (page) => {
    await at(page, '2026-05-20T10:00:00Z');
    const bar = (name: string) => page.getByRole('button', { name });
    await bar('Design, May 18 to May 31, 14 days').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Shift+ArrowLeft');
    await page.reload();
    const box = await bar('Design, May 19 to May 31, 13 days').boundingBox();
    if (!box) throw new Error('the bar is not visible');
    await page.mouse.move(box.x + 20, box.y + 10);
    await page.mouse.down();
    await page.mouse.move(box.x + 20 + 7 * 16, box.y + 10, { steps: 3 });
    await page.mouse.up();
    await bar('Design, May 26 to Jun 7, 13 days').press('Enter');
    await page.getByLabel('Task', { exact: true }).fill('Concept');
    await press(page, 'Save');
    await press(page, 'New task');
    await page.getByLabel('Task', { exact: true }).fill('Launch');
    await press(page, 'Save');
    await bar('Launch, Jul 13 to Jul 19, 7 days').click();
    await press(page, 'Delete');
    expect(await texts(page, '.name')).toEqual(['Concept\n13 days', 'Development\n42 days']);
    await press(page, 'Undo');
    expect(await page.locator('.task').count()).toBe(3);
  });
});

test('an invoice computes amounts, tax and total, keeps them, and prints the invoice alone', async () => {
  await visit('an invoice from Ada Ltd for my client Northwind, 12 hours at 80 eur, 19% VAT', async (page) => {
    await at(page, '2026-05-20T10:00:00Z');
    expect(await page.getByLabel('From').inputValue()).toBe('Ada Ltd');
    expect(await page.getByLabel('Bill to').inputValue()).toBe('Northwind');
    await press(page, 'Add item');
    await page.keyboard.type('Hosting');
    await page.getByLabel('Unit price, item 2').fill('1.005');
    await page.reload();
    expect(await texts(page, '.totals dd')).toEqual(['€961.01', '€182.59', '€1,143.60']);
    await press(page, 'Remove item 2');
    await press(page, 'Undo');
    expect(await page.getByLabel('Description, item 2').inputValue()).toBe('Hosting');
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('button').count()).toBe(0);
    await page.emulateMedia({ media: 'screen' });
    await press(page, 'New invoice');
    await page.getByRole('dialog').getByRole('button', { name: 'New invoice' }).click();
    await page.getByLabel('Bill to').and(page.locator(':focus')).waitFor();
    expect(await page.getByLabel('Invoice number').inputValue()).toBe('2026-002');
    expect(await texts(page, '#total')).toEqual(['€0.00']);
  });
});

test('a world clock shows the cities of the prompt and the hours that they share', async () => {
  await visit('a world clock with New York, bangalore and São Paulo', async (page) => {
    await at(page, '2026-05-20T10:00:00Z');
    expect(await texts(page, '.city h2')).toEqual(['Your time', 'New York', 'Bangalore', 'São Paulo']);
    expect(await texts(page, '.city time')).toEqual(['12:00 PM', '06:00 AM', '03:30 PM', '07:00 AM']);
    expect(await texts(page, '.city:nth-child(3) .note')).toEqual(['3 hr 30 min ahead of you']);
    await page.clock.runFor(60_000);
    expect(await texts(page, '.city time')).toContain('12:01 PM');
    await page.getByText('No hour is within 9 to 17 o’clock').waitFor();
    await press(page, 'Remove New York');
    await press(page, 'Remove Bangalore');
    await page.getByText('when it is 02:00 PM–05:00 PM for you').waitFor();
    await page.getByLabel('Add a city').fill('zurich');
    await page.getByLabel('Add a city').press('Enter');
    await page.getByRole('slider', { name: 'Your time' }).fill('30');
    await page.reload();
    expect(await texts(page, '.city h2')).toEqual(['Your time', 'São Paulo', 'Zurich']);
    await page.getByRole('slider', { name: 'Your time' }).fill('30');
    expect(await texts(page, '.city time')).toEqual(['03:00 PM', '10:00 AM', '03:00 PM']);
    await page.getByLabel('Add a city').fill('Atlantis');
    await press(page, 'Add');
    await page.getByText('No city called “Atlantis” is known.').waitFor();
  });
});
