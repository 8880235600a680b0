import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { temporaryFolder } from '../../support/at-end.ts';
import { startSiteCloud } from '../../support/site-cloud.ts';
import { startVendor } from '../../support/vendors/index.ts';
import { messageOf } from '../../support/vendors/model.ts';
import { browser } from '../browser.ts';
import { sharedOrigin } from '../clouds.ts';
import { violations, WATCH_SHIFTS } from './barriers.ts';
import { deploy, generate, openConsole, preview } from './open-console.ts';

const cloud = await sharedOrigin();
const folder = temporaryFolder();

/** A project without packages, so that nothing is fetched, with a chunk that is loaded later. */
const SOURCE = {
  'index.html':
    '<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,"><h1></h1><p></p><script type="module" src="/src/main.ts"></script></html>',
  'src/main.ts':
    "import './style.css';\nconst name: string = 'Built';\ndocument.querySelector('h1')!.textContent = name;\nvoid import('./late.ts').then(({ late }) => late());\n",
  'src/late.ts': "export const late = (): void => void (document.querySelector('p')!.textContent = 'Late');",
  'src/style.css': 'h1 { color: rgb(1, 2, 3); }',
};

const REPAIR = `<edit path="src/main.ts">
<<<<<<< SEARCH
const name: string = ;
=======
const name: string = 'Repaired';
>>>>>>> REPLACE
</edit>
<done/>
`;

/** Opens the files as a project, as somebody who chooses a folder. */
async function choose(page: Page, name: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name, path)), { recursive: true });
    writeFileSync(join(folder, name, path), content);
  }
  await page.locator('input[webkitdirectory]').setInputFiles(join(folder, name));
}

/** Replaces the second line of a file in the editor, and returns to the preview. */
async function replaceLine(page: Page, file: string, line: string): Promise<void> {
  await page.getByRole('tab', { name: 'Files' }).click();
  await page.getByRole('treeitem', { name: file }).click();
  await page.locator('.cm-line').nth(1).click();
  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+End');
  await page.keyboard.type(line);
  await page.getByRole('tab', { name: 'Preview' }).click();
}

it('previews the build of source, shows its problems where they are, and deploys what was mended', async () => {
  const { page, faults } = await openConsole(browser, 'about:blank', {}, '');
  await page.addInitScript(WATCH_SHIFTS);
  await page.goto(cloud.baseUrl);
  await choose(page, 'shop', SOURCE);
  const shown = preview(page);
  await shown.getByRole('heading', { name: 'Built' }).waitFor();
  await shown.getByText('Late').waitFor();
  expect(await shown.locator('h1').evaluate((it) => it.ownerDocument.defaultView?.getComputedStyle(it).color)).toBe(
    'rgb(1, 2, 3)',
  );
  expect(faults.filter((fault) => !fault.startsWith('request outside'))).toEqual([]);

  await replaceLine(page, 'main.ts', 'const name: string = ;');
  const problems = page.getByRole('region', { name: 'Problems of the build' });
  await problems.getByRole('heading', { name: '1 problem in the source' }).waitFor();
  await problems.getByText('The preview shows the last build.').waitFor();
  await shown.getByRole('heading', { name: 'Built' }).waitFor();

  expect([await violations(page), await page.evaluate('shifts')]).toEqual([[], []]);

  await problems.getByRole('button', { name: 'Ask for a repair' }).click();
  const prompt = page.getByLabel('What to change');
  expect(await prompt.inputValue()).toMatch(
    /^The build fails\. Repair these problems:\n- src\/main\.ts:2:22: .+\n {2}const name: string = ;$/,
  );
  await problems.getByRole('button', { name: 'src/main.ts:2:22' }).click();
  await page.locator('.cm-activeLine', { hasText: 'const name: string = ;' }).waitFor();
  await page.keyboard.type("'Mended'");
  await page.getByRole('tab', { name: 'Preview' }).click();
  await shown.getByRole('heading', { name: 'Mended' }).waitFor();
  await problems.waitFor({ state: 'detached' });

  const url = await deploy(page);
  const visit = await browser.newPage();
  await visit.goto(url);
  await visit.getByRole('heading', { name: 'Mended' }).waitFor();
  await visit.close();
  await page.getByText('built to').waitFor();
});

