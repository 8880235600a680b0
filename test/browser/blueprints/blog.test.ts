import { compose } from '../../../blueprints/engine/compose.ts';
import { launch, openProject } from '../open-project.ts';

test('posts are listed, filtered, read and linked', async () => {
  await using browser = await launch();
  await using project = await openProject(
    browser,
    compose('blog about slow travel in Portugal with 3 posts', 'auto'),
    {
      viewport: { width: 390, height: 800 },
    },
  );
  const { page } = project;
  expect(await page.getByRole('listitem').count()).toBe(3);
  await page.getByRole('button', { name: 'beginnings' }).click();
  expect(await page.getByRole('listitem').filter({ visible: true }).count()).toBe(1);
  await page.getByRole('button', { name: 'All', exact: true }).click();
  await page.getByRole('link', { name: 'What I would tell a beginner' }).click();
  await page.getByText('where to begin with slow travel').last().waitFor();
  expect(await page.getByRole('listitem').filter({ visible: true }).count()).toBe(0);
  await page.getByRole('link', { name: 'Older: Why I started this blog' }).click();
  await page.reload();
  expect(await page.title()).toBe('Why I started this blog · Slow Travel');
  await page.getByRole('link', { name: 'About' }).click();
  await page.getByText('I write about slow travel in Portugal.').waitFor();
  expect(project.faults).toEqual([]);
});

test('dates and texts are in the language of the prompt', async () => {
  await using browser = await launch();
  await using project = await openProject(browser, compose('Crée un blog de voyages', 'auto'));
  await project.page.getByText('7 juin 2026').first().waitFor();
  await project.page.getByRole('link', { name: 'Notes d’une semaine ordinaire' }).click();
  await project.page.getByText('sur voyages et le reste').waitFor();
  expect(project.faults).toEqual([]);
});
