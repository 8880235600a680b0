import { PreviewSite } from '../../../../web/console/preview/frame/preview-site.ts';
import { located, replaceCssUrls, rewriteScript, stay } from '../../../../web/console/preview/frame/scripts.ts';
import { readFrameMessage } from '../../../../web/console/preview/messages.ts';
import { testRows } from '../../../support/rows.ts';

const ORIGIN = 'https://service.example';

describe('a project in a preview', () => {
  const project = new PreviewSite(
    new Map(
      ['dist/index.html', 'dist/about.html', 'dist/docs/index.html', 'dist/é.js', 'README.md'].map((path) => [
        path,
        '',
      ]),
    ),
    ORIGIN,
  );

  testRows([
    ['/', 'dist/index.html'],
    ['/about', 'dist/about.html'],
    ['/about.html?x#y', 'dist/about.html'],
    ['/docs', 'dist/docs/index.html'],
    ['/docs/', 'dist/docs/index.html'],
    ['/%C3%A9.js', 'dist/é.js'],
    ['/%', undefined],
    ['/README.md', undefined],
    ['/../README.md', undefined],
  ])('has the files of the project at their paths', (path, file) =>
    expect(project.fileAt(new URL(path, ORIGIN))).toBe(file),
  );

  it('shows its entry in place of a missing page, as the service does', () => {
    expect(project.pageAt(new URL('/gone', ORIGIN))).toBe('dist/index.html');
    const withFallback = new PreviewSite(
      new Map([
        ['index.html', ''],
        ['404.html', ''],
      ]),
      ORIGIN,
    );
    expect(withFallback.pageAt(new URL('/gone', ORIGIN))).toBe('404.html');
  });

  testRows([
    ['a.js', '/docs/a.js'],
    ['/a.js', '/a.js'],
    ['https://service.example/a.js', '/a.js'],
    ['//cdn.example/a.js', undefined],
    ['data:,x', undefined],
    ['#top', undefined],
    ['', undefined],
  ])('resolves references to files', (reference, path) =>
    expect(project.localUrl(reference, `${ORIGIN}/docs/x.html`)?.pathname).toBe(path),
  );
});

describe('a script in a preview', () => {
  const resolve = (specifier: string) =>
    specifier.startsWith('.') ? new URL(specifier, `${ORIGIN}/js/a.js`).href : undefined;
  testRows([
    [`import { a } from './b.js';`, `import { a } from '${ORIGIN}/js/b.js';`],
    [`export * from "../c.js"`, `export * from "${ORIGIN}/c.js"`],
    [`import 'bare'`, `import 'bare'`],
    [`await import('./b.js')`, `await import("${ORIGIN}/js/b.js")`],
    ['import(name + ".js")', `import(__preview.resolve(name + ".js","${ORIGIN}/js/a.js"))`],
    ['new URL("x", import.meta.url)', `new URL("x", "${ORIGIN}/js/a.js")`],
    [`// import './b.js'\n"import './b.js'"`, `// import './b.js'\n"import './b.js'"`],
    ['const x = { import(a) { return a; } };', 'const x = { import(a) { return a; } };'],
    ['not { a module', 'not { a module'],
  ])('imports the files of the project', (code, rewritten) =>
    expect(rewriteScript(code, `${ORIGIN}/js/a.js`, resolve)).toBe(rewritten),
  );

  testRows([
    ['location.href = "a"', '__preview.location.href = "a"'],
    ['window.location = url', '__preview.location = url'],
    ['window.location.assign(url)', '__preview.location.assign(url)'],
    ['location.reload()', '__preview.location.reload()'],
    ['location = "a"', '__preview.location = "a"'],
    ['if (location.href === "a") {}', 'if (location.href === "a") {}'],
    ['location.hash = "a"', 'location.hash = "a"'],
    ['const location = "Berlin"', 'const location = "Berlin"'],
    ['shop.location = "Berlin"', 'shop.location = "Berlin"'],
    ['shop.location.replace(a)', 'shop.location.replace(a)'],
  ])('stays on the page', (code, rewritten) => expect(stay(code)).toBe(rewritten));

  const at = (value: string) => `(self.__preview?.at??Object)(${value})`;
  testRows([
    ['if (location.href === "a") {}', `if (${at('location')}.href === "a") {}`],
    ['useState(() => window.location.pathname)', `useState(() => ${at('window.location')}.pathname)`],
    ['let{pathname:a,search:b}=e.location;', `let{pathname:a,search:b}=${at('e.location')};`],
    ['let{pathname:a}=n||e.location,b', `let{pathname:a}=n||${at('e.location')},b`],
    ['({ pathname } = document.location)', `({ pathname } = ${at('document.location')})`],
    ['location.href = "a"', 'location.href = "a"'],
    ['state.history.location.pathname', 'state.history.location.pathname'],
    ['let{a}=e.location.state', 'let{a}=e.location.state'],
    ['x = e.location', 'x = e.location'],
    ['location.hash', 'location.hash'],
  ])('reads its path in the preview', (code, rewritten) => expect(located(code)).toBe(rewritten));
});

it('replaces the URLs of a style sheet', () => {
  const css = '@import "a.css"; a { background: url(b.png), url("c.png") } /* url(d.png) */';
  expect(replaceCssUrls(css, (url) => (url === 'c.png' ? undefined : `<${url}>`))).toBe(
    '@import "<a.css>"; a { background: url(<b.png>), url("c.png") } /* url(d.png) */',
  );
});

describe('a message of a frame', () => {
  testRows([
    null,
    'ready',
    { type: 'other' },
    { type: 'open', url: 'https://example.com/' },
    { type: 'open', url: 'javascript:alert(1)' },
    { type: 'open', url: '/relative' },
    { type: 'moved', url: 'https://example.com/' },
    { type: 'problem', message: { length: 1 } },
    { type: 'stored', local: [['a']], session: [] },
    { type: 'data', data: { messages: [] } },
    { type: 'data', data: 'x'.repeat(6_000_001) },
    { type: 'stored', local: 'ab', session: [] },
    { type: 'stored', local: [['a', 'x'.repeat(6_000_001)]], session: [] },
  ])('is ignored if it is forged', (message) => expect(readFrameMessage(message, ORIGIN)).toBe(undefined));

  it('has no more than it should', () => {
    expect(readFrameMessage({ type: 'data', data: '[]', more: 1 }, ORIGIN)).toEqual({
      type: 'data',
      data: '[]',
    });
    const open = { type: 'open', url: `${ORIGIN}/a?b#c`, more: 1 };
    expect(readFrameMessage(open, ORIGIN)).toEqual({ type: 'open', url: '/a?b#c' });
    expect(readFrameMessage({ type: 'problem', message: 'x'.repeat(2_000) }, ORIGIN)).toMatchObject({
      message: 'x'.repeat(1_000),
    });
  });
});
