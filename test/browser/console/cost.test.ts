import type { Script } from '../../support/vendors/index.ts';
import { browser } from '../browser.ts';
import { answerWith, sharedOrigin } from '../clouds.ts';
import { newKey } from './keys.ts';
import { generate, openConsole, turn } from './open-console.ts';

const USED = { input: 12_345, cachedInput: 6_000, cacheWrite: 0, output: 7_000, reasoning: 0 };
const PAGE = '<!doctype html>\n<title>A</title>\n<script src="app.js"></script>\n';

/** Answers with a page that lacks its script, and then with the script. */
const script: Script = (_, { body }) => {
  const isRepair = JSON.stringify(body).includes('Correct exactly');
  const [path, content] = isRepair ? ['app.js', 'let a = 1;\n'] : ['index.html', PAGE];
  const text = `<file path="${path}">\n${content}</file>\n<done/>\n`;
  return [{ text }, { finish: 'complete', usage: USED }];
};

const cloud = await sharedOrigin();
beforeAll(() => answerWith(script));

it('shows what a generation cost, what each attempt used, and the costs of a key', async () => {
  const key = await newKey(cloud, '--scopes', 'assets:write');
  const { page, faults } = await openConsole(browser, cloud.baseUrl, {}, '/#account');
  await page.getByLabel('API key').fill(key);
  await page.keyboard.press('Enter');
  await page.getByText('This key has deployed nothing yet.').waitFor();
  await page.click('.brand');
  await generate(page, 'a quiz', 'provider-d');
  // 6,345 × $2, 6,000 × $0.10 and 7,000 × $10 per million, twice.
  await page.getByText('Cost: $0.17, of which $0.083 for repairs').waitFor();
  await turn(page, 0).locator('.attempts summary').click();
  const attempts = turn(page, 0).locator('.attempts li');
  expect(await attempts.allInnerTexts()).toEqual([
    expect.stringMatching(
      /write: succeeded.*\n.*does not look.*\n\$0\.083: 12,345 tokens in \(6,000 cached\), 7,000 out$/,
    ),
    expect.stringMatching(/repair: succeeded.*\n\$0\.083: 12,345 tokens in \(6,000 cached\), 7,000 out$/),
  ]);

  await page.getByRole('link', { name: `Key …${key.slice(-4)}` }).click();
  await page.getByText(/calls from .*, models: \$0\.17$/).waitFor();
  await page.getByText('As a table').click();
  expect(await page.locator('.usage td').last().innerText()).toBe('$0.17');
  expect(faults).toEqual([]);
});
