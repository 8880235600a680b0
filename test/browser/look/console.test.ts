import { messageOf } from '../../support/vendors/model.ts';
import { browser } from '../browser.ts';
import { answerWith, looking } from '../clouds.ts';
import { deploy, generate, openConsole, turn } from '../console/open-console.ts';
import { widthsOf } from '../console/pictures.ts';

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta name="viewport" content="width=device-width">
<title>Bakery</title>
<link rel="icon" href="data:,">
</head>
<body>
<h1>Fresh bread</h1>
<script src="app.js"></script>
</body>
</html>
`;
const written = (script: string) =>
  `<file path="index.html">\n${PAGE}</file>\n<file path="app.js">\n${script}</file>\n<done/>\n`;
const repair = (script: string) => `<file path="app.js">\n${script}</file>\n<done/>\n`;
/** A mistake that shows only when it runs. */
const THROWS = 'JSON.parse(document.title);\n';
const SOUND = "document.querySelector('h1').textContent = 'Rye';\n";

const cloud = await looking();
beforeAll(() =>
  answerWith((_, { body }) => {
    const isRepair = messageOf(body.messages).includes('Correct exactly');
    return [{ text: isRepair ? repair(SOUND) : written(THROWS) }, { finish: 'complete' }];
  }),
);

it('shows what a browser saw of a deployment, and offers a picture for links to it', async () => {
  const { page, faults } = await openConsole(browser, cloud.baseUrl);
  await generate(page, 'a quiz', 'provider-a');
  await turn(page, 0).locator('.state.succeeded').waitFor();
  const url = await deploy(page);
  const section = page.getByRole('region', { name: 'In a browser' });
  await section.getByText('Opened at 390 and 1280\u00a0px: no problems').waitFor();
  expect(await widthsOf(section.locator('img'), 2)).toEqual([390, 1280]);
  await section.getByRole('button', { name: 'Add a preview picture' }).click();
  await page.locator('.cm-activeLine', { hasText: `content="${url}.png"` }).waitFor();
  expect((await fetch(`${url}.png`)).headers.get('content-type')).toBe('image/png');

  // Nobody else sees those of a private page.
  await page.getByRole('tab', { name: 'Publish' }).click();
  await page.getByText('Change who can see it').click();
  await page.getByLabel('People with a link').check();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('It opens the page until').waitFor();
  expect(await widthsOf(section.locator('img[src^="blob:"]'), 2)).toEqual([390, 1280]);
  await page.click('.brand');
  expect(await widthsOf(page.locator('.gallery img[src^="blob:"]'), 1)).toEqual([390]);
  expect((await fetch(`${url}.png`)).status).not.toBe(200);
  expect(faults).toEqual([]);
});
