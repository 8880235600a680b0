import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { watchedPage } from '../open-project.ts';

/** Opens the console. Faults are errors and requests of other origins. */
export async function openConsole(browser: Browser, baseUrl: string, options: BrowserContextOptions = {}, path = '/') {
  const watched = await watchedPage(browser, baseUrl, options);
  await watched.page.goto(baseUrl + path);
  return watched;
}

/** Generates a project from the start of the console, as a visitor does. */
export async function generate(page: Page, prompt: string, model?: string): Promise<void> {
  await page.getByLabel('What to build').fill(prompt);
  if (model !== undefined) await page.getByLabel('Model').selectOption(model);
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: 'Generate' }).click();
}

/** Asks for a change, and waits for its end. */
export async function change(page: Page, prompt: string): Promise<void> {
  await page.getByLabel('What to change').fill(prompt);
  await page.keyboard.press('Enter');
  await page.locator('.turn:not(.undone)', { hasText: prompt }).locator('.state.succeeded').waitFor();
}

export const turn = (page: Page, index: number) => page.locator('.turn').nth(index);

/** The project as the preview shows it. */
export const preview = (page: Page) => page.frameLocator('.preview iframe:not(.preview-next)');

/** Deploys the project, and returns its URL. */
export async function deploy(page: Page): Promise<string> {
  const deployed = page.waitForResponse('**/api/v1/deployments/*');
  await page.getByRole('button', { name: 'Deploy', exact: true }).click();
  await deployed;
  await page.getByText('The page is up to date.').waitFor();
  return page.innerText('a.url');
}

/** Types text at the end of the first line of the file that is open, and waits until it is there. */
export async function type(page: Page, text: string): Promise<void> {
  await page.locator('.cm-line').first().click();
  await page.keyboard.press('End');
  await page.keyboard.type(text);
  await page.locator('.cm-line', { hasText: text }).waitFor();
}

/** Opens a file of the project in the editor. */
export async function openFile(page: Page, name: string): Promise<void> {
  await page.getByRole('tab', { name: 'Files' }).click();
  await page.getByRole('treeitem', { name }).click();
}

/** Enters an API key in the form that is shown. */
export async function enterKey(page: Page, key: string): Promise<void> {
  await page.getByLabel('API key').fill(key);
  await page.keyboard.press('Enter');
}
