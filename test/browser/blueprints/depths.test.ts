import { readFile } from 'node:fs/promises';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { compose } from '../../../blueprints/engine/compose.ts';
import { launch, openProject } from '../open-project.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

/** Opens the `10min` project of a prompt, which has the features of shorter durations, and uses it. */
async function visit(prompt: string, use: (page: Page) => Promise<void>, options?: BrowserContextOptions) {
  await using project = await openProject(browser, compose(prompt, '10min'), options);
  await use(project.page);
  expect(project.faults).toEqual([]);
}

const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] };
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const text = (page: Page, selector: string) => page.locator(selector).textContent();

/** Returns the content of the file that a button downloads. */
async function downloaded(page: Page, button: string): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), press(page, button)]);
  return readFile(await download.path(), 'utf8');
}

describe('timer', () => {
  test('has custom intervals, a chart of the week and a goal', async () => {
    await visit('a pomodoro timer', async (page) => {
      await page.clock.install();
      await page.reload();
      await press(page, 'Your intervals');
      await page.getByLabel('Name').fill('Reading');
      await page.getByLabel('Minutes', { exact: true }).fill('45');
      await press(page, 'Add');
      await press(page, 'Done');
      await press(page, 'Reading');
      expect(await text(page, '#clock')).toBe('45:00');
      await press(page, 'Start');
      await page.clock.runFor(45 * 60_000 + 300);
      await press(page, 'History');
      expect(await page.locator('#chart li').last().getAttribute('aria-label')).toMatch(
        /: 45 minutes, 1 session$/,
      );
      await page.getByLabel('Goal for a day').fill('60');
      expect(await downloaded(page, 'Download as CSV')).toMatch(/,Reading,45\r\n$/);
      await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
      await page.getByText('Today: 1 session, 45 min; 15 min to the goal').waitFor();
      await page.reload();
      await press(page, 'Your intervals');
      await press(page, 'Remove Reading');
      expect(await page.locator('#intervals button').allTextContents()).toEqual([
        'Focus',
        'Short break',
        'Long break',
      ]);
    });
  });
});

describe('to-do list', () => {
  test('is reordered by key and mouse, has days and tags, and accepts pasted lists', async () => {
    await visit(
      'a to-do list with items: a #home, b #phone, c',
      async (page) => {
        const entries = () =>
          page
            .locator('#list .text')
            .evaluateAll((inputs) => inputs.map((input) => (input as unknown as { value: string }).value[0]));
        await page.getByRole('button', { name: 'Move C' }).focus();
        await page.keyboard.press('ArrowUp');
        expect(await entries()).toEqual(['A', 'C', 'B']);
        const handle = await page.getByRole('button', { name: 'Move A' }).boundingBox();
        const last = await page.locator('#list li').last().boundingBox();
        if (!handle || !last) throw new Error('the list is not visible');
        await page.mouse.move(handle.x + 10, handle.y + 20);
        await page.mouse.down();
        await page.mouse.move(handle.x + 10, last.y - 10, { steps: 5 });
        await page.mouse.move(handle.x + 10, last.y + last.height, { steps: 5 });
        await page.mouse.up();
        expect(await entries()).toEqual(['C', 'B', 'A']);
        await page.locator('li').first().hover();
        await page.getByRole('button', { name: 'Add a day: C' }).click();
        await press(page, 'Tomorrow');
        await page.reload();
        expect(await entries()).toEqual(['C', 'B', 'A']);
        expect(await page.locator('.due').first().textContent()).toBe('Tomorrow');
        await page.getByRole('button', { name: '#phone 1' }).click();
        expect(await entries()).toEqual(['B']);
        await page.getByRole('button', { name: '#phone 1' }).click();
        await page.evaluate("navigator.clipboard.writeText('- dill\\n- eggs')");
        await page.keyboard.press('n');
        await page.keyboard.press('Control+V');
        await page.locator('li').nth(4).waitFor();
        expect(await entries()).toEqual(['C', 'B', 'A', 'd', 'e']);
      },
      CLIPBOARD,
    );
  });
});

describe('any page', () => {
  test('opens offline after a visit', async () => {
    await using project = await openProject(browser, compose('a quiz about space', '5min'));
    const { page } = project;
    await page.evaluate('navigator.serviceWorker.ready');
    await page.context().setOffline(true);
    await page.reload();
    await press(page, 'Begin');
    expect(await page.getByRole('radio').count()).toBe(4);
    expect(project.faults).toEqual([]);
  });
});
