import type { Browser } from 'playwright-core';
import { type SiteCloud, startSiteCloud } from '../support/site-cloud.ts';
import { launch, watchedPage } from './open-project.ts';

const PROMPTS = [
  'a pomodoro timer with a dark theme',
  'a to-do list with milk, eggs and bread',
  'a landing page for a coffee shop called "Bean There"',
  'a scientific calculator',
  'notes with markdown preview',
  'a quiz about space',
  'a kanban board for a small team',
  'a portfolio of a photographer',
  'a registration form with validation',
  'a weather dashboard with charts',
  'a snake game',
  'a REST API in Node for books',
  'a command-line tool for expenses',
  'the history of paper boats',
];

describe('a generated and deployed project', () => {
  let cloud: SiteCloud;
  let browser: Browser;

  beforeAll(async () => {
    const config = { rateLimit: { anonymous: 1000 } };
    [cloud, browser] = await Promise.all([startSiteCloud(undefined, config), launch()]);
  });
  afterAll(async () => {
    await Promise.all([cloud?.close(), browser?.close()]);
  });

  const post = async (path: string, body: string) => {
    const headers = { 'content-type': 'application/json' };
    return (await fetch(`${cloud.baseUrl}/api/v1/${path}`, { method: 'POST', headers, body })).text();
  };

  it.each(PROMPTS)('is displayed without faults: %s', async (prompt) => {
    const { url, title } = JSON.parse(
      await post('deploy', await post('generate', JSON.stringify({ prompt }))),
    );
    const { page, faults } = await watchedPage(browser, url);
    await page.goto(url, { waitUntil: 'networkidle' });
    expect(page.url()).toBe(`${url}/`);
    expect(await page.title()).toBe(title);
    expect((await page.innerText('body')).length).toBeGreaterThan(20);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
