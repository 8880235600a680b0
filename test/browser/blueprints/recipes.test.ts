import { compose } from '../../../blueprints/engine/compose.ts';
import { launch, openProject } from '../open-project.ts';

const PHONE = { viewport: { width: 390, height: 800 } };

test('recipes are scaled, ticked off, found, changed and kept', async () => {
  await using browser = await launch();
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

test('recipes are in the language of the prompt', async () => {
  await using browser = await launch();
  await using project = await openProject(browser, compose('Rezept für Pfannkuchen', 'auto'), PHONE);
  await project.page.getByRole('link', { name: 'Pfannkuchen 4 Portionen Beispiel' }).click();
  await project.page.getByRole('checkbox', { name: '200 g Mehl' }).waitFor();
  expect(project.faults).toEqual([]);
});
