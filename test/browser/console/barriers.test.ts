import { browser } from '../browser.ts';
import { answerWith, ownOrigins } from '../clouds.ts';
import { expectFits, WATCH_SHIFTS } from './barriers.ts';
import { newKey } from './keys.ts';
import { change, deploy, generate, openConsole, preview, turn } from './open-console.ts';

const cloud = await ownOrigins();
const key = await newKey(cloud, '--scopes', 'assets:write');

// The themes differ in color alone, so that one width of each is enough.
it.each([
  ['a phone', { width: 390, height: 844 }, 'dark'],
  ['a desktop', { width: 1280, height: 800 }, 'light'],
] as const)(
  'has no barrier, moves nothing and fits the screen in every state on %s',
  async (_, viewport, colorScheme) => {
    const { page, faults } = await openConsole(browser, 'about:blank', { viewport, colorScheme }, '');
    await page.addInitScript(WATCH_SHIFTS);
    await page.goto(cloud.baseUrl);
    const check = async (state: string) => {
      await expectFits(page, state, viewport.width);
      expect([state, await page.evaluate('shifts')]).toEqual([state, []]);
    };
    const tab = (name: string) => page.getByRole('tab', { name }).click();
    await check('start');
    await generate(page, 'a quiz', 'provider-b');
    await turn(page, 0).locator('.attempts').waitFor();
    await check('running');
    await preview(page).locator('body').waitFor({ state: 'attached' });
    await check('preview');
    if (viewport.width < 900) await tab('Chat');
    await turn(page, 0).locator('.seen').waitFor();
    await page.getByLabel('What to change').fill('change the title to Birds');
    await page.keyboard.press('Enter');
    await turn(page, 1).locator('.changes summary').first().click();
    await check('changed');
    await tab('Files');
    await page.locator('.cm-line').first().waitFor();
    await check('files');
    await tab('Publish');
    await page.getByLabel('People with a password').check();
    await page.getByRole('button', { name: 'Suggest one' }).click();
    await check('a password');
    await page.getByLabel('People with a link').check();
    await deploy(page);
    await check('published');
    await page.getByText('Change who can see it').click();
    await page.getByRole('button', { name: 'Keep it' }).click();
    await page.getByLabel('API key').waitFor();
    await check('settings');
    await page.getByRole('link', { name: 'Account' }).click();
    await check('without a key');
    await page.getByLabel('API key').fill(key);
    await page.getByRole('button', { name: 'Use the key' }).click();
    await page.getByRole('heading', { name: 'Assets' }).waitFor();
    await check('account');
    await page.click('.brand');
    await page.getByRole('heading', { name: 'Recent projects' }).waitFor();
    await check('gallery');
    await page.getByRole('button', { name: 'Forget a quiz' }).click();
    await check('forgetting');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'a quiz', exact: true }).click();
    await deploy(page);
    await page.reload();
    await page.getByText('The page belongs to an API key.').waitFor();
    await check('the page of a key');
    expect(faults.filter((fault) => !fault.startsWith('request outside'))).toEqual([]);
  },
);

it('is used with the keyboard alone', async () => {
  const { page, faults } = await openConsole(browser, cloud.baseUrl);
  const press = async (...keys: string[]) => {
    for (const one of keys) await page.keyboard.press(one);
  };
  const focused = () => page.evaluate<string>('document.activeElement.textContent || document.activeElement.ariaLabel');
  await press('Tab');
  expect(await focused()).toBe('Skip to the content');
  await press('Enter', 'Tab');
  await page.keyboard.type('a quiz');
  await press('Enter');
  await turn(page, 0).locator('.state.succeeded').waitFor();
  expect(await focused()).toBe('a quiz');
  await page.getByRole('tab', { selected: true }).focus();
  await press('ArrowRight');
  expect(await focused()).toBe('Files');
  await page.getByRole('tree').waitFor();
  await press('End');
  expect(await focused()).toBe('Data');
  await press('Tab', 'Tab');
  expect(await focused()).toBe('Deploy');
  await press('Enter');
  await page.getByText('The page is up to date.').waitFor();
  expect(await page.getByRole('status').first().innerText()).toMatch(/^Deployed at http/);

  await change(page, 'use the dark theme');
  await turn(page, 1).getByRole('button', { name: 'Undo' }).focus();
  await press('Enter');
  await turn(page, 1).getByRole('button', { name: 'Redo' }).waitFor();
  expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('use the dark theme');
  await press('Tab');
  expect(await focused()).toBe('Redo');
  expect(faults).toEqual([]);
});

it.each([
  ['reduce', 0],
  ['no-preference', 1],
] as const)('animates the running generation as the visitor prefers: %s', async (reducedMotion, count) => {
  const { page } = await openConsole(browser, cloud.baseUrl, { reducedMotion });
  const { promise, resolve } = Promise.withResolvers<void>();
  answerWith([{ until: promise }, { text: '<done/>\n' }, { finish: 'complete' }]);
  await generate(page, 'a quiz', 'provider-d');
  await turn(page, 0).locator('.state.running').waitFor();
  expect(await page.evaluate('document.getAnimations().length')).toBe(count);
  resolve();
});

it('without JavaScript, leads to the reference', async () => {
  const { page } = await openConsole(browser, cloud.baseUrl, { javaScriptEnabled: false });
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toContain('A prompt becomes a project');
  await page.getByRole('link', { name: 'The API reference' }).first().click();
  await page.waitForURL('**/docs');
});
