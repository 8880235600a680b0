import { compose } from '../../../blueprints/engine/compose.ts';
import { launch, openProject } from '../open-project.ts';

test('steps are checked, kept, reviewed, changed and finished', async () => {
  await using browser = await launch();
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

test('a form in steps is in the language of the prompt', async () => {
  await using browser = await launch();
  const prompt = 'mehrstufiges Formular für einen Versicherungsantrag';
  await using project = await openProject(browser, compose(prompt, 'auto'));
  await project.page.getByRole('button', { name: 'Weiter' }).click();
  await project.page.getByRole('link', { name: 'Vor- und Nachname fehlt.' }).waitFor();
  expect(project.faults).toEqual([]);
});

test('a poll offers what the prompt lists, and takes one choice', async () => {
  await using browser = await launch();
  const prompt = 'poll: where do we eat? Thai, Italian or Mexican';
  await using project = await openProject(browser, compose(prompt, 'auto'));
  const { page } = project;
  await page.getByRole('button', { name: 'Vote' }).click();
  await page.getByRole('alert').getByText('Your choice is missing.').click();
  await page.getByRole('radio', { name: 'Italian' }).check();
  await page.getByRole('button', { name: 'Vote' }).click();
  await page.getByText('Nothing has left this page').waitFor();
  expect(await page.locator('#sent dd').allTextContents()).toEqual(['Italian']);
  expect(project.faults).toEqual([]);
});

test('a form on two pages asks for the fields of the prompt', async () => {
  await using browser = await launch();
  const prompt = 'a contact form with name, phone and a message on two pages';
  await using project = await openProject(browser, compose(prompt, 'auto'));
  const { page } = project;
  await page.getByText('Step 1 of 2').waitFor();
  await page.getByLabel('Name').fill('Ana');
  await page.getByLabel('Phone').fill('+351 21 000 000');
  await page.getByLabel('Message').fill('Hello');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Step 2 of 2').waitFor();
  expect(await page.locator('#review dd').allTextContents()).toEqual(['Ana', '+351 21 000 000', 'Hello']);
  expect(project.faults).toEqual([]);
});
