import type { Locator, Page } from 'playwright-core';
import { type ProjectFiles, sourceProject } from '../../support/builds/projects.ts';
import { viteBuild } from '../../support/builds/vite-build.ts';
import { newCaller } from '../../support/cloud/client.ts';
import type { DeployedSite, SiteFiles } from '../../support/site-cloud.ts';
import { browser } from '../browser.ts';
import { ownOrigins, sharedOrigin } from '../clouds.ts';
import { watchedPage } from '../open-project.ts';

const DOMAIN = 'sites.localhost';

/** What a person does in each project, and sees. */
const USES: Record<string, (page: Page) => Promise<void>> = {
  'react-ts': (page) => count(page, 'Count is 1'),
  'vue-ts': (page) => count(page, 'Count is 1'),
  'svelte-ts': (page) => count(page, 'Count is 1'),
  'preact-ts': (page) => count(page, 'Count is 1'),
  'solid-ts': (page) => count(page, 'Count is 1'),
  'vanilla-ts': (page) => count(page, 'Count is 1'),
  'lit-ts': (page) => count(page, 'Count is 1'),
  'v0-block': async (page) => {
    await page.getByRole('button', { name: 'Yearly' }).click();
    await page.getByText('$290').waitFor();
    expect(await styleOf(page.locator('main'), 'backgroundColor')).toMatch(/^oklch\(0\.984/);
  },
  artifact: async (page) => {
    await page.getByRole('button', { name: 'cost' }).click();
    await page.getByText('23.1 %').waitFor();
    expect(await page.locator('.recharts-bar-rectangle').count()).toBe(6);
  },
  bolt: async (page) => {
    await page.getByRole('link', { name: 'Apple pie' }).click();
    await page.getByRole('heading', { name: 'Apple pie' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Apple pie' }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'Pumpkin soup' }).waitFor();
  },
  wouter: async (page) => {
    await page.getByRole('link', { name: 'Trip 7' }).click();
    await page.getByRole('heading', { name: 'Trip 7' }).waitFor();
    await page.getByText('at /trips/7 and /').waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Trip 7' }).waitFor();
    const map = page.getByRole('img', { name: 'map' });
    expect(await map.evaluate((it) => (it as unknown as { naturalWidth: number }).naturalWidth)).toBe(40);
  },
  'data-router': async (page) => {
    await page.getByRole('link', { name: 'Book 3' }).click();
    await page.getByRole('heading', { name: 'Book 3' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Book 3' }).waitFor();
  },
  lovable: async (page) => {
    await page.getByRole('heading', { name: 'Hello from .env' }).waitFor();
    expect(await page.title()).toBe('Task garden');
    await page.getByRole('button', { name: 'Help' }).click();
    await page.getByRole('dialog').getByText('Tick what is done.').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('link', { name: 'About' }).click();
    await page.getByRole('heading', { name: 'About' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'About' }).waitFor();
  },
  three: (page) => page.getByText(/12 triangles|no WebGL/).waitFor(),
  'modules-worker': async (page) => {
    await page.getByText('Primes: 168 25').waitFor();
    await page.getByRole('button', { name: 'About' }).click();
    const about = page.getByText('Counted by a worker, in production');
    await about.waitFor();
    expect(await styleOf(about, 'color')).toBe('rgb(1, 2, 3)');
  },
  dashboard: async (page) => {
    await page.locator('.recharts-surface').first().waitFor();
  },
};

/** Projects with a router, a worker, or files that scripts load by their URLs. */
const BELOW_A_PATH = ['react-ts', 'bolt', 'wouter', 'modules-worker'];

/** The module of each project that is edited. */
const MAIN = [
  'src/main.tsx',
  'src/main.ts',
  'src/main.jsx',
  'src/index.tsx',
  'src/my-element.ts',
  'page.tsx',
  'revenue.jsx',
];
const EDIT = "\ndocument.documentElement.dataset.edited = 'yes';\n";

/** Projects that Vite cannot build without a page of their own, or whose routers need no comparison. */
const NOT_COMPARED = ['v0-block', 'artifact', 'wouter', 'data-router'];

const shared = await sharedOrigin();
const own = await ownOrigins();

describe('projects that are built', () => {
  const originOf = (id: string) => `http://${id}.${DOMAIN}:${new URL(own.baseUrl).port}/`;

  it.each(Object.keys(USES))('%s works, and looks as the build of its own tools does', async (name) => {
    const { id } = await own.deploy(siteOf(sourceProject(name)));
    const built = await use(name, originOf(id));
    if (NOT_COMPARED.includes(name)) return;
    const peer = await own.deploy(siteOf(await viteBuild(name)));
    expect(built.equals(await picture(originOf(peer.id)))).toBe(true);
  });

  it.each(BELOW_A_PATH)('%s works under /d/<id>/, is edited and rolled back', async (name) => {
    const site = siteOf(sourceProject(name));
    const atPath = await shared.deploy(site, name);
    await use(name, `${atPath.url}/`);
    await editAndRollBack(site, atPath, name);
  });

  const editAndRollBack = async (site: SiteFiles, { id, url, token }: DeployedSite, name: string) => {
    const before = await loaded(url);
    const main = MAIN.find((path) => path in site) ?? '';
    await shared.deploy({ ...site, [main]: site[main] + EDIT }, name);
    const after = await loaded(url);
    // Visitors download the script that was edited, and at most one that imports it.
    const replaced = before.files.filter((file) => !after.files.includes(file)).length;
    expect([before.edited, after.edited, replaced]).toEqual([undefined, 'yes', expect.any(Number)]);
    expect(replaced).toBeLessThanOrEqual(2);
    const { send, post } = newCaller(shared.baseUrl);
    const headers = { 'X-Deployment-Token': token };
    const { versions } = (await send(`/api/v1/deployments/${id}`, { headers })).json;
    await post(`/api/v1/deployments/${id}/rollback`, { version: versions[1].version }, headers);
    expect(await loaded(url)).toEqual(before);
  };
  const loaded = async (url: string): Promise<{ edited: unknown; files: string[] }> => {
    const { page } = await watchedPage(browser, url);
    await page.goto(`${url}/`, { waitUntil: 'networkidle' });
    const edited = await page.evaluate('document.documentElement.dataset.edited');
    const files = await page.evaluate(
      `performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.includes('/assets/'))`,
    );
    await page.context().close();
    return { edited, files: (files as string[]).toSorted() };
  };
  const use = async (name: string, url: string): Promise<Buffer> => {
    const { page, faults } = await watchedPage(browser, url);
    await page.goto(url, { waitUntil: 'networkidle' });
    const screenshot = await stillPicture(page);
    await USES[name]?.(page);
    expect(faults).toEqual([]);
    await page.context().close();
    return screenshot;
  };
  const picture = async (url: string): Promise<Buffer> => {
    const { page } = await watchedPage(browser, url);
    await page.goto(url, { waitUntil: 'networkidle' });
    const screenshot = await stillPicture(page);
    await page.context().close();
    return screenshot;
  };
});

/** Waits until two pictures in a row are equal: on a busy machine, images are painted after the network is idle. */
async function stillPicture(page: Page): Promise<Buffer> {
  let last = await page.screenshot({ animations: 'disabled' });
  for (;;) {
    const next = await page.screenshot({ animations: 'disabled' });
    if (next.equals(last)) return next;
    last = next;
  }
}

async function count(page: Page, text: string): Promise<void> {
  await page.getByRole('button', { name: 'Count is 0' }).click();
  await page.getByRole('button', { name: text }).waitFor();
}

function siteOf(files: ProjectFiles): SiteFiles {
  return Object.fromEntries(Array.from(files, ([path, content]) => [path, Buffer.from(content)]));
}

/** Returns a property of an element's computed style. */
function styleOf(element: Locator, property: string): Promise<unknown> {
  return element.evaluate((node, name) => {
    const { getComputedStyle } = globalThis as unknown as {
      getComputedStyle(of: unknown): Record<string, string>;
    };
    return getComputedStyle(node)[name];
  }, property);
}
