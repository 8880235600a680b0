import { readFile } from 'node:fs/promises';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { compose } from '../../../blueprints/engine/compose.ts';
import { launch, openProject } from '../open-project.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

/** Opens the deepest project of a prompt, which has the features of the shallower ones, and uses it. */
async function visit(prompt: string, use: (page: Page) => Promise<void>, options?: BrowserContextOptions) {
  await using project = await openProject(browser, compose(prompt, '10min'), options);
  await use(project.page);
  expect(project.faults).toEqual([]);
}

const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] };
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const text = (page: Page, selector: string) => page.locator(selector).textContent();
const clipboard = (page: Page): Promise<string> => page.evaluate('navigator.clipboard.readText()');

/** What is in the file that a press of a button hands out. */
async function downloaded(page: Page, button: string): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), press(page, button)]);
  return readFile(await download.path(), 'utf8');
}

/** Presses a button that asks for files, and gives it one. */
async function upload(page: Page, button: string, name: string, content: string) {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), press(page, button)]);
  await chooser.setFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(content) });
}

describe('options, on every kind of page', () => {
  test('text size and colour are chosen and stay; data is backed up, erased and brought back', async () => {
    await visit('a to-do list with items: one, two', async (page) => {
      const style = (property: string) =>
        page.evaluate(`getComputedStyle(document.documentElement).${property}`);
      await page.keyboard.press('?');
      await page.getByRole('dialog').getByText('Largest').click();
      await page.getByRole('dialog').getByText('Green').click();
      expect(await style('fontSize')).toBe('20.8px');
      const green = await page.evaluate(
        "getComputedStyle(document.querySelector('#add button')).backgroundColor",
      );
      await press(page, 'Close');
      await page.getByRole('checkbox', { name: 'One' }).check();
      await page.reload();
      expect(await style('fontSize')).toBe('20.8px');
      expect(
        await page.evaluate("getComputedStyle(document.querySelector('#add button')).backgroundColor"),
      ).toBe(green);
      await press(page, 'Options');
      const backup = await downloaded(page, 'Download a backup');
      await press(page, 'Erase everything');
      await press(page, 'Really erase? Press again');
      await page.getByText('2 left, 0 done').waitFor();
      expect(await style('fontSize')).toBe('16px');
      await press(page, 'Options');
      await upload(page, 'Restore a backup', 'wrong.json', '[]');
      await page.getByText('This file is not a backup of this page.').waitFor();
      await upload(page, 'Restore a backup', 'backup.json', backup);
      await page.getByText('1 left, 1 done').waitFor();
      expect(await style('fontSize')).toBe('20.8px');
    });
  });
});

