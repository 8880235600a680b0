import { entryOf, siteTitle } from '../../../lambda/deployments/entry.ts';
import { titleOf } from '../../../lambda/deployments/title.ts';

describe('the entry', () => {
  it.each([
    [['index.html'], 'index.html'],
    [['about.html', 'index.html', 'docs/index.html'], 'index.html'],
    [['dist/index.html', 'src/app/index.html', 'README.md'], 'dist/index.html'],
    [['b/index.html', 'a/index.html'], 'a/index.html'],
    [['home.html', 'app/index.html'], 'app/index.html'],
    [['page.html', 'style.css'], 'page.html'],
    [['z.html', 'a/b.html', 'y.html'], 'y.html'],
    [['INDEX.HTML', 'a.html'], 'INDEX.HTML'],
    [['legacy/index.htm', 'legacy/a.htm'], 'legacy/index.htm'],
    [['my-index.html', 'a/index.html'], 'a/index.html'],
    [['main.py', 'README.md'], ''],
    [['index.html.txt', 'html'], ''],
  ])('of %j is %j', (paths, entry) => {
    expect(entryOf(paths)).toBe(entry);
    expect(entryOf(paths.toReversed())).toBe(entry);
  });
});

describe('the title of a page', () => {
  it.each([
    ['<title>Plain</title>', 'Plain'],
    ['<!doctype html><html><head><title>In a head</title><title>Second</title>', 'In a head'],
    ['<title>\n  Folded\t white   space\n</title>', 'Folded white space'],
    ['<title>Tom &amp; Jerry &lt;3 &#8211; caf&eacute;</title>', 'Tom & Jerry <3 – café'],
    ['<TITLE lang="en">Upper case</TITLE>', 'Upper case'],
    ['<!-- <title>comment</title> --><title>Real</title>', 'Real'],
    ['<script>document.write("<title>script</title>")</script><title>Real</title>', 'Real'],
    ['<svg><title>Drawing</title></svg><title>Page</title>', 'Page'],
    ['<svg><title>Drawing</title></svg>', undefined],
    ['<title>a <b>tag</b> is text</title>', 'a <b>tag</b> is text'],
    ['<title></title>', undefined],
    ['<title>  </title>', undefined],
    ['<h1>none</h1>', undefined],
    ['<title>cut off', 'cut off'],
    ['', undefined],
  ])('%s', (html, title) => expect(titleOf(html)).toBe(title));
});

it('the title of a site is its entry’s, else the first one by path, else null', () => {
  const page = (path: string, html: string) => ({ path, bytes: Buffer.from(html) });
  const about = page('about.html', '<title>About</title>');
  const index = page('index.html', '<title>Home</title>');
  expect(siteTitle([about, index], 'index.html')).toBe('Home');
  expect(
    siteTitle([page('z.html', '<title>Z</title>'), about, page('index.html', '<p>')], 'index.html'),
  ).toBe('About');
  expect(siteTitle([page('index.html', '<p>')], 'index.html')).toBeNull();
  expect(siteTitle([page('a.txt', '<title>Text</title>')], '')).toBeNull();
});
