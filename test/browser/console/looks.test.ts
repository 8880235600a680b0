import { createServer, type ServerResponse } from 'node:http';
import type { Page } from 'playwright-core';
import type { GenerationResource, Look, LookProblem } from '../../../client/client.ts';
import { closeAtEnd } from '../../support/at-end.ts';
import { serve } from '../../support/serve.ts';
import { browser } from '../browser.ts';
import { sharedOrigin } from '../clouds.ts';
import { expectFits, WATCH_SHIFTS } from './barriers.ts';
import { generate, openConsole, preview, turn } from './open-console.ts';
import { widthsOf } from './pictures.ts';

const HTML = `<!doctype html>
<html lang="en">
<head>
  <title>Bakery</title>
  <script defer src="app.js"></script>
</head>
<body><h1>Fresh bread</h1></body>
</html>
`;
const FILES = [
  { path: 'index.html', content: HTML, language: 'html', bytes: HTML.length },
  { path: 'app.js', content: 'const a = 1;\nstart();\n', language: 'javascript', bytes: 22 },
];
const ERROR: LookProblem = {
  kind: 'error',
  message: 'Uncaught ReferenceError: start is not defined',
  path: 'app.js',
  line: 2,
  column: 1,
  blocking: true,
};
const WIDE: LookProblem = { kind: 'wide', message: 'The page scrolls sideways by 12 px', width: 390 };

const cloud = await sharedOrigin();
/** Pictures of a page, by width. */
const pictures = new Map<string, Buffer>();
/** The event stream of the generation. */
let stream: ServerResponse;
const server = createServer((_, response) => {
  stream = response.writeHead(200, { 'content-type': 'text/event-stream', 'x-generation-id': 'g' });
  send('queued', { at: 1 });
});
const { port } = closeAtEnd(await serve(server));
beforeAll(async () => {
  for (const [width, height] of [
    [390, 844],
    [1280, 800],
  ] as const) {
    const page = await browser.newPage({ viewport: { width, height } });
    await page.setContent(
      '<body style="font:3rem serif;background:#fdf6e9;color:#5b3214"><h1>Fresh bread</h1><p>Baked every morning',
    );
    pictures.set(String(width), await page.screenshot());
    await page.close();
  }
});

let id = 0;
const send = (type: string, data: object) =>
  stream.write(`id: ${++id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`);
const attempt = (number: number, kind: string, more = {}) =>
  send('attempt', {
    attempt: number,
    provider: 'provider-a',
    model: 'provider-a/m',
    kind,
    startedAt: 1,
    ...more,
  });
const ended = (number: number, kind: string, more = {}) =>
  attempt(number, kind, { outcome: 'succeeded', ms: 3_000, files: 1, ...more });
const look = (number: number, data: Look) => send('look', { attempt: number, ...data });
const looked = (...problems: LookProblem[]): Look => ({
  state: 'looked',
  problems,
  screenshots: {
    390: '/api/v1/generations/g/screenshot?width=390',
    1280: '/api/v1/generations/g/screenshot',
  },
});

/** Answers requests about a generation, whose pictures need the credentials of the page. */
async function recordGeneration(page: Page, more: Partial<GenerationResource>): Promise<void> {
  await page.route('**/api/v1/generate', (route) => route.continue({ url: `http://127.0.0.1:${port}/` }));
  const resource: GenerationResource = {
    id: 'g',
    status: 'succeeded',
    prompt: 'a bakery',
    model: 'auto',
    duration: 'auto',
    createdAt: Date.now() - 9_000,
    finishedAt: Date.now(),
    attempts: [],
    files: FILES,
    ...more,
  };
  const done = `id: 1\nevent: done\ndata: ${JSON.stringify({ files: FILES, model: 'm' })}\n\n`;
  await page.route('**/api/v1/generations/g', (route, request) =>
    request.headers().accept === 'text/event-stream'
      ? route.fulfill({ contentType: 'text/event-stream', headers: { 'x-generation-id': 'g' }, body: done })
      : route.fulfill({ json: resource }),
  );
  await page.route('**/api/v1/generations/g/screenshot?*', async (route, request) => {
    const width = new URL(request.url()).searchParams.get('width') ?? '1280';
    await route.fulfill({ contentType: 'image/png', body: pictures.get(width) as Buffer });
  });
}

const viewport = { width: 390, height: 844 };

