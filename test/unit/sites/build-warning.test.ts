import { buildWarning } from '../../../lambda/sites/start-page.ts';
import { testRows } from '../../support/rows.ts';

const warn = (files: Record<string, string | Uint8Array>, entry: string) =>
  buildWarning(
    Object.entries(files).map(([path, content]) => ({ path, content })),
    entry,
  );
const page = (html: string) => warn({ 'index.html': html, 'package.json': '{}' }, 'index.html');

describe('a page that loads a source', () => {
  testRows([
    // The start pages of Vite's templates.
    ['<div id="root"></div><script type="module" src="/src/main.tsx"></script>', 'tsx'],
    ['<script type="module" src="/src/main.jsx"></script>', 'jsx'],
    ['<script type="module" src="/src/main.ts"></script>', 'ts'],
    ["<SCRIPT SRC='src/App.vue?x' TYPE=Module></SCRIPT>", 'vue'],
    ['<script type=module src=./App.svelte#a></script>', 'svelte'],
    ['<script type=module src=/a.js></script><script type=module src=/b.TS></script>', 'ts'],
  ])('says that visitors see an empty page', (html, extension) => {
    expect(page(html)).toBe(
      `Visitors see an empty page, because the start page loads a .${extension} module, which browsers do not run: run the project's build and deploy its output folder, such as dist`,
    );
  });

  it('in bytes of any encoding', () => {
    const html = '<script type="module" src="/src/main.tsx">';
    expect(warn({ 'index.html': Buffer.from(`\ufeff${html}`, 'utf16le') }, 'index.html')).toContain('.tsx');
  });
});

testRows([
  '<script type="module" src="/assets/index-BkC3x9aZ.js"></script>',
  '<script src="/src/main.ts"></script>',
  '<script type="text/babel" src="/app.jsx"></script>',
  '<script type="module" src="https://esm.sh/a/b.ts"></script>',
  '<script type="module" src="//cdn.example.com/b.ts"></script>',
  '<script type="module" src="/b.ts.js"></script>',
  '<!-- <script type="module" src="/src/main.tsx"></script> -->',
  '<a type="module" src="/src/main.tsx" href="/src/main.tsx">',
  '<p>Edit src/main.tsx</p>',
  '',
])('does not warn about other pages', (html) => expect(page(html)).toBeUndefined());

it('warns about a package without a page', () => {
  const expected =
    "Visitors see a list of files, because there is a package.json but no HTML page: run the project's build and deploy its output folder, such as dist";
  expect(warn({ 'package.json': '{}', 'src/main.ts': '' }, '')).toBe(expected);
  expect(warn({ 'app/package.json': '{}' }, '')).toBe(expected);
  expect(warn({ 'main.py': '', 'my-package.json': '' }, '')).toBeUndefined();
});

it('takes time in proportion to the page', () => {
  const milliseconds = (length: number) => {
    const html = '<script type="module" src=".tsx'.repeat(length);
    const start = performance.now();
    page(html);
    return performance.now() - start;
  };
  milliseconds(1_000);
  expect(milliseconds(16_000)).toBeLessThan(64 * Math.max(milliseconds(1_000), 1));
});
