import type { Browser } from 'playwright-core';
import { newCaller } from '../../integration/client.ts';
import { type SiteCloud, startSiteCloud } from '../../support/site-cloud.ts';
import { launch } from '../open-project.ts';
import { newKey } from './keys.ts';
import { deploy, generate, openConsole, startConsoleCloud, turn } from './open-console.ts';

let cloud: SiteCloud;
let browser: Browser;
beforeAll(async () => {
  [cloud, browser] = await Promise.all([startConsoleCloud(), launch()]);
});
afterAll(async () => {
  await Promise.all([cloud?.close(), browser?.close()]);
});

const STORED = 'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])';

it('uses a key for all requests, shows what it owns, and forgets it with the page', async () => {
  const key = await newKey(cloud, '--scopes', 'assets:write');
  const { page, faults } = await openConsole(browser, cloud.baseUrl);
  const enter = async () => {
    await page.getByRole('link', { name: 'Account' }).click();
    await page.getByLabel('API key').fill(key);
    await page.keyboard.press('Enter');
  };
  await enter();
  await page.getByText('This key has deployed nothing yet.').waitFor();
  await page.click('.brand');
  await generate(page, 'a quiz');
  await turn(page, 0).locator('.state.succeeded').waitFor();
  const url = await deploy(page);
  expect(await page.getByRole('button', { name: 'Copy token' }).count()).toBe(0);

  await page.getByRole('link', { name: `Key …${key.slice(-4)}` }).click();
  await page.getByText(/calls from/).waitFor();
  const deployment = page.locator('section', { hasText: 'Deployments' }).locator('li');
  expect(await deployment.locator('a').getAttribute('href')).toBe(url);
  page.once('dialog', (dialog) => dialog.accept());
  await deployment.getByRole('button', { name: /^Delete/ }).click();
  await deployment.waitFor({ state: 'detached' });
  expect((await fetch(url)).status).toBe(410);

  expect(await page.evaluate(STORED)).not.toContain(key);
  expect(faults).toEqual([]);

  await page.getByRole('link', { name: 'a quiz' }).click();
  await page.reload();
  await page.getByRole('alert').getByText('Enter the API key that it was made with').waitFor();
  await page.getByLabel('API key').fill(key);
  await page.keyboard.press('Enter');
  await turn(page, 0).locator('.state.succeeded').waitFor();
});

it('shows the lists that it can read, and why it cannot read another', async () => {
  const key = await newKey(cloud);
  const { page, faults } = await openConsole(browser, cloud.baseUrl, {}, '/#account');
  const error = { error: 'The key lacks a scope', code: 'forbidden', requestId: 'r' };
  await page.route('**/api/v1/assets/user-assets/**', (route) => route.fulfill({ status: 403, json: error }));
  await page.route('**/api/v1/deployments**', async (route) => {
    await page.waitForTimeout(300);
    await route.continue();
  });
  await page.getByLabel('API key').fill(key);
  await page.keyboard.press('Enter');
  await page.getByText('This key has deployed nothing yet.').waitFor();
  await page.getByText('The key lacks a scope').waitFor();
  expect(faults.filter((fault) => !fault.includes('403'))).toEqual([]);
});

it('says what is wrong with a key', async () => {
  const { page } = await openConsole(browser, cloud.baseUrl, {}, '/#account');
  await page.getByLabel('API key').fill('ptp_with a space');
  await page.keyboard.press('Enter');
  await page.getByText(/characters that no header can have/).waitFor();
  await page.getByLabel('API key').fill('ptp_unknown');
  await page.keyboard.press('Enter');
  await page.getByText('Enter a valid API key').waitFor();
  await page.getByRole('button', { name: 'Forget the key' }).click();
  await page.getByLabel('API key').waitFor();
});

describe('what this browser made', () => {
  it('is not stored where published pages share the origin, and the page says so', async () => {
    const { page } = await openConsole(browser, cloud.baseUrl);
    await generate(page, 'a quiz');
    await turn(page, 0).locator('.state.succeeded').waitFor();
    await deploy(page);
    expect(await page.evaluate(STORED)).toBe('[{},{},""]');
    await page.click('.brand');
    await page.getByText('This list is kept in memory').waitFor();
    await page.reload();
    await page.getByLabel('What to build').waitFor();
    expect(await page.getByRole('heading', { name: 'Made in this browser' }).count()).toBe(0);
  });

  it('is stored where they have origins of their own, with tokens that still work', async () => {
    const isolated = await startSiteCloud('sites.localhost');
    try {
      const { page } = await openConsole(browser, isolated.baseUrl);
      await generate(page, 'a quiz');
      await turn(page, 0).locator('.state.succeeded').waitFor();
      const url = await deploy(page);
      await page.reload();
      await turn(page, 0).locator('.state.succeeded').waitFor();
      await page.getByRole('button', { name: 'Deploy' }).click();
      await page.getByRole('button', { name: 'Roll back' }).waitFor();
      expect(await page.innerText('a.url')).toBe(url);
      await page.click('.brand');
      await page.getByText('This list is kept in this browser').waitFor();
      await page.reload();
      page.once('dialog', (dialog) => dialog.accept());
      await page.getByRole('button', { name: 'Delete a quiz' }).click();
      await page.getByRole('heading', { name: 'Made in this browser' }).waitFor({ state: 'detached' });
      const { headers } = await newCaller(isolated.baseUrl).send(new URL(url).pathname);
      expect(await newCaller(headers.location).send('/')).toMatchObject({ status: 410 });
    } finally {
      await isolated.close();
    }
  });
});
