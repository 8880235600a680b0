import { resolve } from 'node:path';
import { build } from 'esbuild';
import { browser } from '../browser.ts';
import { sharedOrigin } from '../clouds.ts';
import { openPreview } from './previewed.ts';

const cloud = await sharedOrigin();

const REACT =
  "import { createRoot } from 'react-dom/client'; const root = createRoot(document.querySelector('#root'));";
const PAGES = `<p id="at">{location.pathname}</p><nav><Link to="/">Start</Link> <Link to="/about">About</Link></nav>`;

const ROUTERS: Readonly<Record<string, string>> = {
  'BrowserRouter of react-router-dom 7': `${REACT}
import { BrowserRouter, Link, Route, Routes } from 'react-router-dom';
root.render(<BrowserRouter>${PAGES}<Routes><Route path="/" element={<h1>Start</h1>} /><Route path="/about" element={<h1>About</h1>} /></Routes></BrowserRouter>);`,
  'createBrowserRouter of react-router-dom 6': `${REACT}
import { createBrowserRouter, Link, Outlet, RouterProvider } from 'react-router-dom6';
const Shell = () => <div>${PAGES}<Outlet /></div>;
const children = [{ index: true, element: <h1>Start</h1> }, { path: 'about', element: <h1>About</h1> }];
root.render(<RouterProvider router={createBrowserRouter([{ path: '/', element: <Shell />, children }])} />);`,
};

/** Returns a page with the bundle of a script. */
async function site(script: string, more = '') {
  const { outputFiles } = await build({
    stdin: { contents: script, loader: 'tsx', resolveDir: resolve('test/fixtures/packages') },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  return {
    'index.html': `<!doctype html><title>App</title><div id="root"></div>${more}<script type="module" src="/assets/a.js"></script>`,
    'assets/a.js': outputFiles[0]?.text ?? '',
  };
}

it.each(Object.keys(ROUTERS))(
  'follows the routes of %s, back again, and in the next version',
  async (name) => {
    const previewed = await openPreview(browser, cloud.baseUrl, await site(ROUTERS[name] ?? ''));
    const { page, show, faults, problems } = previewed;
    const frame = page.frameLocator('.preview iframe:not(.preview-next)');
    await frame.getByRole('heading', { name: 'Start' }).waitFor();
    await frame.getByRole('link', { name: 'About' }).click();
    await frame.getByRole('heading', { name: 'About' }).waitFor();
    await frame.getByRole('link', { name: 'Start' }).click();
    await frame.getByRole('heading', { name: 'Start' }).waitFor();
    await (await previewed.frame()).evaluate('history.back()');
    await frame.getByRole('heading', { name: 'About' }).waitFor();
    await show(await site(ROUTERS[name] ?? '', '<i>second</i>'));
    await frame.getByText('second').waitFor();
    await frame.getByRole('heading', { name: 'About' }).waitFor();
    expect(await frame.locator('#at').innerText()).toBe('/about');
    expect([faults, await problems()]).toEqual([[], []]);
    await page.context().close();
  },
);
