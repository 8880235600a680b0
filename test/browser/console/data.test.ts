import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { temporaryFolder } from '../../support/at-end.ts';
import { newCaller } from '../../support/cloud/client.ts';
import { visitorOf } from '../../support/private-pages.ts';
import { browser } from '../browser.ts';
import { ownOrigins } from '../clouds.ts';
import { expectFits, violations } from './barriers.ts';
import { openConsole } from './open-console.ts';

const cloud = await ownOrigins();
const folder = temporaryFolder();

const QUESTIONS = JSON.stringify({
  questions: {
    create: 'visitor',
    read: 'visitor',
    review: true,
    schema: {
      type: 'object',
      required: ['name', 'question'],
      properties: { name: { type: 'string' }, question: { type: 'string' } },
    },
  },
});

/** Opens a folder as a project, and publishes it. Returns the id of the deployment. */
async function publish(page: Page, files: Readonly<Record<string, string>>): Promise<string> {
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  await page.locator('input[webkitdirectory]').setInputFiles(folder);
  if (files['_data.json']) await page.getByText('Trial data only').waitFor();
  const deployed = page.waitForResponse((response) => /\/api\/v1\/deployments\/\w{12}$/.test(response.url()));
  await page.getByRole('button', { name: 'Deploy', exact: true }).click();
  return new URL((await deployed).url()).pathname.split('/').at(-1) ?? '';
}

const HOSTILE = '<img src=x onerror="document.title=1">';

it.each([
  ['a phone', { width: 390, height: 844 }],
  ['a desktop', { width: 1280, height: 800 }],
] as const)('shows an owner on %s what visitors wrote, and what can be done with it', async (_, viewport) => {
  const { page, faults } = await openConsole(browser, cloud.baseUrl, { viewport });
  page.on('dialog', (dialog) => void dialog.accept());
  const check = (state: string) => expectFits(page, state, viewport.width);
  const refresh = () => page.getByRole('button', { name: 'Refresh' }).click();
  const id = await publish(page, { 'index.html': '<title>Questions</title>', '_data.json': QUESTIONS });
  await page.getByRole('tab', { name: 'Data' }).click();
  await page.getByText('Nobody has added an item yet.').waitFor();
  await check('empty');

  for (const [name, question] of [
    ['Ada', 'Is there parking, and when does the party begin? We come from far away, with two children and a dog.'],
    ['Bert', HOSTILE],
    ['Cleo', '=1+1'],
  ]) {
    const body = { name, question };
    const headers = { 'sec-fetch-site': 'same-origin' };
    const sent = { method: 'POST', body, headers };
    expect((await visitorOf(id, cloud.baseUrl)('/.data/questions', sent)).status).toBe(201);
  }
  await refresh();
  await page.getByText(HOSTILE).waitFor();
  await page.getByText('3 items waiting for approval').waitFor();
  await check('waiting');

  await page
    .getByRole('row', { name: /Ada/ })
    .getByRole('button', { name: /Approve/ })
    .click();
  await page
    .getByRole('row', { name: /Ada/ })
    .getByRole('button', { name: /Approve/ })
    .waitFor({ state: 'detached' });
  await page
    .getByRole('row', { name: /Bert/ })
    .getByRole('button', { name: /Delete/ })
    .click();
  await page.getByText(HOSTILE).waitFor({ state: 'detached' });
  await page.getByText('1 item waiting for approval').waitFor();
  await page.getByLabel('Search questions').fill('parking');
  await page.getByText('1 of 2 items').waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('questions.csv');
  const csv = Buffer.concat(await (await download.createReadStream()).toArray()).toString();
  expect(csv).toContain('"\'=1+1"');
  expect(csv).not.toContain('onerror');

  await page.getByRole('button', { name: 'Create a link' }).click();
  const link = await page.getByRole('link', { name: 'Open the page as its owner' }).getAttribute('href');
  await check('link');
  const { host, pathname, search } = new URL(link ?? '');
  const entered = await newCaller(cloud.baseUrl).send(pathname + search, { headers: { host } });
  expect([entered.status, String(entered.headers['set-cookie'])]).toEqual([303, expect.stringContaining('ptp-owner=')]);
  await page.getByRole('button', { name: 'Delete all' }).click();
  await page.getByText('Nobody has added an item yet.').waitFor();
  expect(faults).toEqual([]);
});

it('explains what data is to those whose site has none', async () => {
  const { page, faults } = await openConsole(browser, cloud.baseUrl);
  await publish(page, { 'index.html': '<title>Plain</title>', '_data.json': '{}' });
  await page.getByRole('tab', { name: 'Data' }).click();
  await page.getByText('This site has no data yet').waitFor();
  expect(await violations(page)).toEqual([]);
  expect(faults).toEqual([]);
});
