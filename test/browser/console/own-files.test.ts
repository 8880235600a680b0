import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { strToU8, unzipSync, zipSync } from 'fflate';
import type { Page } from 'playwright-core';
import { temporaryFolder } from '../../support/at-end.ts';
import { browser } from '../browser.ts';
import { sharedOrigin } from '../clouds.ts';
import { change, deploy, generate, openConsole, preview, turn, type } from './open-console.ts';

const cloud = await sharedOrigin();
const folder = temporaryFolder();

const textOf = async (url: string) => (await fetch(url)).text();

/** Drops a file or folder of this machine on the page, as the system's file manager does. */
async function drop(page: Page, path: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, x: 200, y: 300, data });
    if (type === 'dragOver') await page.locator('.drop-hint').waitFor();
  }
  await page.locator('.drop-hint').waitFor({ state: 'detached' });
}

it('edits a file by hand, publishes it, and changes the edited project', async () => {
  const { page, faults } = await openConsole(browser, cloud.baseUrl);
  await generate(page, 'a to-do list');
  await turn(page, 0).locator('.state.succeeded').waitFor();
  await page.getByRole('tab', { name: 'Files' }).click();
  await page.getByRole('treeitem', { name: 'style.css' }).click();
  await type(page, '/* typed without a pause */');
  await page.getByRole('treeitem', { name: 'style.css changed' }).waitFor();
  const url = await deploy(page);
  expect(await textOf(`${url}/style.css`)).toContain('/* typed without a pause */');
  await change(page, 'change the title to Errands');
  expect(await deploy(page)).toBe(url);
  expect(await textOf(`${url}/style.css`)).toContain('/* typed without a pause */');
  expect(await textOf(url)).toContain('<title>Errands');

  await turn(page, 1).getByRole('button', { name: 'Undo' }).click();
  await page.getByText('The next change begins with your edits.').waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Zip' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('a-to-do-list.zip');
  const chunks = await (await download.createReadStream()).toArray();
  const files = unzipSync(Buffer.concat(chunks));
  expect(String.fromCharCode(...(files['style.css'] ?? []))).toContain('/* typed without a pause */');
  expect(faults).toEqual([]);
});

it('publishes a folder without generating, and again after a change, at the same URL', async () => {
  const { page, faults } = await openConsole(browser, cloud.baseUrl);
  mkdirSync(join(folder, 'site/node_modules/a'), { recursive: true });
  writeFileSync(join(folder, 'site/node_modules/a/index.js'), '');
  const choose = async (heading: string) => {
    writeFileSync(join(folder, 'site/index.html'), `<title>Mine</title><h1>${heading}</h1>`);
    await drop(page, join(folder, 'site'));
    await preview(page).getByText(heading).waitFor();
  };
  await choose('First');
  await page.getByText('1 file or folder left out').click();
  await page.getByText('node_modules: installed packages').waitFor();
  expect(await page.title()).toBe('Mine · prompt-to-project');
  const url = await deploy(page);
  expect(await textOf(url)).toContain('First');
  expect((await fetch(`${url}/node_modules/a/index.js`)).status).toBe(404);
  await page.goBack();
  await choose('Second');
  expect(await deploy(page)).toBe(url);
  expect(await textOf(url)).toContain('Second');
  expect(faults).toEqual([]);
});

it('opens a zip that is dropped, changes it by a prompt, and takes the change back', async () => {
  const { page, faults } = await openConsole(browser, cloud.baseUrl);
  const zip = zipSync({ 'index.html': strToU8('<!doctype html>\n<title>Zipped</title>\n<h1>Zipped</h1>\n') });
  writeFileSync(join(folder, 'site.zip'), zip);
  await drop(page, join(folder, 'site.zip'));
  await preview(page).getByRole('heading', { name: 'Zipped' }).waitFor();
  await change(page, 'change the title to Unzipped');
  await preview(page).getByRole('heading', { name: 'Unzipped' }).waitFor();
  await turn(page, 0).getByRole('button', { name: 'Undo' }).click();
  await preview(page).getByRole('heading', { name: 'Zipped', exact: true }).waitFor();
  expect(faults).toEqual([]);
});

it('says what is wrong with files that cannot be a site', async () => {
  const { page } = await openConsole(browser, cloud.baseUrl);
  writeFileSync(join(folder, 'broken.zip'), 'not a zip');
  await page.locator('input[accept=".zip"]').setInputFiles(join(folder, 'broken.zip'));
  await page.getByRole('alert').getByText('Choose other files').waitFor();
  await page.getByRole('button', { name: 'Dismiss' }).click();
  expect(await page.getByRole('alert').innerText()).toBe('');
});
