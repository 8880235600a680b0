import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import type { Cloud } from '../../local/cloud/cloud.ts';
import { startService } from '../../local/service.ts';
import { freePort } from '../support/free-port.ts';
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
  const stateDir = mkdtempSync(join(tmpdir(), 'ptp-browser-'));
  let cloud: Cloud;
  let browser: Browser;

  beforeAll(async () => {
    const configFile = join(stateDir, 'config.json');
    writeFileSync(configFile, JSON.stringify({ stage: 'test', rateLimit: { anonymous: 1000 } }));
    const settings = {
      port: await freePort(),
      backendPort: await freePort(),
      stateDir: join(stateDir, 'state'),
      configFile,
    };
    [cloud, browser] = await Promise.all([startService(settings, { log: () => {} }), launch()]);
  });
  afterAll(async () => {
    await Promise.all([cloud?.close(), browser?.close()]);
    rmSync(stateDir, { recursive: true, force: true });
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
