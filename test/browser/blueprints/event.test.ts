import { readFile } from 'node:fs/promises';
import { compose } from '../../../blueprints/engine/compose.ts';
import { launch, openProject } from '../open-project.ts';

test('an invitation counts down, has a calendar file, and keeps answers in the browser', async () => {
  await using browser = await launch();
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
  expect(calendar).toMatch(
    /DTSTART:20270612T160000\r\n.+SUMMARY:Emma & Luis\r\nLOCATION:Quinta da Serra\r\n/s,
  );
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

test('an invitation is in the language of the prompt', async () => {
  await using browser = await launch();
  const prompt = 'Einladung zum 40. Geburtstag von Katrin am 3. Mai 2030 in Hamburg';
  await using project = await openProject(browser, compose(prompt, 'auto'));
  await project.page.getByText('Freitag, 3. Mai 2030').waitFor();
  await project.page.getByLabel('Nein, ich kann nicht kommen').check();
  expect(await project.page.getByLabel('Wie viele seid ihr?').isVisible()).toBe(false);
  expect(project.faults).toEqual([]);
});

test('a countdown to a day has its title and date, and asks nobody to answer', async () => {
  await using browser = await launch();
  const prompt = 'Countdown bis zu unserem Urlaub auf Kreta am 14.08.2030';
  await using project = await openProject(browser, compose(prompt, 'auto'));
  await project.page.getByRole('heading', { name: 'Urlaub auf Kreta' }).waitFor();
  await project.page.getByText('Mittwoch, 14. August 2030', { exact: true }).waitFor();
  expect(await project.page.getByRole('timer').textContent()).toMatch(/\d+ ?Tage/);
  expect(await project.page.getByRole('textbox').count()).toBe(0);
  expect(project.faults).toEqual([]);
});
