import { readFile } from 'node:fs/promises';
import { compose } from '../../../blueprints/engine/compose.ts';
import { browser } from '../browser.ts';
import { openProject } from '../open-project.ts';

const PHONE = { viewport: { width: 390, height: 800 } };

test('steps are checked, kept, reviewed, changed and finished', async () => {
  const prompt = 'multi-step form: personal data, payment, review';
  await using project = await openProject(browser, compose(prompt, 'auto'), {
    viewport: { width: 390, height: 800 },
  });
  const { page } = project;
  const next = page.getByRole('button', { name: 'Continue' });
  await page.getByLabel('Full name').fill('Ana');
  await page.getByLabel('E-mail').fill('ana@');
  await page.getByLabel('Date of birth').fill('1990-02-03');
  await next.click();
  await page.getByRole('link', { name: 'E-mail is not valid yet.' }).click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('ana@example.com');
  await page.keyboard.press('Enter');
  await page.getByText('Step 2 of 3').waitFor();
  await page.reload();
  await page.getByLabel('Account holder').fill('Ana');
  await page.getByLabel('IBAN').fill('DE00 0000');
  await next.click();
  await page.getByText('ana@example.com').waitFor();
  await page.getByRole('button', { name: 'Change: Personal Data' }).click();
  await page.getByLabel('Full name').fill('Ana Ruiz');
  await next.click();
  await next.click();
  expect(await page.locator('#review dd').allTextContents()).toEqual(
    expect.arrayContaining(['Ana Ruiz', 'not given', 'DE00 0000']),
  );
  await page.getByRole('button', { name: 'Finish' }).click();
  await page.getByText('Nothing has been sent').waitFor();
  await page.getByRole('button', { name: 'Start again' }).click();
  await page.getByText('Step 1 of 3').waitFor();
  expect(await page.getByLabel('Full name').inputValue()).toBe('');
  expect(project.faults).toEqual([]);
});

test('an invitation counts down, has a calendar file, and keeps answers in the browser', async () => {
  const prompt = 'wedding invitation for Emma & Luis, 12 June 2027 at 4 pm, Quinta da Serra, with RSVP';
  await using project = await openProject(browser, compose(prompt, 'auto'), {
    viewport: { width: 390, height: 800 },
    timezoneId: 'Europe/Lisbon',
  });
  const { page } = project;
  await page.clock.setFixedTime(new Date(2027, 5, 10, 12));
  await page.reload();
  await page.getByText('Saturday, June 12, 2027').waitFor();
  expect(await page.getByRole('timer').textContent()).toMatch(/^2days\d+hours/);
  const downloaded = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Add to calendar' }).click();
  const calendar = await readFile(await (await downloaded).path(), 'utf8');
  expect(calendar).toMatch(/DTSTART:20270612T160000\r\n.+SUMMARY:Emma & Luis\r\nLOCATION:Quinta da Serra\r\n/s);
  await page.getByText('nothing is sent').waitFor();
  await page.getByLabel('Your name').fill('Ana');
  await page.getByLabel('Yes, I will come').check();
  await page.getByLabel('How many of you?').fill('2');
  await page.getByRole('button', { name: 'Reply' }).click();
  await page.getByText('Thank you, Ana.').waitFor();
  await page.reload();
  await page.getByText('Ana comes (2 people)').waitFor();
  await page.getByRole('button', { name: 'Delete: Ana' }).click();
  expect(await page.getByRole('heading', { name: 'Answers in this browser' }).isVisible()).toBe(false);
  expect(project.faults).toEqual([]);
});

test('recipes are scaled, ticked off, found, changed and kept', async () => {
  await using project = await openProject(
    browser,
    compose("recipe book for my grandma's dishes: goulash, dumplings", 'auto'),
    PHONE,
  );
  const { page } = project;
  expect(await page.getByRole('link').allInnerTexts()).toEqual([
    expect.stringContaining('Goulash'),
    expect.stringContaining('Dumplings'),
    expect.stringMatching(/Pancakes\s+4 servings\s+Sample/),
  ]);
  await page.getByRole('link', { name: 'Pancakes' }).click();
  await page.getByRole('button', { name: 'More servings' }).click();
  await page.getByRole('checkbox', { name: '250 g flour' }).check();
  await page.reload();
  expect(await page.getByRole('checkbox', { name: '200 g flour' }).isChecked()).toBe(true);
  await page.getByRole('link', { name: 'All recipes' }).click();
  await page.getByRole('link', { name: 'Goulash' }).click();
  await page.getByText('Nothing is written down yet.').waitFor();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Ingredients, one per line').fill('1 kg beef\n2 onions');
  await page.getByLabel('Tags, separated by commas').fill('winter');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('checkbox', { name: '1 kg beef' }).waitFor();
  await page.getByRole('link', { name: 'All recipes' }).click();
  await page.getByRole('searchbox').fill('beef');
  await page.getByRole('button', { name: 'winter' }).click();
  await page.reload();
  await page.getByRole('searchbox').fill('beef');
  expect(await page.locator('#cards li').count()).toBe(1);
  expect(project.faults).toEqual([]);
});
