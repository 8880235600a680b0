import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { SiteFiles } from '../support/site-cloud.ts';
import { browser } from './browser.ts';
import { ownOrigins, sharedOrigin } from './clouds.ts';
import { watchedPage } from './open-project.ts';

/** Returns one of the builds that vite-react/build.js made. */
function viteBuild(version: 1 | 2): SiteFiles {
  const folder = join(import.meta.dirname, `vite-react/version-${version}`);
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  return Object.fromEntries(
    entries.map(({ parentPath, name }) => {
      const file = join(parentPath, name);
      return [relative(folder, file), readFileSync(file)];
    }),
  );
}

const colorOf = (selector: string) => `getComputedStyle(document.querySelector('${selector}')).color`;

/** A site without a build: its names never change. */
const handWritten = (version: 1 | 2): SiteFiles => ({
  'index.html': `<!doctype html><html lang="en"><meta charset="utf-8"><title>Page</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/style.css"><h1>Version ${version}</h1><p></p><script type="module" src="/app.js"></script>`,
  'style.css': `h1 { color: rgb(${version}, 0, 0) }`,
  'app.js': `import { text } from './text.js'; document.querySelector('p').textContent = text;`,
  'text.js': `export const text = 'Text of version ${version}';`,
});

describe.each([
  ['under the base URL', undefined, await sharedOrigin()],
  ['on an origin of its own', 'sites.localhost', await ownOrigins()],
])('a page that is open during a redeploy, %s', (_, siteDomain, cloud) => {
  /** Where the deployment's files are. */
  const home = (id: string) =>
    siteDomain === undefined
      ? `${cloud.baseUrl}/d/${id}/`
      : `http://${id}.${siteDomain}:${new URL(cloud.baseUrl).port}/`;

  it('loads a lazy chunk of its own version; a reload shows the new one', async () => {
    const projectId = `vite-${Math.random()}`;
    const { id } = await cloud.deploy(viteBuild(1), projectId);
    const { page, faults } = await watchedPage(browser, new URL(home(id)).origin);
    await page.goto(home(id));
    await page.getByRole('heading', { name: 'Version 1' }).waitFor();
    await cloud.deploy(viteBuild(2), projectId);
    await page.getByRole('button').click();
    const details = page.locator('.details');
    await details.waitFor();
    expect(await details.textContent()).toBe('Details of version 1');
    expect(await page.evaluate(colorOf('.details'))).toBe('rgb(0, 100, 0)');

    await page.reload();
    await page.getByRole('heading', { name: 'Version 2' }).waitFor();
    await page.getByRole('button').click();
    await details.waitFor();
    expect(await details.textContent()).toBe('Details of version 2');
    expect(faults).toEqual([]);
  });

  it('shows the new version of a hand-written site after a reload, whole', async () => {
    const projectId = `hand-${Math.random()}`;
    const { id } = await cloud.deploy(handWritten(1), projectId);
    const { page, faults } = await watchedPage(browser, new URL(home(id)).origin);
    const shown = async () => [
      await page.textContent('h1'),
      await page.textContent('p'),
      await page.evaluate(colorOf('h1')),
    ];
    await page.goto(home(id));
    expect(await shown()).toEqual(['Version 1', 'Text of version 1', 'rgb(1, 0, 0)']);
    await cloud.deploy(handWritten(2), projectId);
    await page.reload();
    expect(await shown()).toEqual(['Version 2', 'Text of version 2', 'rgb(2, 0, 0)']);
    expect(faults).toEqual([]);
  });
});
