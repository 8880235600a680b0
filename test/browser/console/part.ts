import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { digest, split } from '../../../web/bundle.ts';
import { consolePage } from '../../../web/console-page.ts';
import { watchedPage } from '../open-project.ts';

/** Without its quotes, which HTML escapes. */
const hash = (text: string) => digest(text).slice(1, -1);

/** Where the part is, on the origin of the console. */
const PATH = '/part-of-the-console';

/**
 * Opens a page with the policy and the styles of the console that runs a script in place of it.
 * @param script a module in `web/console/`; `h` and `render` of Preact are in scope, `app` is where to render
 */
export async function openPart(browser: Browser, baseUrl: string, script: string, options: BrowserContextOptions = {}) {
  const page = consolePage({ isolated: false, domains: false, looks: true, providers: [] });
  const own = /<script>(.*)<\/script>\s*<\/body>/s.exec(page)?.[1] ?? '';
  const { script: main, chunks } = bundle(script);
  const watched = await watchedPage(browser, baseUrl, options);
  await watched.page.route(`${baseUrl}/console/*`, (route) => {
    const body = Buffer.from(chunks[new URL(route.request().url()).pathname.slice(1)] ?? '');
    return route.fulfill({ status: body.length > 0 ? 200 : 404, contentType: 'text/javascript', body });
  });
  await watched.page.route(`${baseUrl}${PATH}`, (route) =>
    route.fulfill({
      contentType: 'text/html; charset=utf-8',
      body: page.replace(hash(own), hash(main)).replace(own, () => main),
    }),
  );
  await watched.page.goto(baseUrl + PATH);
  return watched;
}

/** Bundles a script as the console is. */
function bundle(script: string) {
  const folder = join(import.meta.dirname, '../../../web/console/');
  const code = script.replaceAll("from './", `from '${folder}`);
  const file = join(import.meta.dirname, `../../../node_modules/.cache/part-${randomUUID()}.ts`);
  writeFileSync(file, `import { h, render } from 'preact'; const app = document.querySelector('#app');\n${code}`);
  try {
    return split(file);
  } finally {
    rmSync(file);
  }
}