describe('on a phone', () => {
  const open = async (path = '') => {
    const { page, faults } = await openConsole(browser, 'about:blank', { viewport, colorScheme: 'dark' }, '');
    await page.addInitScript(WATCH_SHIFTS);
    const check = async (state: string) => {
      await expectFits(page, state, viewport.width);
      expect([state, await page.evaluate('shifts')]).toEqual([state, []]);
    };
    const goto = () => page.goto(cloud.baseUrl + path);
    return { page, faults, check, goto };
  };

  it('shows looks while they happen, their result, and moves nothing', async () => {
    id = 0;
    const { page, check, goto } = await open();
    const attempts = [
      {
        provider: 'provider-a',
        model: 'provider-a/m',
        kind: 'write',
        startedAt: 1,
        outcome: 'succeeded',
        ms: 9,
        look: looked(ERROR, WIDE),
      },
      {
        provider: 'provider-a',
        model: 'provider-a/m',
        kind: 'repair',
        startedAt: 1,
        outcome: 'succeeded',
        ms: 9,
        dropped: true,
        reason: 'The page had more problems than before',
        look: looked(ERROR, WIDE, WIDE),
      },
    ] as const;
    await recordGeneration(page, { attempts, look: looked(ERROR, WIDE), problems: ['The style is unused'] });
    await goto();
    await generate(page, 'a bakery');
    const shows = (text: string) => turn(page, 0).locator('.looking', { hasText: text }).waitFor();
    const state = (text: string) => turn(page, 0).locator('.state b', { hasText: text }).waitFor();
    await turn(page, 0).locator('.state.queued').waitFor();
    attempt(1, 'write');
    send('plan', { files: FILES.map(({ path }) => ({ path, purpose: '' })) });
    for (const file of FILES) send('file', file);
    ended(1, 'write');
    look(1, { state: 'looking' });
    await shows('A browser opens the page…');
    await state('Looking…');
    await check('looking');
    look(1, looked(ERROR));
    await shows('Opened at 390 and 1280\u00a0px: 1\u00a0error in app.js:2');
    attempt(2, 'review');
    await state('Reviewing…');
    ended(2, 'review');
    attempt(3, 'repair');
    await shows('1\u00a0error in app.js:2, repairing');
    await state('Repairing…');
    await check('repairing');
    ended(3, 'repair');
    look(3, looked(ERROR, WIDE));
    ended(3, 'repair', { dropped: true, reason: 'The page had more problems than before' });
    await shows('1\u00a0error, sideways scrolling on a phone, so the repair was dropped');
    send('done', { files: FILES, model: 'm' });
    // On a phone, the preview takes the place of the chat.
    await preview(page).locator('body').waitFor({ state: 'attached' });
    await page.getByRole('tab', { name: 'Chat' }).click();
    await state('Done');
    expect(await widthsOf(page.locator('.seen img'), 2)).toEqual([390, 1280]);
    await check('looked');

    await turn(page, 0).locator('.attempts summary').click();
    expect(await turn(page, 0).locator('.attempts li').last().innerText()).toMatch(
      /repair: succeeded.*more problems than before\nOpened at/s,
    );
    await turn(page, 0).getByRole('button', { name: 'Enlarge a bakery' }).click();
    await page.locator('dialog .picture').last().scrollIntoViewIfNeeded();
    expect(await widthsOf(page.locator('dialog img'), 2)).toEqual([390, 1280]);
    await check('enlarged');
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });

    await turn(page, 0).getByRole('button', { name: 'Ask for a repair' }).click();
    expect(await page.getByLabel('What to change').inputValue()).toBe(
      'Repair these problems of the page:\n- app.js:2:1: Uncaught ReferenceError: start is not defined\n- The page scrolls sideways by 12 px\n- The style is unused',
    );
    await turn(page, 0).getByRole('button', { name: 'app.js:2:1' }).click();
    await page.locator('.cm-activeLine', { hasText: 'start();' }).waitFor();
    await page.context().close();
  });

  it('says why a page was not published, and publishes it anyway', async () => {
    const { page, check, goto } = await open('/#g=g');
    const deploymentError = {
      status: 400,
      error: 'Not published: app.js:2:1: Uncaught ReferenceError: start is not defined',
    };
    await recordGeneration(page, {
      look: looked(ERROR),
      deploymentError,
      problems: ['app.js:2:1: Uncaught ReferenceError: start is not defined'],
    });
    await goto();
    await page.getByRole('tab', { name: 'Chat' }).click();
    expect(await widthsOf(page.locator('.seen img'), 2)).toEqual([390, 1280]);
    await turn(page, 0).getByText('Not published', { exact: true }).waitFor();
    await turn(page, 0).getByText('1\u00a0problem', { exact: true }).waitFor();
    await check('not published');
    await turn(page, 0).getByRole('button', { name: 'Publish anyway' }).click();
    await page.getByText('The page is up to date.').waitFor();
    await page.context().close();
  });
});
