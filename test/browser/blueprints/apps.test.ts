import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { compose } from '../../../blueprints/engine/compose.ts';
import { browser } from '../browser.ts';
import { openProject } from '../open-project.ts';
import { press, stopClock, text, visit as visitOn } from './visit.ts';

const visit = (prompt: string, use: (page: Page) => Promise<void>, options?: object) =>
  visitOn(prompt, use, { viewport: { width: 1280, height: 800 }, ...options });

/** Returns the content of the file that a button downloads. */
async function downloaded(page: Page, button: string): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), press(page, button)]);
  return readFile(await download.path(), 'utf8');
}

describe('timer', () => {
  test('counts a focus session down, logs it and starts the break', async () => {
    await visit('a pomodoro timer with 20 minute sessions and 4 minute breaks', async (page) => {
      await stopClock(page);
      expect(await text(page, '#clock')).toBe('20:00');
      await page.getByRole('button', { name: 'Start' }).click();
      await page.clock.runFor(65_000);
      expect(await text(page, '#clock')).toBe('18:55');
      expect(await page.title()).toContain('18:55');
      await page.getByRole('button', { name: 'Pause' }).click();
      await page.clock.runFor(60_000);
      expect(await text(page, '#clock')).toBe('18:55');
      await page.getByRole('button', { name: 'Resume' }).click();
      await page.clock.runFor(18 * 60_000 + 56_000);
      expect(await text(page, '#clock')).toBe('04:00');
      expect(await text(page, '#today')).toBe('Today: 1 session, 20 min');
      await page.reload();
      expect(await text(page, '#today')).toBe('Today: 1 session, 20 min');
    });
  });

  test('has custom intervals, a chart of the week and a goal', async () => {
    const use = async (page: Page) => {
      await stopClock(page);
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
      expect(await page.locator('#chart li').last().getAttribute('aria-label')).toMatch(/: 45 minutes, 1 session$/);
      await page.getByLabel('Goal for a day').fill('60');
      expect(await downloaded(page, 'Download as CSV')).toMatch(/,Reading,45\r\n$/);
      await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
      await page.getByText('Today: 1 session, 45 min; 15 min to the goal').waitFor();
      await page.reload();
      await press(page, 'Your intervals');
      await press(page, 'Remove Reading');
      expect(await page.locator('#intervals button').allTextContents()).toEqual(['Focus', 'Short break', 'Long break']);
    };
    await visit('a pomodoro timer', use, { duration: '10min' });
  });
});

describe('to-do list', () => {
  test('adds, completes, edits, filters, deletes and undoes, and keeps its state on reload', async () => {
    await visit('a shopping list with items milk, eggs and bread', async (page) => {
      const entries = () =>
        page
          .locator('#list .text')
          .evaluateAll((inputs) => inputs.map((input) => (input as unknown as { value: string }).value));
      await page.getByLabel('New item').fill('Coffee');
      await page.getByLabel('New item').press('Enter');
      expect(await entries()).toEqual(['Milk', 'Eggs', 'Bread', 'Coffee']);
      await page.getByRole('checkbox', { name: 'Eggs' }).check();
      await page.locator('#list .text').first().fill('Oat milk');
      await page.locator('#list .text').first().press('Enter');
      await page.reload();
      expect(await entries()).toEqual(['Oat milk', 'Eggs', 'Bread', 'Coffee']);
      expect(await text(page, '#count')).toBe('3 left, 1 done');
      await page.getByRole('button', { name: 'Done', exact: true }).click();
      expect(await entries()).toEqual(['Eggs']);
      await page.getByRole('button', { name: 'All', exact: true }).click();
      await page.locator('li').first().hover();
      await page.getByRole('button', { name: 'Delete Oat milk' }).click();
      expect(await entries()).toEqual(['Eggs', 'Bread', 'Coffee']);
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByRole('button', { name: 'Clear done' }).click();
      expect(await entries()).toEqual(['Oat milk', 'Bread', 'Coffee']);
    });
  });

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
      { duration: '10min', permissions: ['clipboard-read', 'clipboard-write'] },
    );
  });
});

test('keeps a changed theme', async () => {
  await visit('a dark landing page for a gym', async (page) => {
    const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    const dark = await background();
    await page.getByRole('button', { name: 'Dark theme', pressed: true }).click();
    const light = await background();
    expect(light).not.toBe(dark);
    await page.reload();
    expect(await background()).toBe(light);
  });
});

