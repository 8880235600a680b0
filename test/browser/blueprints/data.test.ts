import type { Page } from 'playwright-core';
import { compose, type ProjectFile } from '../../../blueprints/engine/compose.ts';
import { browser } from '../browser.ts';
import { violations } from '../console/barriers.ts';
import { openProject } from '../open-project.ts';
import { press, text, texts } from './visit.ts';

const OWN = { ownOrigins: true };
const PHONE = { viewport: { width: 390, height: 844 }, locale: 'en-US' };

/** Opens a starter whose site has data, uses it, and expects no faults but these. */
async function visit(files: readonly ProjectFile[], use: (page: Page) => Promise<void>, faults: unknown = []) {
  await using project = await openProject(browser, files, PHONE);
  await use(project.page);
  expect(await violations(project.page)).toEqual([]);
  expect(await project.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  expect(project.faults).toEqual(faults);
}

const starter = (prompt: string, data = OWN) => compose(prompt, '5min', { data });

test('a guestbook shows what visitors write, as text, and lets them delete it', async () => {
  await visit(starter('a guestbook for our wedding'), async (page) => {
    await page.getByText('Nothing here yet').waitFor();
    await page.getByLabel('Your name').fill('Ana <b>');
    await page.getByLabel('Your message').fill('<img src=x onerror=alert(1)>\nAll the best');
    await press(page, 'Sign the guestbook');
    await page.getByText('Your entry is there').waitFor();
    await page.locator('#entries li').waitFor();
    expect(await texts(page, '#entries p')).toEqual(['<img src=x onerror=alert(1)>\nAll the best']);
    expect(await texts(page, '#entries strong')).toEqual(['Ana <b>']);
    expect(await page.getByText('Nothing here yet').isVisible()).toBe(false);
    expect(await page.getByLabel('Your message').inputValue()).toBe('');
    await page.reload();
    await press(page, 'Delete: Ana <b>');
    await page.getByText('Nothing here yet').waitFor();
  });
});

test('a poll counts one vote of each visitor, who may change it', async () => {
  await visit(starter('a poll: which day suits you, Monday, Tuesday or Friday?'), async (page) => {
    await page.getByText('No votes yet').waitFor();
    await page.getByLabel('Tuesday').first().check();
    await press(page, 'Vote');
    await page.getByText('You have chosen: Tuesday').waitFor();
    await page.getByText('1 vote', { exact: true }).waitFor();
    await page.reload();
    await page.getByText('You have chosen: Tuesday').waitFor();
    await page.getByLabel('Friday').first().check();
    await press(page, 'Change my vote');
    await page.getByText('You have chosen: Friday').waitFor();
    await page.getByText('1 · 100 %').waitFor();
    expect(await texts(page, '#result dt + dd')).toEqual(['0 · 0 %', '0 · 0 %', '1 · 100 %']);
  });
});

test('a registration takes each address once, and no more than it has places', async () => {
  const register = async (page: Page, name: string, address: string) => {
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('E-mail').fill(address);
    await page.getByLabel('I agree').check();
    await press(page, 'Register');
  };
  await visit(
    starter('registration for our workshop, 2 places'),
    async (page) => {
      await page.getByText('2 places left').waitFor();
      await register(page, 'Ana', 'ana@example.com');
      await page.getByText('This has been sent:').waitFor();
      await page.getByText('1 place left').waitFor();
      await press(page, 'Fill it in again');
      await register(page, 'Ana', 'ANA@example.com');
      await page.getByText('You have sent this already.').waitFor();
      expect(await page.getByLabel('Name').inputValue()).toBe('Ana');
      await register(page, 'Ben', 'ben@example.com');
      await page.getByText('All places are taken.').waitFor();
      expect(await page.getByRole('button', { name: 'Fill it in again' }).isVisible()).toBe(false);
      await page.reload();
      await page.getByText('All places are taken.').waitFor();
      expect(await page.getByRole('button', { name: 'Register' }).isVisible()).toBe(false);
    },
    [expect.stringMatching('409'), expect.stringMatching('409')],
  );
});

test('an invitation keeps the answers of a guest, who may take them back', async () => {
  await visit(starter('a wedding invitation for Ana & Luis'), async (page) => {
    await page.getByText('Only the hosts read your answer').waitFor();
    await page.getByLabel('Your name').fill('Ben');
    await page.getByLabel('Yes, I will come').check();
    await press(page, 'Reply');
    await page.getByText('Ben comes (1 person)').waitFor();
    await page.reload();
    await press(page, 'Delete: Ben');
    await page.getByText('Ben comes').waitFor({ state: 'detached' });
  });
});

it.each([
  ['a guestbook', 'The entries cannot be loaded now.'],
  ['a poll: pizza, sushi or tacos', 'The result cannot be loaded now.'],
])('%s says that it is out of reach, and keeps what was entered', async (prompt, sentence) => {
  // As a copy on a disk, which has no data.
  const files = starter(prompt, { ownOrigins: false }).filter(({ path }) => path !== '_data.json');
  await visit(
    files,
    async (page) => {
      await page.getByText(sentence).waitFor();
      expect(await text(page, 'h1')).not.toBe('');
    },
    expect.arrayContaining([expect.stringMatching('404')]),
  );
});
