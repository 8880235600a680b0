import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { press, stopClock, text, visit as visitOnPhone } from './visit.ts';

const visit = (prompt: string, use: (page: Page) => Promise<void>) => visitOnPhone(prompt, use, { hasTouch: true });

/** Shuffles the same way every time. */
const fixChance = (page: Page) =>
  page.addInitScript('{ let seed = 1; Math.random = () => (seed = (seed * 16807) % 2147483647) / 2147483647; }');

describe('tic-tac-toe', () => {
  const take = async (page: Page, ...squares: string[]) => {
    for (const square of squares) {
      const [row, column] = square;
      await press(page, `Row ${row}, column ${column}: empty`);
    }
  };

  test('is won and drawn, by keyboard too, and keeps its score', async () => {
    await visit('tic tac toe', async (page) => {
      await take(page, '11', '12', '22', '13');
      await page.getByRole('button', { name: 'Row 1, column 1' }).focus();
      for (const key of ['ArrowRight', 'ArrowRight', 'ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
      expect(await page.getByRole('status').textContent()).toBe('X wins!');
      await press(page, 'Play again');
      await take(page, '11', '12', '13', '22', '21', '23', '32', '31', '33');
      expect(await page.getByRole('status').textContent()).toBe('It’s a draw.');
      await page.reload();
      expect([await text(page, '#x'), await text(page, '#draws'), await text(page, '#o')]).toEqual(['1', '1', '0']);
    });
  });
});

test('2048 slides, undoes, keeps the game and ends', async () => {
  await visit('2048', async (page) => {
    await fixChance(page);
    await page.reload();
    const tiles = async () => (await page.locator('.tile').allTextContents()).sort().join();
    for (const key of ['ArrowLeft', 'ArrowDown', 'ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowUp'])
      await page.keyboard.press(key);
    const before = await tiles();
    const score = await text(page, '#score');
    expect(Number(score)).toBeGreaterThan(0);
    await page.reload();
    expect([await tiles(), await text(page, '#score')]).toEqual([before, score]);
    await page.getByRole('button', { name: 'Right' }).tap();
    expect(await tiles()).not.toBe(before);
    await press(page, 'Undo');
    expect(await tiles()).toBe(before);
    // A full board on which no two neighbours are equal.
    await page.evaluate(`localStorage.setItem('/d/abc123/game', JSON.stringify({ size: 4, score: 8,
      tiles: Array.from({ length: 16 }, (_, at) => ({ id: at, at, value: 8 << ((at + (at >> 2)) % 2) })) }))`);
    await page.reload();
    expect(await page.getByRole('status').textContent()).toBe('Game over: no move is left.');
    await press(page, 'Play again');
    expect(await page.locator('.tile').count()).toBe(2);
  });
});

test('flash cards move through three boxes, and are added and removed', async () => {
  await visit('flash cards: dog = Hund, cat = Katze', async (page) => {
    const boxes = async () => (await page.locator('dd').allTextContents()).join();
    expect(await boxes()).toBe('2,2,0,0');
    await page.keyboard.press('Space');
    await page.getByText('Hund').first().waitFor();
    await page.keyboard.press('2');
    await press(page, 'Show answer');
    await press(page, 'Not yet');
    expect(await boxes()).toBe('1,1,1,0');
    await page.getByText('Cards (2)').click();
    await page.getByLabel('Front').fill('bird');
    await page.getByLabel('Back').fill('Vogel');
    await press(page, 'Add card');
    await press(page, 'Remove cat');
    await page.reload();
    await press(page, 'Show answer');
    expect(await page.locator('.card').textContent()).toBe('birdVogel');
    await press(page, 'Known');
    expect(await page.getByRole('status').textContent()).toBe('Done for now. Come back tomorrow.');
  });
});

test('a chat answers by script, says so, and keeps the messages', async () => {
  await visit('a chat app with contacts Alice and Bob', async (page) => {
    await stopClock(page);
    await press(page, /Alice/);
    await page.getByText('the answers are scripted').waitFor();
    await page.keyboard.type('Hello\nThanks');
    expect(await page.getByRole('log').getByRole('listitem').count()).toBe(2);
    await page.clock.runFor(200);
    await page.getByRole('status').getByText('Alice is typing…').waitFor();
    await press(page, 'All conversations');
    expect(await page.evaluate('document.activeElement.textContent')).toContain('Alice');
    await press(page, /Bob/);
    await page.clock.runFor(3_000);
    await press(page, 'All conversations');
    await page.getByText('1 unread').waitFor();
    await page.reload();
    await press(page, /Alice/);
    await page.getByRole('log').getByText('Hello! Good to hear from you.').waitFor();
  });
});

describe('drawing', () => {
  /** The colours of some pixels of the picture, '' for an empty one. */
  const pixels = (page: Page, ...points: readonly (readonly [number, number])[]) =>
    page.evaluate(
      `${JSON.stringify(points)}.map(([x, y]) => [...document.querySelector('canvas').getContext('2d').getImageData(x, y, 1, 1).data]).map(([r, g, b, a]) => (a ? [r, g, b].join() : ''))`,
    );
  const BLACK = '28,27,34';
  const RED = '220,47,60';

  test('a pixel editor is used with the keyboard alone, and keeps its picture', async () => {
    await visit('a 10x10 pixel art editor', async (page) => {
      await page.getByLabel('Picture').focus();
      await page.keyboard.press('Space');
      await page.keyboard.press('Shift+ArrowRight');
      await page.keyboard.press('ArrowDown');
      expect(await page.locator('#place').textContent()).toBe('Column 2, row 2: empty');
      await press(page, 'Red');
      await press(page, 'Fill');
      await page.getByLabel('Picture').focus();
      await page.keyboard.press('Space');
      expect(await page.locator('#place').textContent()).toBe('Column 2, row 2: Red');
      expect(await pixels(page, [0, 0], [1, 0], [9, 9])).toEqual([BLACK, BLACK, RED]);
      await page.keyboard.press('Control+z');
      expect(await pixels(page, [1, 0], [9, 9])).toEqual([BLACK, '']);
      await page.keyboard.press('Control+y');
      await page.reload();
      await page.locator('#undo:disabled').waitFor();
      expect(await pixels(page, [1, 0], [9, 9])).toEqual([BLACK, RED]);
      const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Save PNG')]);
      const png = await readFile(await download.path());
      expect([download.suggestedFilename(), png.readUInt32BE(16)]).toEqual(['10x10-pixel-art-editor.png', 1020]);
    });
  });
});

describe('drum machine', () => {
  test('plays by key, follows the steps, and keeps the beat', async () => {
    await visit('uma bateria eletrônica', async (page) => {
      await page.getByRole('button', { name: 'Bumbo, passo 1', exact: true }).focus();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.getByLabel('Andamento').fill('180');
      await page.locator('h1').click();
      await page.keyboard.press('Space');
      await page.locator('.now').first().waitFor();
      await page.getByRole('button', { name: 'Parar' }).waitFor();
      await page.keyboard.press('Space');
      await page.getByRole('button', { name: 'Tocar', exact: true }).waitFor();
      expect(await page.locator('.now').count()).toBe(0);
      await page.reload();
      expect(await page.getByLabel('Andamento').inputValue()).toBe('180');
      const step = page.getByRole('button', { name: 'Caixa, passo 2', exact: true });
      expect(await step.getAttribute('aria-pressed')).toBe('true');
      await page.getByLabel('Ritmo').selectOption('Rock');
      expect(await step.getAttribute('aria-pressed')).toBe('false');
      await page.getByLabel('Ritmo').selectOption('House');
      expect(await step.getAttribute('aria-pressed')).toBe('true');
      await press(page, 'Redefinir');
      expect(await step.getAttribute('aria-pressed')).toBe('false');
    });
  });
});

describe('music player', () => {
  const playing = (page: Page) =>
    page
      .getByText(/^0:0[1-9]$/)
      .first()
      .waitFor();

  test('plays, seeks, goes on to the next track, and keeps the track', async () => {
    await visit('a music player with songs: Blue Train, So What', async (page) => {
      await press(page, 'Play');
      await playing(page);
      await page.getByLabel('Position').fill('20');
      await page
        .getByText(/^0:2\d$/)
        .first()
        .waitFor();
      await press(page, 'Pause');
      await press(page, 'Next');
      await page.getByRole('heading', { name: 'So What' }).waitFor();
      await page.reload();
      await page.getByRole('heading', { name: 'So What' }).waitFor();
    });
  });
});
