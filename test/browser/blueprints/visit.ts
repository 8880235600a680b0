import type { BrowserContextOptions, Page } from 'playwright-core';
import { compose } from '../../../blueprints/engine/compose.ts';
import type { Duration } from '../../../lambda/contract/generate.ts';
import { browser } from '../browser.ts';
import { openProject } from '../open-project.ts';

/**
 * Opens the project of a prompt, uses it, and expects that it has no faults and fits the screen, which is a phone's unless
 * `options` say otherwise.
 */
export async function visit(
  prompt: string,
  use: (page: Page) => Promise<void>,
  { duration = 'auto', ...options }: BrowserContextOptions & { readonly duration?: Duration } = {},
): Promise<void> {
  const context = { viewport: { width: 390, height: 844 }, locale: 'en-US', ...options };
  await using project = await openProject(browser, compose(prompt, duration), context);
  await use(project.page);
  const { width } = context.viewport ?? { width: 0 };
  expect(await project.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  expect(project.faults).toEqual([]);
}

/**
 * Loads the page again, whose time then stands still until the test moves it, however long this machine takes for a click.
 * @param time when that is; by default, the present
 */
export async function stopClock(page: Page, time = Date.now()): Promise<void> {
  // It can be stopped in its future only.
  await page.clock.install({ time: time - 3_600_000 });
  await page.clock.pauseAt(time);
  await page.reload();
}

export const press = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true }).first().click();
export const text = (page: Page, selector: string) => page.locator(selector).textContent();
export const texts = (page: Page, selector: string) => page.locator(selector).allInnerTexts();
