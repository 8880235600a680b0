import type { Browser, Page } from 'playwright-core';
import { compose } from '../../../blueprints/engine/compose.ts';
import { launch, openProject } from '../open-project.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

/** Fills the form in over a reload, so that it goes on from a draft, and sends it. */
async function sendFromDraft(page: Page) {
  await page.getByRole('textbox', { name: 'Name' }).fill('Ana');
  await page.reload();
  await page.getByText('This is what you wrote before.').waitFor();
  await page.getByLabel('Email').fill('ana@example.com');
  await page.getByLabel('I agree').check();
  await page.getByRole('button', { name: 'Send the message' }).click();
  await page.getByRole('heading', { name: 'Is everything right?' }).waitFor();
  await page.getByRole('button', { name: 'Send the message' }).click();
}

const files = compose('a contact form with fields name, email, city (optional)', '5min');

test('a draft ends when it was sent', async () => {
  await using project = await openProject(browser, files);
  await sendFromDraft(project.page);
  await project.page.getByRole('button', { name: 'Fill it in again' }).click();
  expect(await project.page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('');
  expect(await project.page.getByText('This is what you wrote before.').isVisible()).toBe(false);
  await project.page.reload();
  expect(await project.page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('');
  expect(project.faults).toEqual([]);
});

test('a draft outlives a server that refuses it', async () => {
  const refuse = "export async function send() {\n  throw new Error('refused');\n}\n";
  const refusing = files.map((file) => (file.path === 'src/send.js' ? { ...file, content: refuse } : file));
  await using project = await openProject(browser, refusing);
  await sendFromDraft(project.page);
  await project.page.getByText('It could not be sent.').waitFor();
  await project.page.reload();
  expect(await project.page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Ana');
  expect(project.faults).toEqual([]);
});
