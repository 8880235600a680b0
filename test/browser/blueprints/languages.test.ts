import type { Browser, Page } from 'playwright-core';
import { compose } from '../../../blueprints/engine/compose.ts';
import { launch, openProject } from '../open-project.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

/** Opens the project of a prompt on a phone, uses it, and expects no faults and no horizontal scrolling. */
async function visit(prompt: string, use: (page: Page) => Promise<void>) {
  await using project = await openProject(browser, compose(prompt, '10min'), {
    viewport: { width: 390, height: 844 },
  });
  await use(project.page);
  expect(await project.page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  expect(project.faults).toEqual([]);
}

const lang = (page: Page) => page.locator('html').getAttribute('lang');
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

test('a timer in Portuguese', () =>
  visit('um temporizador pomodoro', async (page) => {
    expect(await lang(page)).toBe('pt');
    await press(page, 'Iniciar');
    await page.getByText('Uma coisa de cada vez').waitFor();
    await press(page, 'Pausar');
    await press(page, 'Histórico');
    await page.getByText('Ainda não há sessões.').waitFor();
  }));

test('a shopping list in German keeps its entries and names its days', () =>
  visit('eine Einkaufsliste mit den Artikeln Milch, Brot und Eier', async (page) => {
    expect(await lang(page)).toBe('de');
    await page.getByLabel('Neuer Eintrag').fill('Salz');
    await press(page, 'Hinzufügen');
    await page.getByRole('button', { name: 'Tag hinzufügen: Salz' }).click();
    await press(page, 'Morgen');
    await page.reload();
    await page.getByRole('button', { name: 'Morgen: Salz' }).waitFor();
    expect(await page.locator('#count').textContent()).toMatch(/^\d offen, 0 erledigt$/);
  }));

test('a Kanban board in French', () =>
  visit('un tableau kanban pour mon équipe', async (page) => {
    expect(await lang(page)).toBe('fr');
    await page.getByRole('button', { name: 'Jette un œil' }).click();
    await page.getByLabel('Colonne').selectOption('Terminé');
    await press(page, 'Enregistrer');
    // The closing of a dialog is an event of its own, after the click that causes it.
    await page.locator('#news', { hasText: '« Jette un œil » déplacée vers Terminé' }).waitFor();
  }));

test('a landing page in Spanish has its prices in euros', () =>
  visit('una página web para mi peluquería, con precios', async (page) => {
    expect(await lang(page)).toBe('es');
    expect(await page.locator('.price').nth(1).textContent()).toMatch(/^12\s€ al mes$/);
    await page.getByRole('button', { name: 'Escribir el correo' }).waitFor();
  }));

test('a portfolio in German', () =>
  visit('Portfolio einer Fotografin aus Wien', async (page) => {
    expect(await lang(page)).toBe('de');
    await page.getByRole('heading', { name: 'Über mich' }).waitFor();
  }));

test('a prompt that no starter fits is answered with how to connect a model', () =>
  visit('un sistema operativo para mi reloj', async (page) => {
    expect(await lang(page)).toBe('es');
    await page.getByRole('heading', { level: 1, name: 'Ninguna plantilla encaja con este prompt' }).waitFor();
    expect(await page.getByText('un sistema operativo para mi reloj').count()).toBe(1);
    await page.getByText('ANTHROPIC_API_KEY').waitFor();
  }));
