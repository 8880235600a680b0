import type { Page } from 'playwright-core';
import { closeAtEnd } from '../../support/at-end.ts';
import { startSiteCloud } from '../../support/site-cloud.ts';
import { browser } from '../browser.ts';
import { answerWith, sharedOrigin } from '../clouds.ts';
import { generate, openConsole, turn } from './open-console.ts';

const cloud = await sharedOrigin();
const failing = closeAtEnd(
  await startSiteCloud(undefined, {
    providers: { 'provider-a': { kind: 'scripted', script: 'fail' } },
  }),
);

/** Has `provider-d` answer with a page. @returns a function that lets it end the answer */
function answerSlowly(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  answerWith([
    { text: '<file path="index.html">\n<!doctype html><title>Slow</title>\n' },
    { until: promise },
    { text: '</file>\n<done/>\n' },
    { finish: 'complete' },
  ]);
  return resolve;
}

/** Returns the resource of the generation that the console shows. */
async function generationOf(page: Page): Promise<{ status: string; attempts: object[] }> {
  const id = new URL(page.url()).hash.slice('#g='.length);
  return (await (await fetch(`${cloud.baseUrl}/api/v1/generations/${id}`)).json()) as Awaited<
    ReturnType<typeof generationOf>
  >;
}

it('says why a generation failed and what to do, and tries it again; a rate limit is waited for', async () => {
  const { page } = await openConsole(browser, failing.baseUrl);
  await generate(page, 'a quiz');
  const first = turn(page, 0);
  await first.locator('.state.failed').waitFor();
  expect(await first.innerText()).toMatch(
    /provider-a\/scripted[\s\S]*failed[\s\S]*Try again in a few seconds, or choose another/,
  );
  // However long the limit takes this machine to be reached and to end.
  await page.clock.install();
  let requests = 0;
  await page.route('**/api/v1/generate', (route) =>
    ++requests > 1
      ? route.continue()
      : route.fulfill({
          status: 429,
          headers: { 'retry-after': '300' },
          json: { error: 'Rate limit exceeded', code: 'rate_limited', retryAfter: 300 },
        }),
  );
  await first.getByRole('button', { name: 'Try again' }).click();
  const notice = page.locator('.notice.waiting');
  expect(await notice.innerText()).toMatch(/Too many requests[\s\S]*Continues by itself in \d+ s/);
  const again = page.waitForResponse('**/api/v1/generate');
  await page.clock.fastForward(300_000);
  expect((await again).status()).toBe(200);
  await notice.waitFor({ state: 'detached' });
  await first.locator('.state.failed').waitFor();
  expect(requests).toBe(2);
});

it('cancels a generation, and tries it again with another model', async () => {
  const { page, faults } = await openConsole(browser, cloud.baseUrl);
  await generate(page, 'a quiz', 'provider-c');
  await turn(page, 0).locator('.state.running').waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await turn(page, 0).locator('.state.canceled').waitFor();
  expect(await page.getByRole('button', { name: 'Deploy' }).isDisabled()).toBe(true);
  expect((await generationOf(page)).status).toBe('canceled');
  expect(faults).toEqual([]);
});

it('picks a running generation up after a reload, in the middle and when it is over', async () => {
  const { page, faults } = await openConsole(browser, cloud.baseUrl);
  const end = answerSlowly();
  await generate(page, 'anything', 'provider-d');
  await page.waitForURL(/#g=/);
  await turn(page, 0).locator('.attempts').waitFor();
  await page.reload();
  await turn(page, 0).locator('.state.running').waitFor();
  end();
  await turn(page, 0).locator('.state.succeeded').waitFor();
  expect(await turn(page, 0).innerText()).toContain('anything');
  await page.reload();
  await turn(page, 0).locator('.state.succeeded').waitFor();
  await page.getByRole('tab', { name: 'Files' }).click();
  await page.getByRole('treeitem', { name: 'index.html' }).waitFor();
  expect(faults).toEqual([]);
});

it('resumes after a lost connection', async () => {
  const { page } = await openConsole(browser, cloud.baseUrl);
  const end = answerSlowly();
  await generate(page, 'anything', 'provider-d');
  await turn(page, 0).locator('.state.running').waitFor();
  await page.context().setOffline(true);
  await page.getByText('The connection was lost.').waitFor();
  await page.context().setOffline(false);
  end();
  await turn(page, 0).locator('.state.succeeded').waitFor();
  // The provider may have been given up while the connection was lost.
  const { attempts } = await generationOf(page);
  expect(await turn(page, 0).locator('.attempts li').count()).toBe(attempts.length);
  await page.locator('.notice.waiting').waitFor({ state: 'detached' });
});

it('leads back to the start, and forward to the project', async () => {
  const { page, faults } = await openConsole(browser, cloud.baseUrl, {}, '/?prompt=a%20snake%20game');
  expect(await page.getByLabel('What to build').inputValue()).toBe('a snake game');
  await page.getByRole('button', { name: 'Generate' }).click();
  await turn(page, 0).locator('.state.succeeded').waitFor();
  await page.waitForURL(/#g=/);
  await page.goBack();
  await page.getByLabel('What to build').waitFor();
  await page.goForward();
  await turn(page, 0).locator('.state.succeeded').waitFor();
  await page.click('.brand');
  await page.getByRole('heading', { name: 'Recent projects' }).waitFor();
  await page.getByRole('button', { name: 'a snake game', exact: true }).click();
  await turn(page, 0).waitFor();
  expect(faults).toEqual([]);
});

it('says what to do about a generation that does not exist', async () => {
  const { page } = await openConsole(browser, cloud.baseUrl, {}, '/#g=AAAAAAAAAAAAAAAAAAAAA');
  await page.getByRole('alert').getByText('Generations are kept for 24 hours').waitFor();
  await page.click('.brand');
  await page.getByLabel('What to build').waitFor();
});
