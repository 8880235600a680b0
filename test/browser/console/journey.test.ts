import { gunzipSync } from 'node:zlib';
import { browser } from '../browser.ts';
import { sharedOrigin } from '../clouds.ts';
import { change, deploy, generate, openConsole, turn } from './open-console.ts';

const cloud = await sharedOrigin();

/** Returns the `projectId` of a deploy, whose body is compressed. */
const projectIdOf = (body: Buffer | null): string => JSON.parse(String(gunzipSync(body ?? ''))).projectId;

/** Opens a page as a person does: the browser of the tests says that it is a program. */
async function visit(url: string): Promise<void> {
  const userAgent =
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';
  const page = await browser.newPage({ userAgent });
  await page.goto(url);
  await page.close();
}

const textOf = async (url: string) => (await fetch(url)).text();

describe('a visitor', () => {
  it('goes from a prompt to a page, changes it three times, takes a change back, and publishes each state', async () => {
    const { page, faults } = await openConsole(browser, cloud.baseUrl);
    await page.getByRole('button', { name: 'A kanban board' }).click();
    await page.keyboard.press('Enter');
    await turn(page, 0).locator('.state.succeeded').waitFor();
    expect(await page.title()).toBe('A kanban board for a moving day · prompt-to-project');
    expect(await turn(page, 0).innerText()).toMatch(
      /provider-a\/blueprint write: succeeded in .*10\s+files[\s\S]*starter “kanban”/,
    );

    await change(page, 'change the title to Boxes');
    await change(page, 'use the dark theme');
    await change(page, 'make it green');
    const changes = turn(page, 1).locator('.changes details').first();
    await changes.locator('summary').click();
    await changes.locator('ins', { hasText: 'Boxes' }).first().waitFor();
    const url = await deploy(page);
    const published = await textOf(url);
    expect(published).toContain('Boxes');
    await visit(url);
    const views = page.getByRole('region', { name: 'Views' });
    const seen = views.getByText(/^1 view by 1 visitor from/);
    // A view is counted a moment after its response.
    while (!(await seen.isVisible())) {
      const counted = page.waitForResponse('**/views*');
      await views.getByRole('button', { name: 'Count again' }).click();
      await counted;
    }

    await turn(page, 3).getByRole('button', { name: 'Undo' }).click();
    await turn(page, 3).getByRole('button', { name: 'Redo' }).waitFor();
    await page.getByText('The files differ').waitFor();
    expect(await deploy(page)).toBe(url);
    expect(await textOf(url)).toMatch(/data-theme="dark"/);

    await turn(page, 0).getByRole('button', { name: 'Return to this' }).click();
    expect(await deploy(page)).toBe(url);
    expect(await textOf(url)).not.toContain('Boxes');
    const versions = page.getByRole('region', { name: 'Versions' }).locator('li');
    // They are read once the page says that it is up to date.
    await versions.nth(2).waitFor();
    expect(await versions.count()).toBe(3);
    await versions.last().getByRole('button', { name: 'Roll back' }).click();
    await versions.last().getByText('Live').waitFor();
    expect(await textOf(url)).toBe(published);

    page.once('dialog', (dialog) => dialog.accept());
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'Deleted' }).waitFor();
    expect((await fetch(url)).status).toBe(410);
    expect(await deploy(page)).toBe(url);
    expect(faults).toEqual([]);
  });

  it('continues from an earlier state, and forgets what came after it', async () => {
    const { page, faults } = await openConsole(browser, cloud.baseUrl);
    await generate(page, 'a to-do list');
    await turn(page, 0).locator('.state.succeeded').waitFor();
    await change(page, 'change the title to One');
    await turn(page, 1).getByRole('button', { name: 'Undo' }).click();
    await turn(page, 1).getByRole('button', { name: 'Redo' }).click();
    await turn(page, 1).getByRole('button', { name: 'Undo' }).click();
    await change(page, 'change the title to Two');
    expect(await page.locator('.turn').count()).toBe(2);
    expect(await textOf(await deploy(page))).toMatch(/<title>Two/);
    expect(faults).toEqual([]);
  });

  it('is asked before a version that somebody else deployed is replaced', async () => {
    const { page } = await openConsole(browser, cloud.baseUrl);
    const sent = page.waitForRequest('**/api/v1/deploy');
    await generate(page, 'a snake game');
    await turn(page, 0).locator('.state.succeeded').waitFor();
    const url = await deploy(page);
    await cloud.deploy({ 'index.html': '<title>Theirs</title>' }, projectIdOf((await sent).postDataBuffer()));
    await page.getByRole('button', { name: 'Deploy' }).click();
    await page.getByText('Another version is live').waitFor();
    expect(await textOf(url)).toContain('Theirs');
    const replaced = page.waitForResponse('**/api/v1/deploy');
    await page.getByRole('button', { name: 'Replace it' }).click();
    await replaced;
    await page.getByText('The page is up to date.').waitFor();
    expect(await textOf(url)).not.toContain('Theirs');
  });
});
