import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { compose } from '../../../blueprints/engine/compose.ts';
import { launch, openProject } from '../open-project.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true };

/** Opens the project of a prompt on a phone, uses it, and expects no faults and no horizontal scrolling. */
async function visit(prompt: string, use: (page: Page) => Promise<void>) {
  await using project = await openProject(browser, compose(prompt, 'auto'), PHONE);
  await use(project.page);
  expect(await project.page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  expect(project.faults).toEqual([]);
}

const text = (page: Page, selector: string) => page.locator(selector).textContent();
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
/** Shuffles the same way every time. */
const fixChance = (page: Page) =>
  page.addInitScript(
    '{ let seed = 1; Math.random = () => (seed = (seed * 16807) % 2147483647) / 2147483647; }',
  );

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
      for (const key of ['ArrowRight', 'ArrowRight', 'ArrowDown', 'ArrowDown', 'Enter'])
        await page.keyboard.press(key);
      expect(await page.getByRole('status').textContent()).toBe('X wins!');
      await press(page, 'Play again');
      await take(page, '11', '12', '13', '22', '21', '23', '32', '31', '33');
      expect(await page.getByRole('status').textContent()).toBe('It’s a draw.');
      await page.reload();
      expect([await text(page, '#x'), await text(page, '#draws'), await text(page, '#o')]).toEqual([
        '1',
        '1',
        '0',
      ]);
    });
  });

  test('never loses as the computer, in French', async () => {
    await visit('un morpion imbattable contre l’ordinateur', async (page) => {
      await page.clock.install();
      for (let turn = 0; turn < 5; turn++) {
        const free = page.getByRole('button', { name: /: libre$/ });
        if ((await free.count()) > 0) await free.first().click();
        await page.clock.runFor(400);
      }
      expect(await page.getByRole('status').textContent()).toMatch(/^(?:L’ordinateur gagne|Match nul)\.$/);
    });
  });
});

test('a memory game is won and keeps the fewest moves', async () => {
  await visit('Ein Memory-Spiel mit den Wörtern: Sonne, Mond', async (page) => {
    await fixChance(page);
    await page.reload();
    await page.getByLabel('Größe').selectOption({ label: '2 Paare' });
    await press(page, 'Karte 1, verdeckt');
    const face = (await page.getByRole('button', { name: 'Karte 1:' }).textContent()) ?? '';
    for (const other of [2, 3, 4]) {
      if ((await page.getByRole('button', { name: `: ${face}` }).count()) === 2) break;
      if (other > 2) await press(page, 'Karte 1, verdeckt');
      await press(page, `Karte ${other}, verdeckt`);
    }
    const left = page.getByRole('button', { name: 'verdeckt' });
    while ((await left.count()) > 0) await left.first().click();
    expect(await page.getByRole('status').textContent()).toMatch(
      /^Alle Paare in \d Zügen gefunden! Das ist dein/,
    );
    const moves = await text(page, '#moves');
    await page.reload();
    await page.getByLabel('Größe').selectOption({ label: '2 Paare' });
    expect(await text(page, '#best')).toBe(moves);
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

test('breakout scores, loses its lives and is played again', async () => {
  await visit('un casse-briques avec 2 vies', async (page) => {
    await page.clock.install();
    await page.reload();
    await press(page, 'Jouer');
    await page.mouse.move(200, 400);
    await page.keyboard.down('ArrowLeft');
    for (let second = 0; second < 60 && !(await page.getByRole('status').isVisible()); second++)
      await page.clock.runFor(1000);
    await page.keyboard.up('ArrowLeft');
    expect(await page.getByRole('status').textContent()).toMatch(/^Partie terminée avec \d+ points/);
    expect([await text(page, '#lives'), await text(page, '#best')]).toEqual([
      '0',
      await text(page, '#score'),
    ]);
    await press(page, 'Rejouer');
    expect([await text(page, '#lives'), await text(page, '#score')]).toEqual(['2', '0']);
  });
});

test('a typing test measures the text of the prompt', async () => {
  await visit('prueba de mecanografía con el texto: "un dos tres cuatro"', async (page) => {
    await page.clock.install();
    await page.reload();
    const field = page.getByLabel('Escribe aquí');
    await field.pressSequentially('un dos trez');
    await field.press('Backspace');
    await page.clock.runFor(6_000);
    await field.pressSequentially('s cuatro');
    // 18 characters are 3.6 words, in six seconds; one key of 19 was wrong.
    expect(await page.getByRole('status').textContent()).toMatch(
      /^3[0-9] palabras por minuto, 95\s% de precisión\./,
    );
    await page.reload();
    expect(Number(await text(page, '#best'))).toBeGreaterThan(30);
  });
});

describe('flash cards', () => {
  test('move through three boxes, and are added and removed', async () => {
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

  test('have a vocabulary of the language to learn', async () => {
    await visit('Ein Vokabeltrainer für Spanisch', async (page) => {
      await press(page, 'Antwort zeigen');
      expect(await page.locator('.card').textContent()).toBe('holahallo');
    });
  });
});

test('a quiz about a topic is asked in the language of the prompt', async () => {
  await visit('Quero um quiz sobre música', async (page) => {
    await press(page, 'Começar');
    await page.getByRole('radio').first().check();
    await press(page, 'Responder');
    expect(await text(page, '#feedback')).toMatch(/^(?:Certo|Não)/);
    expect(await text(page, '#score')).toMatch(/^[01] de 1 certas$/);
  });
});
