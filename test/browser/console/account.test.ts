import { browser } from '../browser.ts';
import { sharedOrigin } from '../clouds.ts';
import { violations } from './barriers.ts';
import { newKey } from './keys.ts';
import { deploy, enterKey, generate, openConsole, openFile, turn, type } from './open-console.ts';

const cloud = await sharedOrigin();

const STORED = 'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])';

it('uses a key for all requests, shows what it owns, and forgets it with the page', async () => {
  const key = await newKey(cloud, '--scopes', 'assets:write');
  const { page, faults } = await openConsole(browser, cloud.baseUrl);
  const enter = async () => {
    await page.getByRole('link', { name: 'Account' }).click();
    await enterKey(page, key);
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
  await enterKey(page, key);
  await turn(page, 0).locator('.state.succeeded').waitFor();
});

it('shows a page of the key on domains, with the records to create', async () => {
  const key = await newKey(cloud, '--scopes', 'assets:write');
  const { page, faults } = await openConsole(browser, cloud.baseUrl, {}, '/#account');
  await enterKey(page, key);
  await page.getByText('This key has deployed nothing yet.').waitFor();
  await page.click('.brand');
  await generate(page, 'a quiz');
  await turn(page, 0).locator('.state.succeeded').waitFor();
  await page.getByRole('tab', { name: 'Publish' }).click();
  await deploy(page);
  const domains = page.getByRole('region', { name: 'Domains' });
  const add = async (name: string) => {
    await domains.getByLabel('Domain of yours').fill(name);
    await page.keyboard.press('Enter');
  };
  await add('www.example.com');
  await domains.getByText('Waits for its DNS records: There is no TXT record').waitFor();
  expect(await domains.locator('code').allInnerTexts()).toEqual([
    '_ptp-challenge.www.example.com',
    expect.stringMatching(/^ptp-domain=/),
    'www.example.com',
    expect.stringMatching(/\.cloudfront\.net$/),
  ]);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await violations(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);

  await add('shown.localhost');
  const link = domains.getByRole('link', { name: 'shown.localhost' });
  await link.waitFor();
  expect(await page.innerText('a.url')).toBe(await link.getAttribute('href'));
  const [shown] = await Promise.all([page.waitForEvent('popup'), link.click()]);
  await shown.getByRole('heading').first().waitFor();
  expect(new URL(shown.url()).hostname).toBe('shown.localhost');

  page.once('dialog', (dialog) => dialog.accept());
  await domains.getByRole('button', { name: 'Remove www.example.com' }).click();
  await domains.getByText('www.example.com').first().waitFor({ state: 'detached' });
  await add('example.test');
  await page.getByRole('alert').getByText('no public name ends with .test').waitFor();
  expect(faults.filter((fault) => !fault.includes('400'))).toEqual([]);
});

it('where published pages share the origin, stores nothing, says so, and asks before edits are lost', async () => {
  const { page } = await openConsole(browser, cloud.baseUrl);
  const questions: string[] = [];
  page.on('dialog', async (dialog) => {
    questions.push(dialog.type());
    await dialog.accept();
  });
  await generate(page, 'a quiz');
  await turn(page, 0).locator('.state.succeeded').waitFor();
  await page.getByRole('tab', { name: 'Publish' }).click();
  await page.getByText('Pages of this service cannot be private').waitFor();
  expect(await page.getByLabel('People with a password').isDisabled()).toBe(true);
  await deploy(page);
  await page.getByText('once this page is closed or reloaded, nobody can change').waitFor();
  await page.getByRole('button', { name: 'Keep it' }).click();
  await page.getByLabel('API key').waitFor();
  expect(await violations(page)).toEqual([]);
  expect(await page.evaluate(STORED)).toBe('[{},{},""]');
  expect(await page.evaluate('indexedDB.databases()')).toEqual([]);
  await page.click('.brand');
  await page.getByText('They are kept in memory').waitFor();

  // An edited project is there while the page is, also after another one.
  await page.getByRole('button', { name: 'a quiz', exact: true }).click();
  await openFile(page, 'style.css');
  await type(page, '/* mine */');
  await page.click('.brand');
  await generate(page, 'a snake game');
  await turn(page, 0).locator('.state.succeeded').waitFor();
  await page.click('.brand');
  await page.getByText('edited, not published').waitFor();
  await page.reload();
  await page.getByLabel('What to build').waitFor();
  expect(questions).toEqual(['beforeunload']);
  expect(await page.getByRole('heading', { name: 'Recent projects' }).count()).toBe(0);
  await page.reload();
  expect(questions).toHaveLength(1);
});