describe('timer', () => {
  test('takes intervals of one’s own, draws the week, and counts towards a goal', async () => {
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
  test('is put in order by key and by mouse, has days and tags, and takes pasted lists', async () => {
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
        if (!handle || !last) throw new Error('the list is not shown');
        await page.mouse.move(handle.x + 10, handle.y + 20);
        await page.mouse.down();
        await page.mouse.move(handle.x + 10, last.y - 10, { steps: 5 });
        await page.mouse.move(handle.x + 10, last.y + last.height, { steps: 5 });
        await page.mouse.up();
        expect(await entries()).toEqual(['C', 'B', 'A']);
        await page.locator('li').first().hover();
        await page.getByRole('button', { name: 'Choose a day: C' }).click();
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

describe('landing page', () => {
  test('marks what is read, checks a message and keeps its draft, shares, and has further pages', async () => {
    await visit(
      'a landing page for a bakery with pricing, faq and contact',
      async (page) => {
        await page.locator('#pricing').scrollIntoViewIfNeeded();
        await page.getByRole('navigation').getByRole('link', { name: 'Pricing' }).click();
        await page.locator('nav a[aria-current="true"]', { hasText: 'Pricing' }).waitFor();
        await page.getByText('What does it cost?').click();
        await page.getByText('Can I change my mind?').click();
        expect(await page.locator('details[open]').count()).toBe(1);
        await page.getByLabel('Your message').fill('Hi');
        await press(page, 'Write the e-mail');
        expect(await page.locator('.problem').allTextContents()).toEqual([
          'Tell us what to call you.',
          'We need an address to answer to, such as ana@example.com.',
          'A few more words, please.',
        ]);
        await page.keyboard.type('Ana');
        expect(await page.locator('.problem').first().textContent()).toBe('');
        await page.reload();
        expect(await page.getByLabel('Your name').inputValue()).toBe('Ana');
        await press(page, 'Share this page');
        await page.getByText('Address copied').waitFor();
        expect(await clipboard(page)).toMatch(/\/d\/abc123\/$/);
        await page.getByRole('link', { name: 'Privacy' }).click();
        await page.getByRole('heading', { name: 'Privacy' }).waitFor();
        await page.getByRole('link', { name: 'Back to Bakery' }).click();
        await page.getByRole('heading', { level: 1 }).waitFor();
      },
      CLIPBOARD,
    );
  });
});

describe('calculator', () => {
  test('remembers, copies and converts', async () => {
    await visit(
      'a calculator',
      async (page) => {
        await page.keyboard.type('12.5*4');
        await press(page, 'add to the memory');
        await press(page, 'clear');
        await page.keyboard.type('100-');
        await press(page, 'recall the memory');
        expect(await text(page, '#result')).toBe('= 50');
        await press(page, 'Copy');
        await page.getByText('Copied').waitFor();
        expect(await clipboard(page)).toBe('50');
        await page.reload();
        expect(await text(page, '#memory')).toBe('M 50');
        await page.keyboard.type('26.2');
        await press(page, 'Convert');
        expect(await text(page, '#converted')).toBe('= 42.1648128');
        await page.getByLabel('Quantity').selectOption('Temperature');
        await page.getByLabel('Amount').fill('100');
        expect(await text(page, '#converted')).toBe('= 212');
        await press(page, 'Swap');
        await press(page, 'Use the result');
        await page.locator('#expression', { hasText: '37.7777777778' }).waitFor();
      },
      CLIPBOARD,
    );
  });
});

describe('notes', () => {
  test('are found by tags, leave and come in as files, and are formatted by button and key', async () => {
    await visit('a notes app with notes: Plan #work, Cake #home', async (page) => {
      const titles = () => page.locator('#list strong').allTextContents();
      await press(page, '#home');
      expect(await titles()).toEqual(['Cake #home']);
      await press(page, '#home');
      expect(await downloaded(page, 'Export all')).toMatch(
        /# Plan #work\n\n<!-- next note -->\n\n# Cake #home\n$/,
      );
      await upload(page, 'Import', 'a.md', '# From a file\n\nwords to mark');
      await page.getByRole('button', { name: /From a file/ }).waitFor();
      const editor = page.getByLabel('Note in Markdown');
      await editor.focus();
      await page.keyboard.press('Control+End');
      await page.keyboard.press('Shift+Home');
      await press(page, 'Strong');
      expect(await page.locator('#preview strong').textContent()).toBe('words to mark');
      await page.keyboard.press('Control+B');
      await press(page, 'List');
      await page.reload();
      expect(await editor.inputValue()).toBe('# From a file\n\n- words to mark');
      expect(await page.locator('#preview li').textContent()).toBe('words to mark');
    });
  });
});

describe('quiz', () => {
  test('can be timed, shows every answer and the last rounds, and takes questions of one’s own', async () => {
    await visit('a quiz about space', async (page) => {
      await page.clock.install();
      await page.reload();
      await press(page, 'Your own questions');
      await page.getByLabel('Question', { exact: true }).fill('Who baked it?');
      await page.getByLabel('The right answer').fill('Ana');
      await press(page, 'Add');
      await page.getByText('It takes the right answer and at least one wrong one.').waitFor();
      await page.getByLabel('A wrong one').fill('Ben');
      await press(page, 'Add');
      await press(page, 'Done');
      await page.getByLabel('Time for each question').selectOption('10');
      await press(page, 'Begin');
      await page.clock.runFor(10_200);
      expect(await text(page, '#feedback')).toMatch(/^No: /);
      for (let asked = 1; asked < 7; asked++) {
        await press(page, 'Next question');
        await page.keyboard.press('a');
        await press(page, 'Answer');
      }
      await press(page, 'See the result');
      await page.getByText('Every answer of this round').click();
      expect(await page.locator('#answered tr').count()).toBe(7);
      expect(await page.locator('#answered tr').first().textContent()).toContain('no answer');
      expect(await page.locator('#answered').textContent()).toContain('Who baked it?');
      expect(await text(page, '#rounds li')).toMatch(/^\d of 7, .*, 10 s each$/);
    });
  });
});

describe('plain page', () => {
  test('tells how long it takes, is searched, and has links at its headings', async () => {
    await visit(
      'a page about whales with sections: songs, journeys, dangers',
      async (page) => {
        expect(await text(page, '#reading-time')).toBe('1 min to read');
        await page.keyboard.press('/');
        await page.keyboard.type('SENTENCES');
        expect(await text(page, '#found')).toBe('3 found');
        await page.keyboard.press('Enter');
        await page.keyboard.press('Enter');
        expect(await text(page, '#found')).toBe('2 of 3');
        expect(await page.locator('mark.current').count()).toBe(1);
        await page.getByLabel('Search the page').fill('');
        expect(await page.locator('mark').count()).toBe(0);
        await page.getByRole('heading', { name: 'Dangers' }).hover();
        await page.getByRole('link', { name: 'Link to “Dangers”' }).click();
        await page.locator('[data-copied]').waitFor();
        expect(await clipboard(page)).toMatch(/\/d\/abc123\/#dangers$/);
        await page.locator('nav a[aria-current="true"]').waitFor();
      },
      CLIPBOARD,
    );
  });
});

describe('kanban board', () => {
  test('has limits and a filter, moves cards by key, and goes in and out of files', async () => {
    await visit('a kanban board with columns Backlog, Done and cards: write, print', async (page) => {
      const column = (name: string) => page.getByRole('region', { name }).locator('.card');
      await press(page, 'Limits');
      await page.getByRole('spinbutton', { name: 'Backlog' }).fill('1');
      await press(page, 'Done');
      await page.getByText('2 of 1, too many').waitFor();
      await page.getByLabel('Filter cards').fill('PRI');
      expect(await page.locator('.card:visible').allTextContents()).toEqual(['Print']);
      expect(await text(page, '#hidden')).toBe('1 hidden');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Print' }).focus();
      await page.keyboard.press('Alt+ArrowUp');
      expect(await column('Backlog').allTextContents()).toEqual(['Print', 'Write']);
      await page.keyboard.press('Alt+ArrowRight');
      expect(await column('Done').allTextContents()).toEqual(['Print']);
      expect(await text(page, '#news')).toBe('“Print” is in Done');
      expect(await downloaded(page, 'Export')).toBe('## Backlog\n\n- Write\n\n## Done\n\n- Print\n');
      await upload(page, 'Import', 'board.md', '# done\n- [x] Bind\n');
      await page.getByText('1 card imported').waitFor();
      await page.reload();
      expect(await column('Done').allTextContents()).toEqual(['Print', 'Bind']);
      expect(await page.locator('.number').first().textContent()).toBe('1 of 1');
    });
  });
});

describe('portfolio', () => {
  test('is filtered, looked at in large, and has a curriculum vitae', async () => {
    await visit('portfolio for Jane Doe, illustrator', async (page) => {
      await press(page, 'Personal');
      expect(await page.locator('article:visible h2').allTextContents()).toEqual([
        'Slow Harbour',
        'Field Notes',
      ]);
      expect(await text(page, '#shown')).toBe('2 of 6 projects');
      await press(page, 'Slow Harbour');
      expect(await text(page, '#detail-place')).toBe('1 of 2');
      await page.keyboard.press('ArrowRight');
      expect(await text(page, '#detail-name')).toBe('Field Notes');
      await press(page, 'Next');
      expect(await text(page, '#detail-name')).toBe('Slow Harbour');
      await press(page, 'Close');
      await page.getByRole('link', { name: 'CV' }).click();
      await page.getByRole('button', { name: 'Print this page' }).waitFor();
      expect(await page.locator('.cv').textContent()).toContain('Slow Harbour');
      await page.emulateMedia({ media: 'print' });
      expect(await page.getByRole('navigation').isVisible()).toBe(false);
    });
  });
});

describe('form', () => {
  test('keeps a draft, asks whether all is right, and lists what was sent', async () => {
    await visit('a contact form with fields name, email, password', async (page) => {
      await page.getByLabel('Name').fill('Ana');
      await page.getByLabel('Password').fill('correct horse');
      await page.reload();
      expect(await page.getByLabel('Name').inputValue()).toBe('Ana');
      expect(await page.getByLabel('Password').inputValue()).toBe('');
      await page.getByLabel('Email').fill('ana@example.com');
      await page.getByLabel('Password').fill('correct horse');
      await page.getByLabel('I agree').check();
      await press(page, 'Send the message');
      expect(await page.locator('#summary dd').allTextContents()).toEqual([
        'Ana',
        'ana@example.com',
        '••••••••',
      ]);
      await press(page, 'Change Name');
      await page.keyboard.type(' Maria');
      await press(page, 'Send the message');
      await press(page, 'Send the message');
      await page.getByRole('heading', { name: 'Thank you.' }).waitFor();
      await page.getByRole('link', { name: 'Answers so far' }).click();
      await page.getByText('1 answer').waitFor();
      expect(await page.locator('#answers dd').allTextContents()).toEqual(['Ana Maria', 'ana@example.com']);
      const csv = await downloaded(page, 'Download as CSV');
      expect(csv).toMatch(/^sent at,Name,Email\r\n[^,]+,Ana Maria,ana@example\.com\r\n$/);
      await page.getByRole('button', { name: /^Remove/ }).click();
      await page.getByText('Nothing yet.').waitFor();
    });
  });
});

describe('dashboard', () => {
  test('compares ranges, and its line leaves and comes in as a table', async () => {
    await visit('weather in Lisbon', async (page) => {
      const cells = () => page.locator('#comparison tr').first().locator('td').allTextContents();
      for (const end of ['from', 'to'])
        await page.getByLabel(`Second range, ${end}`).selectOption({ label: '03:00' });
      for (const end of ['from', 'to'])
        await page.getByLabel(`First range, ${end}`).selectOption({ label: '03:00' });
      const [first, second, change] = await cells();
      expect([second, change]).toEqual([first, '+0°']);
      expect(await downloaded(page, 'Download as CSV')).toMatch(
        /^label,Temperature today\r\n00:00,[\d.-]+\r\n/,
      );
      await upload(page, 'Show a CSV file of yours', 'steps.csv', 'day,steps\nMon,10\nTue,30\n');
      await page.getByText('2 rows are shown.').waitFor();
      await page.getByRole('slider', { name: 'steps' }).press('End');
      expect(await text(page, '#readout')).toBe('Tue: 30°');
      expect(await cells()).toEqual(['10°', '30°', '+20°']);
      await upload(page, 'Show a CSV file of yours', 'wrong.csv', 'day,steps\nMon,many\n');
      await page.getByText('Line 2 has no number in its second column.').waitFor();
      await page.reload();
      expect(await text(page, '#line-title')).toBe('steps');
      await press(page, 'Back to the sample');
      expect(await text(page, '#line-title')).toBe('Temperature today');
    });
  });
});

describe('snake', () => {
  test('has levels, speeds, a field of the day, sound, and a list of scores for each', async () => {
    await visit('a snake game', async (page) => {
      await page.clock.install();
      await page.reload();
      expect(await page.getByLabel('Level').locator('option').allTextContents()).toEqual([
        'Meadow',
        'Garden',
        'Hall',
        'Rooms',
        expect.stringMatching(/^Field of /),
      ]);
      await page.getByLabel('Level').selectOption('Hall');
      await page.getByLabel('Speed').selectOption('Fast');
      await page.getByLabel('Sound').uncheck();
      await press(page, 'Play');
      await page.clock.runFor(105 * 11 + 20);
      expect(await text(page, '#score')).toBe('1');
      await page.keyboard.press('ArrowUp');
      // The wall of the hall is five steps away, the edge ten.
      await page.clock.runFor(105 * 6);
      expect(await text(page, '#scores-title')).toBe('Best of Hall, fast');
      expect(await text(page, '#scores li')).toMatch(/^1 on /);
      await page.reload();
      expect(await page.getByLabel('Sound').isChecked()).toBe(false);
      expect(await page.locator('#scores li').count()).toBe(1);
      await page.getByLabel('Speed').selectOption('Slow');
      await page.getByText('Nobody has eaten anything yet.').waitFor();
    });
  });
});
