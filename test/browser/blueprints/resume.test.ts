import { compose } from '../../../blueprints/engine/compose.ts';
import { launch, openProject } from '../open-project.ts';

test('a résumé is edited, kept, restored and printed on white paper', async () => {
  await using browser = await launch();
  const prompt =
    'my resume: Jane Doe, nurse, 10 years in Manchester. Skills: triage, wound care. Make it dark.';
  await using project = await openProject(browser, compose(prompt, 'auto'), {
    viewport: { width: 390, height: 800 },
  });
  const { page } = project;
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Jane Doe');
  expect(await page.getByRole('listitem').allTextContents()).toEqual(
    expect.arrayContaining(['Triage', 'Wound care']),
  );
  await page.getByText('Manchester', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('textbox', { name: 'Text 2' }).fill('Head nurse');
  await page.reload();
  await page.getByText('Head nurse').waitFor();
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByRole('button', { name: 'Print' }).isVisible()).toBe(false);
  expect(await page.evaluate('getComputedStyle(document.querySelector("h1")).color')).toBe('rgb(27, 26, 24)');
  await page.emulateMedia({ media: 'screen' });
  page.on('dialog', (dialog) => dialog.accept());
  await page.getByRole('button', { name: 'Undo all changes' }).click();
  await page.getByText('Nurse', { exact: true }).waitFor();
  expect(project.faults).toEqual([]);
});

test('a résumé is in the language of the prompt', async () => {
  await using browser = await launch();
  const prompt = 'Lebenslauf für Jonas Weber, Softwareentwickler aus Kiel';
  await using project = await openProject(browser, compose(prompt, 'auto'));
  await project.page.getByRole('heading', { name: 'Berufserfahrung' }).waitFor();
  await project.page.getByText('Softwareentwickler, Name der Firma').waitFor();
  expect(project.faults).toEqual([]);
});