it('repairs what a model wrote with a follow-up prompt', async () => {
  const written = Object.entries({ ...SOURCE, 'src/main.ts': SOURCE['src/main.ts'].replace("'Built'", '') });
  const answers: [message: string, answer: string][] = [
    ['The build fails. Repair', REPAIR],
    // The model does not find the mistake by itself.
    ['Correct exactly these problems', '<done/>'],
    ['', `${written.map(([path, text]) => `<file path="${path}">\n${text}\n</file>\n`).join('')}<done/>`],
  ];
  const vendor = await startVendor('openai-compatible', (_, { body }) => {
    const message = messageOf(body.messages);
    const [, text = ''] = answers.find(([part]) => message.includes(part)) ?? [];
    return [{ text }, { finish: 'complete' }];
  });
  // The model must be the first provider, which changes are made with.
  const model = { kind: 'openai-compatible', model: 'm', baseUrl: vendor.baseUrl };
  const service = await startSiteCloud(undefined, {
    providers: { 'provider-a': model },
    rateLimit: { windowSeconds: 60, anonymous: 1_000, key: 1_000 },
  });
  const { page } = await openConsole(browser, service.baseUrl);
  await generate(page, 'a shop in TypeScript');
  const problems = page.getByRole('region', { name: 'Problems of the build' });
  await problems.getByRole('button', { name: 'Ask for a repair' }).click();
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  await preview(page).getByRole('heading', { name: 'Repaired' }).waitFor();
  await problems.waitFor({ state: 'detached' });
  await Promise.all([service.close(), vendor.close()]);
});

it('says why source that has a build of its own cannot be previewed', async () => {
  const { page } = await openConsole(browser, cloud.baseUrl);
  await choose(page, 'next', { 'package.json': '{"dependencies":{"next":"^16.0.0"}}', 'app/page.tsx': '' });
  await page.getByText('This project uses next, which renders on a server').waitFor();
  expect(await page.getByRole('button', { name: 'Ask for a repair' }).count()).toBe(0);
});

it('builds no site', async () => {
  const { page } = await openConsole(browser, cloud.baseUrl);
  const requests: string[] = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  await choose(page, 'site', {
    'index.html': '<!doctype html><h1>Site</h1><script src="a.js"></script>',
    'a.js': '\n\n',
  });
  await preview(page).getByRole('heading', { name: 'Site' }).waitFor();
  await replaceLine(page, 'a.js', "document.querySelector('h1').textContent = 'Edited';");
  await preview(page).getByRole('heading', { name: 'Edited' }).waitFor();
  expect(requests).not.toContain('/api/v1/builds');
});

it('shows the last build and a countdown while the rate limit lasts', async () => {
  const { page } = await openConsole(browser, cloud.baseUrl);
  await choose(page, 'limited', SOURCE);
  await preview(page).getByRole('heading', { name: 'Built' }).waitFor();
  // However long this machine takes to show the notice.
  await page.clock.install();
  const refused = { error: 'Rate limit exceeded', retryAfter: 300, docs: '/docs#rate-limits' };
  await page.route(
    '**/api/v1/builds',
    (route) => route.fulfill({ status: 429, headers: { 'retry-after': '300' }, json: refused }),
    { times: 1 },
  );
  await replaceLine(page, 'main.ts', "const name = 'Later';");
  const notice = page.locator('.notice.waiting');
  await notice.getByText(/Too many requests[\s\S]*Continues by itself in \d+ s/).waitFor();
  await page.getByText('Building… This is the last build.').waitFor();
  await page.clock.fastForward(300_000);
  await preview(page).getByRole('heading', { name: 'Later' }).waitFor();
  await notice.waitFor({ state: 'detached' });
});
