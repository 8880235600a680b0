import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { ProjectFile } from '../../blueprints/engine/compose.ts';
import { TrialData } from '../../lambda/sites/data/trial.ts';
import { serve } from '../support/serve.ts';

export { launch } from '../../evaluate/visit.ts';

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  svg: 'image/svg+xml',
  md: 'text/markdown; charset=utf-8',
};
const BASE = '/d/abc123/';
// Strict, because projects must not need inline scripts or styles, which many sites forbid.
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src 'self' blob:; connect-src 'self'; manifest-src 'self'";

export interface OpenProject extends AsyncDisposable {
  readonly page: Page;
  /** Console errors, uncaught errors, failed requests, and requests outside the project, so far. */
  readonly faults: readonly string[];
}

/** Serves a project under a sub-path, like a deployment, with its data in memory, and opens it in a new page. */
export async function openProject(
  browser: Browser,
  files: readonly ProjectFile[],
  options: BrowserContextOptions = {},
): Promise<OpenProject> {
  const contents = new Map(files.map(({ path, content }) => [BASE + path, content]));
  const data = TrialData.of(contents.get(`${BASE}_data.json`), Date.now);
  const server = createServer(async (request, response) => {
    const answer = data && (await dataResponse(request, data));
    if (answer) return response.writeHead(answer.status, answer.headers).end(answer.body);
    const path = request.url === BASE ? `${BASE}index.html` : (request.url ?? '');
    const content = contents.get(path);
    const type = TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
    response.writeHead(content === undefined ? 404 : 200, {
      'content-type': type,
      'content-security-policy': POLICY,
    });
    response.end(content);
  });
  const served = await serve(server);
  const url = served.url + BASE;

  const { page, faults } = await watchedPage(browser, url, options);
  await page.goto(url);

  return {
    page,
    faults,
    async [Symbol.asyncDispose]() {
      await page.context().close();
      await served.close();
    },
  };
}

async function dataResponse(request: IncomingMessage, data: TrialData) {
  const origin = `http://${request.headers.host}`;
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const { method = 'GET', url = '/' } = request;
  return data.respond(new URL(url, origin), { method, headers, body: await buffer(request) }, { origin, base: BASE });
}

/** Opens an empty page that records faults. A request outside `url` is one. */
export async function watchedPage(browser: Browser, url: string, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
    ...options,
  });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('console', (message) => message.type() === 'error' && faults.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => faults.push(`uncaught: ${error.message}`));
  page.on('request', (request) => {
    const inside = request.url().startsWith(url) || /^(?:data|blob):/.test(request.url());
    if (!inside) faults.push(`request outside the project: ${request.url()}`);
  });
  page.on('response', (response) => response.status() >= 400 && faults.push(`${response.status()}: ${response.url()}`));
  return { page, faults: faults as readonly string[] };
}
