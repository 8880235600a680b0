import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { OPERATIONS } from '../../lambda/contract/operations.ts';
import { browser } from './browser.ts';
import { sharedOrigin } from './clouds.ts';
import { violations } from './console/barriers.ts';
import { watchedPage } from './open-project.ts';

const run = promisify(execFile);

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1440, height: 900 };

const cloud = await sharedOrigin();

async function open(path = '/docs', options: BrowserContextOptions = {}) {
  const watched = await watchedPage(browser, cloud.baseUrl, { viewport: DESKTOP, ...options });
  await watched.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await watched.page.goto(cloud.baseUrl + path);
  return watched;
}

const clipboard = (page: Page) => page.evaluate('navigator.clipboard.readText()');
const waitForCurrent = (page: Page, id: string) =>
  page.waitForSelector(`#contents a[href="#${id}"][aria-current="location"]`, { state: 'attached' });

describe.each([
  ['a phone', PHONE],
  ['a desktop', DESKTOP],
] as const)('on %s', (_, viewport) => {
  it('has no barrier for assistive technology', async () => {
    const colorScheme = viewport === PHONE ? 'dark' : 'light';
    for (const path of ['/', '/docs']) {
      const { page, faults } = await open(path, { viewport, colorScheme });
      expect([path, await violations(page, '')]).toEqual([path, []]);
      if (path === '/docs') {
        await page.keyboard.press('/');
        await page.keyboard.type('file');
        expect(await violations(page, '')).toEqual([]);
        await page.keyboard.press('Escape');
        await page.click('[data-try=deploy]');
        expect(await violations(page, '')).toEqual([]);
      }
      expect(faults).toEqual([]);
      await page.context().close();
    }
  });

  it('does not move while it loads, with a remembered language, and loads nothing else', async () => {
    const { page, faults } = await open('/docs', { viewport });
    await page.locator('[data-language=python][role=tab]').first().click();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    for (const path of ['/docs#errors', '/docs#deploy.request.files.path', '/docs', '/']) {
      await page.goto('about:blank');
      await page.goto(cloud.baseUrl + path);
      await page.evaluate('scrollTo({ top: document.body.scrollHeight, behavior: "instant" })');
      const shifts = `new Promise((seen) => new PerformanceObserver((list) => seen(list.getEntries().map(({ value }) => value)))
        .observe({ type: 'layout-shift', buffered: true }) || requestAnimationFrame(() => requestAnimationFrame(() => seen([]))))`;
      expect(await page.evaluate(shifts)).toEqual([]);
    }
    expect(requests.filter((path) => !['/docs', '/', 'blank', '/favicon.svg'].includes(path))).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('leads to every section, marks it and fits the screen', async () => {
    const { page, faults } = await open('/docs', { viewport });
    const links = await page.locator('#contents li a').evaluateAll((all) => all.map((a) => a.getAttribute('href')));
    expect(links).toEqual(expect.arrayContaining(Object.keys(OPERATIONS).map((name) => `#${name}`)));
    for (const link of links) {
      if (viewport === PHONE) await page.click('text=Contents');
      await page.click(`#contents a[href="${link}"]`);
      await waitForCurrent(page, link?.slice(1) ?? '');
      const top = await page.locator(link ?? '').evaluate((section) => section.getBoundingClientRect().top);
      expect(top).toBeLessThan(viewport.height);
      if (viewport === PHONE) expect(await page.isVisible('#contents')).toBe(false);
    }
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width);
    expect(faults).toEqual([]);
  });
});

describe('the reference', () => {
  it('marks the section that the reader scrolls to', async () => {
    const { page } = await open();
    await waitForCurrent(page, 'operations');
    await page
      .locator('#getUsage h4')
      .last()
      .evaluate((heading) => heading.scrollIntoView());
    await waitForCurrent(page, 'getUsage');
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    await waitForCurrent(page, 'clients');
  });

  it('shows all samples in the chosen language, also after a reload', async () => {
    const { page, faults } = await open('/docs#deploy');
    const shown = () =>
      page
        .locator('[role=tabpanel]:visible')
        .evaluateAll((all) => [...new Set(all.map((panel) => panel.getAttribute('data-language')))]);
    expect(await shown()).toEqual(['curl']);
    const tabs = page.locator('#deploy [role=tab]');
    await tabs.nth(3).click();
    expect(await shown()).toEqual(['python']);
    await page.keyboard.press('ArrowRight');
    expect(await shown()).toEqual(['curl']);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    expect(await shown()).toEqual(['fetch']);
    expect(await tabs.evaluateAll((all) => all.map((tab) => tab.ariaSelected))).toEqual([
      'false',
      'false',
      'true',
      'false',
    ]);
    await page.reload();
    expect(await shown()).toEqual(['fetch']);
    expect(faults).toEqual([]);
  });

  it('copies the shown sample with the base URL, and links', async () => {
    const { page, faults } = await open();
    // The button says so for two seconds.
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 3_600_000);
    const says = (status: string) => page.locator('#status', { hasText: status }).waitFor({ state: 'attached' });
    await page.click('#getAsset .copy');
    await says('Copied');
    expect(await clipboard(page)).toMatch(
      new RegExp(`^curl -i "${cloud.baseUrl}/api/v1/assets/user-assets/[\\w-]+/" \\\\\n  -H "X-API-Key: \\$KEY"$`),
    );
    expect(await page.innerText('#getAsset .copy')).toBe('Copied');
    await page.click('#limits .anchor');
    await says('Link copied');
    expect(await clipboard(page)).toBe(`${cloud.baseUrl}/docs#limits`);
    expect(await page.textContent('body')).not.toContain('$BASE');
    expect(faults).toEqual([]);
  });

  it('finds a field with the keyboard, and unfolds it', async () => {
    const { page, faults } = await open();
    await page.keyboard.press('/');
    await page.keyboard.type('nothing/like that');
    expect(await page.isVisible('text=Nothing found.')).toBe(true);
    await page.fill('#search input', 'deploy encoding');
    const selected = () => page.innerText('#search [aria-selected=true]');
    const first = await selected();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowDown');
    expect(await selected()).toBe(first);
    expect(await page.getAttribute('#search input', 'aria-activedescendant')).toBe('result-0');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${cloud.baseUrl}/docs#deploy.request.files.encoding`);
    expect(await page.isVisible(':target')).toBe(true);
    expect(await page.isVisible('#search')).toBe(false);
    await page.keyboard.press('Control+k');
    await page.fill('#search input', 'rate limits');
    await page.click('#search [role=option]');
    await page.waitForURL(`${cloud.baseUrl}/docs#rate-limits`);
    expect(faults).toEqual([]);
  });

  it('is complete without JavaScript, and has no button that does nothing', async () => {
    const { page } = await open('/docs', { javaScriptEnabled: false, viewport: PHONE });
    expect(await page.locator('[role=tabpanel]:visible').count()).toBe(Object.keys(OPERATIONS).length);
    expect(await page.locator('button:not([role=tab]):visible').allInnerTexts()).toEqual(['Contents']);
    await page.click('text=Contents');
    await page.click('#contents a[href="#limits"]');
    await page.waitForURL(/#limits$/);
  });
});

describe('a request from the page', () => {
  const send = async (page: Page) => {
    await page.click('#try button:text-is("Send")');
    await page.waitForSelector('#try .result:text-matches(" in \\\\d+ ms$")');
    const status = Number.parseInt(await page.innerText('#try .result'), 10);
    const headers = await page.innerText('#try [aria-label=Headers]');
    return { status, headers, body: JSON.parse(await page.innerText('#try [aria-label=Body]')) };
  };

  it('deploys files, retrieves the deployment, and deletes it once that is confirmed', async () => {
    const { page, faults } = await open('/docs', { viewport: PHONE });
    await page.click('[data-try=deploy]');
    const deployed = await send(page);
    expect(deployed.status).toBe(201);
    expect(deployed.headers).toContain('x-deployment-token: ptd_');
    expect(await (await fetch(deployed.body.url)).text()).toContain('Hello');
    await page.click('#try .close');

    // With the id and the token of the first response.
    await page.click('[data-try=getDeployment]');
    expect((await send(page)).body).toMatchObject({ id: deployed.body.id, owner: 'anonymous' });
    await page.locator('#try form').click({ position: { x: 3, y: 3 } });
    expect(await page.isVisible('#try')).toBe(true);
    await page.keyboard.press('Escape');

    await page.click('[data-try=deleteDeployment]');
    page.once('dialog', (dialog) => dialog.dismiss());
    await page.click('#try button:text-is("Send")');
    expect((await fetch(deployed.body.url)).status).toBe(200);
    page.once('dialog', (dialog) => dialog.accept());
    expect((await send(page)).body.status).toBe('deleted');
    expect((await fetch(deployed.body.url)).status).toBe(410);
    expect(faults).toEqual([]);
  });

  it('has the key, which stays in memory', async () => {
    const env = { ...process.env, STATE_DIR: cloud.stateDir };
    const { stdout } = await run(process.execPath, ['cli/keys.ts', 'create', '--name', 'reference'], { env });
    const { page, faults } = await open();
    await page.click('[data-try=getUsage]');
    await page.fill('#try [type=password]', stdout.trim());
    const from = new Date().toISOString().slice(0, 10);
    await page.getByLabel('from', { exact: true }).fill(from);
    expect(await send(page)).toMatchObject({ status: 200, body: { from } });
    await page.click('#try .close');
    await page.click('[data-try=getDeployment]');
    expect(await page.inputValue('#try [type=password]')).toBe(stdout.trim());
    await page.mouse.click(5, 5);
    expect(await page.isVisible('#try')).toBe(false);
    const stored = 'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])';
    expect(await page.evaluate(stored)).not.toContain('ptp_');
    await page.reload();
    await page.click('[data-try=getUsage]');
    expect(await page.inputValue('#try [type=password]')).toBe('');
    expect(faults).toEqual([]);
  });

  it('shows what is wrong with it', async () => {
    const { page } = await open();
    await page.click('[data-try=getUsage]');
    expect(await send(page)).toMatchObject({ status: 401, body: { error: expect.any(String) } });
    await page.click('#try .close');
    await page.click('[data-try=deploy]');
    await page.fill('#try textarea', '[');
    await page.click('#try button:text-is("Send")');
    expect(await page.innerText('#try .result')).toMatch(/^files is not JSON/);
  });
});