describe('calculator', () => {
  test('follows the rules of mathematics and pocket calculators', async () => {
    await visit('a scientific calculator', async (page) => {
      for (const [typed, result] of [
        ['2+3*4', '14'],
        ['200+10%', '220'],
        ['1,5+1', '2.5'],
        ['10000000000*10000000000000', '1×10^23'],
      ] as const) {
        await page.keyboard.press('Escape');
        await page.keyboard.type(typed);
        await page.locator('body').press('Enter');
        expect(await text(page, '#expression')).toBe(result);
        expect(await page.locator('#tape strong').first().textContent()).toBe(result);
      }
    });
  });
});

describe('notes', () => {
  test('renders Markdown while typing, and finds and keeps the note', async () => {
    await visit('a notes app with markdown preview', async (page) => {
      await page.getByRole('button', { name: 'New note' }).click();
      await page
        .getByLabel('Note in Markdown')
        .fill(
          '# Plan\n\nSome **bold** words, a [link](https://example.com) and <b>no html</b>\n\n- [x] one\n- [ ] two\n\n```\n<script>\n```\n\n[bad](javascript:alert)',
        );
      const preview = page.locator('#preview');
      expect(await preview.locator('h1').textContent()).toBe('Plan');
      expect(await preview.locator('strong').textContent()).toBe('bold');
      expect(await preview.locator('li input:checked').count()).toBe(1);
      expect(await preview.locator('a').evaluateAll((links) => links.map((link) => link.getAttribute('href')))).toEqual(
        ['https://example.com'],
      );
      expect(await preview.locator('b, script').count()).toBe(0);
      await page.reload();
      await page.getByLabel('Search notes').fill('bold plan');
      expect(await page.locator('#list strong').allInnerTexts()).toEqual(['Plan']);
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByText('No note matches.').waitFor();
    });
  });
});

describe('kanban board', () => {
  test('adds, drags, moves and keeps cards', async () => {
    await visit('a kanban board with columns Backlog, Doing, Done and cards: write, print', async (page) => {
      const column = (name: string) => page.getByRole('region', { name }).locator('.card');
      await page.getByLabel('New card in Backlog').fill('Bind');
      await page.getByLabel('New card in Backlog').press('Enter');
      expect(await column('Backlog').allTextContents()).toEqual(['Write', 'Print', 'Bind']);
      await page.getByRole('button', { name: 'Print' }).dragTo(page.getByRole('region', { name: 'Doing' }));
      await page.getByRole('button', { name: 'Bind' }).dragTo(page.getByRole('button', { name: 'Write' }));
      expect(await column('Backlog').allTextContents()).toEqual(['Bind', 'Write']);
      await page.getByRole('button', { name: 'Write' }).click();
      await page.getByLabel('Column').selectOption('Done');
      await page.getByLabel('Text').fill('Write it all');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('region', { name: 'Done' }).getByText('Write it all').waitFor();
      await page.reload();
      expect(await column('Doing').allTextContents()).toEqual(['Print']);
      await page.getByRole('button', { name: 'Bind' }).click();
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('button', { name: 'Bind' }).waitFor({ state: 'detached' });
    });
  });
});

describe('form', () => {
  test('lists invalid fields with links to them, and displays the data to send', async () => {
    await visit('a contact form with fields name, email, website (optional) and message', async (page) => {
      await page.getByLabel('Email').fill('ana@');
      await page.getByRole('button', { name: 'Send' }).click();
      expect(await page.getByRole('alert').getByRole('link').allTextContents()).toEqual([
        'Name is missing.',
        'Not an e-mail address yet.',
        'Message is missing.',
        'Your consent is missing.',
      ]);
      await page.getByRole('link', { name: 'Name is missing.' }).click();
      await page.keyboard.type('Ana');
      await page.getByLabel('Email').fill('ana@example.com');
      await page.getByLabel('Message').fill('Hello');
      await page.getByLabel('I agree').check();
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByRole('heading', { name: 'Thank you.' }).waitFor();
      expect(await page.locator('#sent dd').allTextContents()).toEqual(['Ana', 'ana@example.com', 'Hello']);
    });
  });
});

describe('form that a server rejects', () => {
  test('displays the error and keeps the input', async () => {
    const refuse = "export async function send() {\n  throw new Error('refused');\n}\n";
    const files = compose('a contact form with fields name, city (optional)', 'auto').map((file) =>
      file.path === 'src/send.js' ? { ...file, content: refuse } : file,
    );
    await using project = await openProject(browser, files);
    await project.page.getByLabel('Name').fill('Ana');
    await project.page.getByLabel('I agree').check();
    await project.page.getByRole('button', { name: 'Send' }).click();
    await project.page.getByText('It could not be sent.').waitFor();
    expect(await project.page.getByLabel('Name').inputValue()).toBe('Ana');
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
