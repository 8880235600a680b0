import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { compose } from '../../../blueprints/engine/compose.ts';
import { launch, openProject } from '../open-project.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

/** Opens the project of a prompt on a phone, uses it, and expects no faults and nothing beside the screen. */
async function visit(prompt: string, use: (page: Page) => Promise<void>) {
  await using project = await openProject(browser, compose(prompt, 'auto'), {
    viewport: { width: 390, height: 844 },
  });
  await use(project.page);
  expect(await project.page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  expect(project.faults).toEqual([]);
}

const press = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true }).first().click();

describe('chat', () => {
  test('answers by script, says so, and keeps the messages', async () => {
    await visit('a chat app with contacts Alice and Bob', async (page) => {
      await page.clock.install();
      await page.reload();
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

  test('begins a conversation in German', async () => {
    await visit('eine Chat-App', async (page) => {
      await page.getByLabel('Neue Unterhaltung mit').fill('Zoë');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Zoë' }).waitFor();
      await page.getByRole('log').getByText('Hallo! Wie kann ich helfen?').waitFor();
    });
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
      expect([download.suggestedFilename(), png.readUInt32BE(16)]).toEqual([
        '10x10-pixel-art-editor.png',
        1020,
      ]);
    });
  });

  test('a board draws and erases with the pointer, in Spanish', async () => {
    await visit('una pizarra para dibujar', async (page) => {
      const box = await page.getByLabel('Dibujo').boundingBox();
      if (!box) throw new Error('the board is not visible');
      const stroke = async () => {
        await page.mouse.move(box.x + box.width * 0.25, box.y + box.height / 2);
        await page.mouse.down();
        await page.mouse.move(box.x + box.width * 0.75, box.y + box.height / 2, { steps: 3 });
        await page.mouse.up();
      };
      await stroke();
      expect(await pixels(page, [600, 450], [600, 500])).toEqual([BLACK, '']);
      await press(page, 'Borrador');
      await page.getByLabel('Grosor').fill('60');
      await stroke();
      expect(await pixels(page, [600, 450])).toEqual(['']);
      await press(page, 'Deshacer');
      expect(await pixels(page, [600, 450])).toEqual([BLACK]);
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

  test('plays a file of the visitor, in French', async () => {
    await visit('un lecteur de musique', async (page) => {
      const samples = Buffer.alloc(8_000 * 2);
      const head = Buffer.from('UklGRqQ+AABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YYA+AAA=', 'base64');
      const buffer = Buffer.concat([head, samples]);
      await page
        .getByLabel('Ajouter ta musique')
        .setInputFiles({ name: 'Été.wav', mimeType: 'audio/wav', buffer });
      await page.getByRole('heading', { name: 'Été' }).waitFor();
      await playing(page);
      await page.getByText('De cet appareil').waitFor();
    });
  });
});

describe('form', () => {
  test('checks and thanks in Spanish', async () => {
    await visit('formulario de contacto con nombre, correo y mensaje', async (page) => {
      await page.getByLabel('Correo').fill('ana@');
      await press(page, 'Enviar el mensaje');
      expect(await page.getByRole('alert').getByRole('link').allTextContents()).toEqual([
        'Falta: Nombre.',
        'Todavía no es una dirección de correo.',
        'Falta: Mensaje.',
        'Falta tu consentimiento.',
      ]);
      await page.getByLabel('Nombre').fill('Ana');
      await page.getByLabel('Correo').fill('ana@example.com');
      await page.getByLabel('Mensaje').fill('Hola');
      await page.getByLabel('Acepto').check();
      await press(page, 'Enviar el mensaje');
      await page.getByRole('heading', { name: 'Gracias.' }).waitFor();
    });
  });
});
