import { join } from 'node:path';
import { build } from 'esbuild';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { digest } from '../../../web/bundle.ts';
import { consolePage } from '../../../web/console-page.ts';
import { startSiteCloud } from '../../support/site-cloud.ts';
import { watchedPage } from '../open-project.ts';

export const startCloud = startSiteCloud;

/** Without its quotes, which HTML escapes. */
const hash = (text: string) => digest(text).slice(1, -1);

/** Where the part is, on the origin of the console. */
const PATH = '/part-of-the-console';

/**
 * Opens a page with the policy and the styles of the console that runs a script in place of it.
 * @param script a module in `web/console/`; `h` and `render` of Preact are in scope, `app` is where to render
 */
export async function openPart(
  browser: Browser,
  baseUrl: string,
  script: string,
  options: BrowserContextOptions = {},
) {
  const page = consolePage({ isolated: false, providers: [] });
  const own = /<script>(.*)<\/script>\s*<\/body>/s.exec(page)?.[1] ?? '';
  const { main, chunks } = await bundle(script);
  const watched = await watchedPage(browser, baseUrl, options);
  await watched.page.route(`${baseUrl}/console/*`, (route) => {
    const body = chunks[new URL(route.request().url()).pathname];
    return route.fulfill({ status: body ? 200 : 404, contentType: 'text/javascript', body: body ?? '' });
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

async function bundle(script: string) {
  const contents = `import { h, render } from 'preact'; const app = document.querySelector('#app');\n${script}`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: join(import.meta.dirname, '../../../web/console'), loader: 'ts' },
    bundle: true,
    write: false,
    format: 'esm',
    splitting: true,
    outdir: '/',
    entryNames: 'main',
    chunkNames: 'console/[name]-[hash]',
    publicPath: '/',
    logLevel: 'error',
  });
  const main = outputFiles.find(({ path }) => path.endsWith('/main.js'))?.text ?? '';
  const chunks = outputFiles.map(({ path, text }) => [path.slice(path.lastIndexOf('/console/')), text]);
  return {
    main: `(()=>{${main.replaceAll('</script', '<\\/script')}})()`,
    chunks: Object.fromEntries(chunks) as Readonly<Record<string, string>>,
  };
}
