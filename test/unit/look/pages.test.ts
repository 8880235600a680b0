import { otherPages } from '../../../lambda/look/pages.ts';

const HTML = '<!doctype html><title>A</title>';
const pagesOf = (entry: string, files: Readonly<Record<string, string>>) =>
  otherPages({
    entry,
    files: new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)])),
  });

it('returns the pages that visitors open: neither fragments nor tests, and none outside of the site', () => {
  const paths = ['index.html', 'b.html', 'a/index.html', 'tests/index.html', 'partials/head.html', 'app.js'];
  const files = { ...Object.fromEntries(paths.map((path) => [path, HTML])), 'nav.html': '<nav></nav>' };
  expect(pagesOf('index.html', files)).toEqual(['a/index.html', 'b.html']);
  expect(pagesOf('a/index.html', { ...files, 'a/c.htm': '<html>' })).toEqual(['a/c.htm']);
});
