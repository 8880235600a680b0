import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { temporaryFolder } from '../../support/at-end.ts';
import { newCaller } from '../../support/cloud/client.ts';
import { browser } from '../browser.ts';
import { ownOrigins } from '../clouds.ts';
import { violations } from './barriers.ts';
import { newKey } from './keys.ts';
import { change, deploy, enterKey, generate, openConsole, openFile, preview, turn, type } from './open-console.ts';

const HOUR = 3_600_000;

const cloud = await ownOrigins();
const folder = temporaryFolder();

const STORED = `(async () => {
  const read = (request) => new Promise((done) => { request.onsuccess = () => done(request.result); });
  const database = await read(indexedDB.open('ptp'));
  const projects = await read(database.transaction('projects').objectStore('projects').getAll());
  database.close();
  return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, projects]);
})()`;
/** Everything that the browser keeps for the console, as text. */
const stored = (page: Page) => page.evaluate<string>(STORED);
/** Waits until it has some texts: an edit is kept half a second later. */
const keeps = (page: Page, ...texts: string[]) =>
  page.waitForFunction(`${STORED}.then((kept) => ${JSON.stringify(texts)}.every((text) => kept.includes(text)))`);

/** The response to a visit, whether at the base URL or the own origin of the page. */
async function visit(url: string) {
  const { headers } = await newCaller(cloud.baseUrl).send(new URL(url).pathname, {
    headers: { 'sec-fetch-mode': 'navigate' },
  });
  return newCaller(String(headers.location)).send('/');
}

async function generated(page: Page, prompt: string): Promise<void> {
  await generate(page, prompt);
  await turn(page, 0).locator('.state.succeeded').waitFor();
}

const open = async (page: Page, name: string) => {
  await page.click('.brand');
  await page.getByRole('link', { name, exact: true }).click();
};

it('comes back to the project after a reload: conversation, edits, page and token', async () => {
  const { page, faults } = await openConsole(browser, cloud.baseUrl);
  await generated(page, 'a to-do list');
  await change(page, 'change the title to Errands');
  await openFile(page, 'style.css');
  await type(page, '/* mine */');
  await page.reload();
  await page.getByRole('treeitem', { name: 'style.css changed' }).waitFor();
  await page.getByText('/* mine */').waitFor();
  expect(await page.locator('.turn').count()).toBe(2);
  expect(await turn(page, 1).innerText()).toContain('Errands');

  const url = await deploy(page);
  expect((await visit(url)).text).toContain('<title>Errands');
  await page.reload();
  await page.getByText('The page is up to date.').waitFor();
  await turn(page, 1).getByRole('button', { name: 'Undo' }).click();
  await turn(page, 1).getByRole('button', { name: 'Redo' }).waitFor();
  await page.reload();
  await turn(page, 1).getByRole('button', { name: 'Redo' }).waitFor();
  expect(await deploy(page)).toBe(url);
  expect((await visit(url)).text).not.toContain('<title>Errands');

  await page.click('.brand');
  await page.reload();
  await page.getByText('page expires in 30 days').waitFor();
  await page.getByRole('link', { name: 'a to-do list', exact: true }).click();
  await page.getByText('The page is up to date.').waitFor();
  await page.click('.brand');
  await page.getByRole('button', { name: 'Forget a to-do list' }).click();
  await page.getByRole('button', { name: 'Delete the page, too' }).click();
  await page.getByRole('heading', { name: 'Recent projects' }).waitFor({ state: 'detached' });
  expect(await visit(url)).toMatchObject({ status: 410 });
  expect(await stored(page)).toBe('[{},{},[]]');
  expect(faults).toEqual([]);
});

