import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { type SiteCloud, startSiteCloud } from '../support/site-cloud.ts';
import { launch, watchedPage } from './open-project.ts';

const run = promisify(execFile);

describe('the service’s own pages', () => {
  let cloud: SiteCloud;
  let browser: Browser;
  beforeAll(async () => {
    [cloud, browser] = await Promise.all([startSiteCloud(), launch()]);
  });
  afterAll(async () => {
    await Promise.all([cloud?.close(), browser?.close()]);
  });

  it('the console without JavaScript has an example that runs when pasted into a shell', async () => {
    const { page, faults } = await watchedPage(browser, cloud.baseUrl, { javaScriptEnabled: false });
    await page.goto(cloud.baseUrl);
    const folder = mkdtempSync(join(tmpdir(), 'ptp-pasted-'));
    try {
      const { stdout } = await run('sh', ['-ec', await page.innerText('figure:has-text("curl:") pre')], {
        cwd: folder,
      });
      const { url } = JSON.parse(stdout);
      await page.goto(url);
      expect(await page.title()).toContain('Pomodoro');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    expect(faults).toEqual([]);
  });
});
