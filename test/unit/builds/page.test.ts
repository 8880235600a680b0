import { buildTexts, givenPackages, type Texts } from '../../support/build-project.ts';
import { runScripts } from '../../support/run-scripts.ts';

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"></svg>';
const MAIN = { 'src/main.ts': 'globalThis.log("main")' };

async function page(texts: Texts, path = 'index.html'): Promise<string> {
  const { files } = await buildTexts({ ...MAIN, ...texts });
  return Buffer.from(files.get(path) ?? '')
    .toString()
    .replace(/-[0-9a-f]{16}\./g, '-HASH.');
}

describe('pages of builds', () => {
  it('keeps everything but scripts, style sheets and references byte for byte', async () => {
    const html = `<!DOCTYPE html>\r\n<html><HEAD>\n<title>a &amp; b</title><!-- <script type="module" src="/src/x.ts"> -->
<link rel=stylesheet href=/src/a.css><link rel="icon" href='/icon.svg'><link rel="stylesheet" href="https://host.test/a.css">
<meta property="og:image" content="/src/og.svg?v=1&amp;w=2"></HEAD>
<body  class=x><img srcset="/src/og.svg 1x, /icon.svg 2x"><a href="/about">a</a><a href="#x">x</a>
<script type="module" src="/src/main.ts"></script><script>var classic = "<b>"</script></body>`;
    const texts = {
      'index.html': html,
      'src/a.css': 'a { color: red }',
      'src/og.svg': SVG,
      'public/icon.svg': SVG,
    };
    expect(
      await page(texts),
    ).toBe(`<!DOCTYPE html>\r\n<html><HEAD>\n<title>a &amp; b</title><!-- <script type="module" src="/src/x.ts"> -->
<link rel="icon" href='/icon.svg'><link rel="stylesheet" href="https://host.test/a.css">
<meta property="og:image" content="/assets/og-HASH.svg?v=1&amp;w=2"><link rel="stylesheet" crossorigin href="/assets/index-HASH.css">
</HEAD>
<body  class=x><img srcset="/assets/og-HASH.svg 1x, /icon.svg 2x"><a href="/about">a</a><a href="#x">x</a>
<script type="module" crossorigin src="/assets/index-HASH.js"></script><script>var classic = "<b>"</script></body>`);
  });

  it('runs inline and several module scripts in their order, with the chunks that pages share', async () => {
    const script = (...paths: string[]) =>
      paths.map((path) => `<script type="module" src="${path}"></script>`).join('');
    const texts = {
      'index.html': `${script('/src/main.ts')}<script type="module">import { b } from './src/b'; log('inline', b)</script>${script('src/last.ts')}`,
      'admin/index.html': script('../src/admin.ts'),
      'src/admin.ts': 'import { b } from "./b"; log("admin", b)',
      'src/main.ts': 'log("main")',
      'src/b.ts': 'export const b: number = 2',
      'src/last.ts': 'import { b } from "./b"; log("last", b)',
    };
    const { files } = await buildTexts(texts);
    expect(await runScripts(files)).toEqual([['main'], ['inline', 2], ['last', 2]]);
    expect(await runScripts(files, 'admin/index.html')).toEqual([['admin', 2]]);
  });

  it('keeps the reference to a style sheet that is missing, and names it', async () => {
    const html = '<link rel="stylesheet" href="/index.css"><script type="module" src="/src/main.ts"></script>';
    const { files, report } = await buildTexts({ ...MAIN, 'index.html': html });
    expect(report.warnings).toEqual(['index.html:1:1: There is no file index.css']);
    expect(Buffer.from(files.get('index.html') ?? '').toString()).toContain('href="/index.css"');
  });

  it('publishes public files, and redirects of client routers unless there are some', async () => {
    const packages = givenPackages({
      'wouter/package.json': '{ "name": "wouter", "version": "3.0.0" }',
      'wouter/index.js': 'export const Router = 1',
    });
    const texts = {
      'index.html': '<script type="module" src="a.ts"></script>',
      'a.ts': 'import { Router } from "wouter"; log(Router)',
    };
    const redirectsOf = async (added: Texts) => {
      const { files } = await buildTexts({ ...texts, ...added }, { packages });
      return [files.has('robots.txt'), Buffer.from(files.get('_redirects') ?? '').toString()];
    };
    expect(await redirectsOf({ 'public/robots.txt': '' })).toEqual([true, '/* /index.html 200\n']);
    expect(await redirectsOf({ 'public/_redirects': '/a /b' })).toEqual([false, '/a /b']);
    expect(await redirectsOf({ _redirects: '/c /d' })).toEqual([false, '/c /d']);
  });

  it('keeps pages in other encodings', async () => {
    const html = Buffer.from(
      '<meta charset="iso-8859-1"><p>\xe9</p><script type="module" src="src/main.ts"></script>',
      'latin1',
    );
    const { files } = await buildTexts(MAIN, { bytes: { 'index.html': html } });
    expect(Buffer.from(files.get('index.html') ?? '').toString('latin1')).toContain(
      '<p>\xe9</p><script type="module" crossorigin',
    );
  });
});