it('comes back to files of one’s own, which the service has never had', async () => {
  const { page } = await openConsole(browser, cloud.baseUrl);
  writeFileSync(join(folder, 'index.html'), '<title>Mine</title><h1>Mine</h1>');
  await page.locator('input[webkitdirectory]').setInputFiles(folder);
  await preview(page).getByRole('heading', { name: 'Mine' }).waitFor();
  await page.reload();
  await preview(page).getByRole('heading', { name: 'Mine' }).waitFor();
  await page.click('.brand');
  await page.getByRole('button', { name: 'Forget Mine' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Forget Mine' }).click();
  await page.getByRole('button', { name: 'Forget it' }).click();
  await page.getByRole('heading', { name: 'Recent projects' }).waitFor({ state: 'detached' });
  await page.goBack();
  await page.getByLabel('What to build').waitFor();
});

it('joins the generation whose response it did not get before the reload', async () => {
  const { page } = await openConsole(browser, cloud.baseUrl);
  const keys: (string | undefined)[] = [];
  await page.route('**/api/v1/generate', async (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    if (keys.length > 1) await route.continue();
  });
  await generate(page, 'a quiz');
  await page.waitForURL(/#p=/);
  await keeps(page, 'a quiz');
  await page.reload();
  await turn(page, 0).locator('.state.succeeded').waitFor();
  expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
});

it('opens a project that the service has forgotten, and changes it', async () => {
  const { page } = await openConsole(browser, cloud.baseUrl);
  await generated(page, 'a quiz');
  await page.clock.install({ time: Date.now() + 25 * HOUR });
  await page.route('**/api/v1/generations/*', (route) =>
    route.request().method() === 'GET' && route.request().url().includes(new URL(page.url()).hash.slice(3))
      ? route.fulfill({ status: 404, json: { error: 'Gone' } })
      : route.continue(),
  );
  await page.click('.brand');
  await page.reload();
  await page.getByRole('link', { name: 'a quiz', exact: true }).click();
  await turn(page, 0).locator('.state.succeeded').waitFor();
  const sent = page.waitForRequest('**/api/v1/generate');
  await change(page, 'change the title to Later');
  const body = JSON.parse(String(gunzipSync((await sent).postDataBuffer() ?? '')));
  expect([body.from, body.files.length > 0]).toEqual([undefined, true]);
  expect(await page.getByText('You edited the files').count()).toBe(0);
});

it('keeps the projects of all tabs, and changes each in one tab at a time', async () => {
  const { page } = await openConsole(browser, cloud.baseUrl);
  const other = await page.context().newPage();
  await other.goto(cloud.baseUrl);
  await Promise.all([generated(page, 'a quiz'), generated(other, 'a snake game')]);
  await openFile(page, 'style.css');
  await type(page, '/* first */');
  await keeps(page, '/* first */');
  await open(other, 'a quiz');
  await other.getByRole('heading', { name: 'Open in another tab' }).waitFor();
  expect(await violations(other)).toEqual([]);
  await other.getByRole('button', { name: 'Use it here' }).click();
  await other.getByRole('treeitem', { name: 'style.css changed' }).waitFor();
  await page.getByRole('heading', { name: 'Open in another tab' }).waitFor();
  await type(other, '/* second */');
  await keeps(other, '/* second */');
  await page.bringToFront();
  await page.getByRole('button', { name: 'Use it here' }).click();
  await page.getByText('/* first *//* second */').waitFor();
  await page.click('.brand');
  await page.reload();
  for (const name of ['a quiz', 'a snake game']) await page.getByRole('link', { name, exact: true }).waitFor();
  // A tab that waits for a project has it once the other one lets go of it.
  await page.getByRole('link', { name: 'a quiz', exact: true }).click();
  await page.getByText('/* first *//* second */').waitFor();
  await other.reload();
  await other.getByRole('heading', { name: 'Open in another tab' }).waitFor();
  await page.close();
  await other.getByText('/* first *//* second */').waitFor();
});

it('says when a page ends, keeps it with a key, and deploys with that from then on', async () => {
  const key = await newKey(cloud);
  const { page } = await openConsole(browser, cloud.baseUrl);
  await generated(page, 'a quiz');
  const url = await deploy(page);
  await page.getByText(/^Expires in 30 days, on \w{3} \d+, \d{4}\.$/).waitFor();
  await page.getByRole('button', { name: 'Keep it' }).click();
  await enterKey(page, key);
  await page.getByText('Until it is deleted.').waitFor();
  expect(await page.getByRole('button', { name: 'Copy token' }).count()).toBe(0);
  await openFile(page, 'style.css');
  await type(page, '/* mine */');
  expect(await deploy(page)).toBe(url);
  await page.click('.brand');
  await page.getByText('page of a key').waitFor();
  const kept = await stored(page);
  expect([kept.includes('ptd_'), kept.includes(key)]).toEqual([false, false]);

  await page.reload();
  await page.getByRole('link', { name: 'a quiz', exact: true }).click();
  await page.getByText('The page belongs to an API key.').waitFor();
  await enterKey(page, key);
  expect(await deploy(page)).toBe(url);
});

it('says that a page has expired, and publishes it again at its URL', async () => {
  const { page } = await openConsole(browser, cloud.baseUrl);
  await generated(page, 'a quiz');
  const url = await deploy(page);
  await page.clock.install({ time: Date.now() + 31 * 24 * HOUR });
  await page.reload();
  await page.getByRole('heading', { name: 'Expired' }).waitFor();
  expect(await violations(page)).toEqual([]);
  await page.click('.brand');
  await page.getByText('page expired').waitFor();
  await page.goBack();
  const deployed = page.waitForResponse('**/api/v1/deploy');
  await page.getByRole('button', { name: 'Publish again' }).click();
  expect((await deployed).status()).toBe(200);
  await page.clock.setSystemTime(Date.now());
  await page.reload();
  await page.getByText('The page is up to date.').waitFor();
  expect(await page.innerText('a.url')).toBe(url);
});

it('says why visitors do not see a page that looks like phishing, and where', async () => {
  const { page } = await openConsole(browser, cloud.baseUrl);
  const form = '<form action="https://a.example/"><input type="password" name="p"></form>';
  writeFileSync(join(folder, 'index.html'), `<title>PayPal: log in</title><h1>PayPal: log in</h1>${form}`);
  await page.locator('input[webkitdirectory]').setInputFiles(folder);
  expect((await visit(await deploy(page))).status).toBe(403);
  const review = page.getByRole('region', { name: 'Review' });
  await review.getByText('Visitors do not see the page').waitFor();
  expect(await violations(page)).toEqual([]);
  await review.getByRole('button', { name: 'index.html' }).first().click();
  await page.locator('.cm-line', { hasText: 'PayPal' }).waitFor();
});

it('publishes a private page, and changes who can see it', async () => {
  const { page } = await openConsole(browser, cloud.baseUrl);
  await generated(page, 'a quiz');
  await page.getByRole('tab', { name: 'Publish' }).click();
  await page.getByLabel('People with a password').check();
  await page.getByRole('button', { name: 'Deploy', exact: true }).click();
  await page.getByRole('alert').getByText('Enter a password of 8 to 128 characters').waitFor();
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await page.getByRole('button', { name: 'Suggest one' }).click();
  const password = await page.getByLabel('Password of the page').inputValue();
  const url = await deploy(page);
  await page.getByText('People with the password.').waitFor();
  expect((await visit(url)).text).not.toContain('General Knowledge');
  await page.reload();
  await page.getByText('People with the password.').waitFor();
  expect(await stored(page)).not.toContain(password);

  const choose = async (access: string, button = 'Save') => {
    await page.getByText('Change who can see it').click();
    await page.getByLabel(access).check();
    await page.getByRole('button', { name: button }).click();
  };
  await choose('People with a link');
  await page.getByText('It opens the page until').waitFor();
  const link = await page.innerText('.access-link code');
  const visitor = await (await browser.newContext()).newPage();
  await visitor.goto(link);
  await visitor.getByRole('heading', { name: 'General Knowledge Quiz' }).waitFor();
  await choose('People with a link', 'Make a new link');
  await page.getByText(link).waitFor({ state: 'detached' });
  await visitor.reload();
  await visitor.getByRole('heading', { name: 'General Knowledge Quiz' }).waitFor({ state: 'detached' });

  await choose('Everyone');
  await page.getByText('Everyone.', { exact: true }).waitFor();
  expect((await visit(url)).text).toContain('General Knowledge');
  await choose('People with a link');
  await page.getByText('Edge locations drop their copies').waitFor();
});

it('says that there is no room, asks before edits are lost, and keeps them once there is', async () => {
  const { page } = await openConsole(browser, cloud.baseUrl);
  const session = await page.context().newCDPSession(page);
  const allow = (quotaSize?: number) =>
    session.send('Storage.overrideQuotaForOrigin', {
      origin: cloud.baseUrl,
      ...(quotaSize !== undefined && { quotaSize }),
    });
  await allow(1);
  await generated(page, 'a quiz');
  await page.getByText('There is no room for it in this browser').waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await openFile(page, 'style.css');
  await type(page, '/* mine */');
  const question = new Promise<string>((asked) => {
    page.once('dialog', async (dialog) => {
      await dialog.dismiss();
      asked(dialog.type());
    });
  });
  await page.evaluate('void setTimeout(() => location.reload())');
  expect(await question).toBe('beforeunload');
  await allow();
  await type(page, '/* again */');
  // The console asks until it knows that the project is kept, which it notes in the gallery.
  await keeps(page, '/* again */', 'keptAt');
  await page.reload();
  await page.getByRole('treeitem', { name: 'style.css changed' }).waitFor();
  await page.getByText('/* mine *//* again */').waitFor();
});
