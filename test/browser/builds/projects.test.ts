import { isDeepStrictEqual } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { LIBRARIES } from '../../support/builds/libraries.ts';
import { type ProjectFiles, sourceProject, templateNames } from '../../support/builds/projects.ts';
import { startViteBuilds } from '../../support/builds/vite-builds.ts';
import { newCaller } from '../../support/cloud/client.ts';
import type { DeployedSite, SiteFiles } from '../../support/site-cloud.ts';
import { browser } from '../browser.ts';
import { ownOrigins, sharedOrigin } from '../clouds.ts';
import { widthsOf } from '../console/pictures.ts';
import { watchedPage } from '../open-project.ts';

const DOMAIN = 'sites.localhost';

/** What a person does in each project, and sees. */
const USES: Record<string, (page: Page) => Promise<unknown>> = {
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
    expect(await widthsOf(page.getByRole('img', { name: 'map' }), 1)).toEqual([40]);
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
  ...Object.fromEntries(Object.entries(LIBRARIES).map(([name, { use }]) => [name, use])),
};
const count = async (page: Page) => {
  await page.getByRole('button', { name: 'Count is 0' }).click();
  await page.getByRole('button', { name: 'Count is 1' }).waitFor();
};
for (const name of templateNames()) USES[name] = count;

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

/** Components without a page, which Vite cannot build. */
const LONE = ['v0-block', 'artifact'];
/** Templates that need a compiler of their own. */
const REFUSED = templateNames().filter((name) => name.startsWith('qwik'));
const COMPARED = Object.keys(USES).filter((name) => ![...LONE, ...REFUSED].includes(name));

const shared = await sharedOrigin();
const own = await ownOrigins();

describe('projects that are built', () => {
  const originOf = (id: string) => `http://${id}.${DOMAIN}:${new URL(own.baseUrl).port}/`;
  const vite = startViteBuilds(COMPARED);
  afterAll(vite.close);

  it.each(COMPARED)('%s shows and says what its build by Vite does', async (name) => {
    const built = own.deploy(siteOf(sourceProject(name)));
    const peer = vite.filesOf(name).then((files) => own.deploy(siteOf(files)));
    const [ours, theirs] = await Promise.all(
      [built, peer].map(async (deployed) => await use(name, originOf((await deployed).id))),
    );
    await expectAlike(ours?.page, theirs?.page);
    expect(ours?.messages).toEqual(theirs?.messages);
    for (const used of [ours, theirs]) await used?.page.context().close();
  });

  it.each(LONE)('%s works', async (name) => {
    const { id } = await own.deploy(siteOf(sourceProject(name)));
    await use(name, originOf(id));
  });

  it.each(REFUSED)('%s is refused with the reason', async (name) => {
    await expect(own.deploy(siteOf(sourceProject(name)))).rejects.toThrow(/uses @builder.io.qwik, which/);
  });

  it.each(BELOW_A_PATH)('%s works under /d/<id>/, is edited and rolled back', async (name) => {
    const site = siteOf(sourceProject(name));
    const atPath = await shared.deploy(site, name);
    const { page } = await use(name, `${atPath.url}/`);
    await page.context().close();
    await editAndRollBack(site, atPath, name);
  });

  const editAndRollBack = async (site: SiteFiles, { id, url, token }: DeployedSite, name: string) => {
    const before = await settled(url);
    const main = MAIN.find((path) => path in site) ?? '';
    await shared.deploy({ ...site, [main]: site[main] + EDIT }, name);
    const after = await settled(url);
    // Visitors download the script that was edited, and at most one that imports it.
    const replaced = before.files.filter((file) => !after.files.includes(file)).length;
    expect([before.edited, after.edited, replaced]).toEqual([undefined, 'yes', expect.any(Number)]);
    expect(replaced).toBeLessThanOrEqual(2);
    const { send, post } = newCaller(shared.baseUrl);
    const headers = { 'X-Deployment-Token': token };
    const { versions } = (await send(`/api/v1/deployments/${id}`, { headers })).json;
    await post(`/api/v1/deployments/${id}/rollback`, { version: versions[1].version }, headers);
    expect(await settled(url)).toEqual(before);
  };
  /** What two visits in a row load: on a busy machine, the network is idle before the last file is requested. */
  const settled = async (url: string) => {
    for (let last = await loaded(url); ; ) {
      const next = await loaded(url);
      if (isDeepStrictEqual(last, next)) return next;
      last = next;
    }
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
  /** Does what a person does, and returns the page, and what it wrote to the console. */
  const use = async (name: string, url: string) => {
    const { page, faults } = await watchedPage(browser, url);
    const messages: string[] = [];
    page.on('console', (message) => {
      // What the browser says of its own drawing differs each time.
      if (!message.text().includes('GL Driver Message')) messages.push(`${message.type()}: ${message.text()}`);
    });
    await page.goto(url);
    // The reason why something does not come.
    await USES[name]?.(page).catch((error: unknown) => expect([...faults, error]).toEqual([]));
    await page.waitForLoadState('networkidle');
    // An image that comes after a click moves what was clicked away from the mouse, or not.
    await page.mouse.move(0, 0);
    expect(faults).toEqual([]);
    return { messages, page };
  };
});

/** Expects two pages to say and show the same within a minute: on a busy machine, images are drawn after the network is idle. */
async function expectAlike(...pages: (Page | undefined)[]): Promise<void> {
  for (const until = Date.now() + 60_000; ; ) {
    const [one, other] = await Promise.all(pages.map((page) => page?.evaluate(drawn)));
    const isAlike = one !== undefined && isDeepStrictEqual(one, other);
    if (isAlike || Date.now() > until) return expect(one).toEqual(other);
  }
}

/**
 * Returns the text, the box and the computed style of each element, and the content of each image, once what moves has arrived. On a
 * busy machine, the pixels of two equal pages have differed for a minute.
 */
const drawn = `(() => {
  for (const animation of document.getAnimations()) {
    if (animation.effect.getComputedTiming().endTime === Infinity) animation.cancel();
    else animation.finish();
  }
  const styleOf = (element, pseudo) => {
    const styles = getComputedStyle(element, pseudo);
    const withoutUrls = (name) => styles.getPropertyValue(name).replace(/url\\([^)]*\\)/g, 'url()');
    return [...styles].filter((name) => !name.startsWith('--')).map((name) => name + ': ' + withoutUrls(name));
  };
  /** The pixels of an image alone, which no layer of the page changes. */
  const imageOf = (element) => {
    if (element.localName !== 'img') return undefined;
    const canvas = Object.assign(document.createElement('canvas'), { width: 64, height: 64 });
    if (element.complete && element.naturalWidth > 0) canvas.getContext('2d').drawImage(element, 0, 0, 64, 64);
    return [element.complete, element.naturalWidth, element.naturalHeight, canvas.toDataURL()];
  };
  const elements = [...document.querySelectorAll('body, body *:not(script, style, link)')].map((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    const styles = [undefined, '::before', '::after'].map((pseudo) => styleOf(element, pseudo));
    return [element.tagName, x, y, width, height, imageOf(element), ...styles];
  });
  return [document.body.innerText, elements];
})()`;

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
