import fc from 'fast-check';
import { titleOf } from '../../../lambda/sites/start-page.ts';
import { buildWarning, scriptWarning } from '../../../lambda/sites/unbuilt-page.ts';
import { linearTime, repeated } from '../../support/linear-time.ts';
import { testRows } from '../../support/rows.ts';

const PAGES: readonly (readonly [html: string, title: string | undefined])[] = [
  ['<title>Plain</title>', 'Plain'],
  ['\ufeff<!doctype html><title>Marked</title>', 'Marked'],
  ['<div title="Attribute"><title>Element</title></div>', 'Element'],
  ['<TITLE LANG="en" data-a="a>b">Upper case</TiTlE>', 'Upper case'],
  ['<title/>Closes nothing</title>', 'Closes nothing'],
  // The content is text: references are decoded, tags are not parsed.
  ['<title>&copy 2026 &amp &notit; &unknown; AT&T</title>', '© 2026 & ¬it; &unknown; AT&T'],
  ['<title>Cut off</titl', 'Cut off</titl'],
  // In comments, scripts and other elements without markup.
  ['<!-- --!> <title>Page</title>', 'Page'],
  ['<style>/* <title>Style</title> */</style><title>Page</title>', 'Page'],
  ['<iframe><title>Frame</title></iframe><title>Page</title>', 'Page'],
  ['<plaintext><title>Text</title>', undefined],
  // In templates.
  // In SVG and MathML.
  ['<svg><title>Drawing</title></svg><title>Page</title>', 'Page'],
  ['<svg><title/><path d=""/></svg><title>Page</title>', 'Page'],
  ['<svg><svg></svg><title>Drawing</title></svg><title>Page</title>', 'Page'],
  ['<svg><desc><p>About</p></desc><title>Drawing</title></svg><title>Page</title>', 'Page'],
  ['<svg><foreignObject><p>HTML</p></foreignObject><title>Drawing</title></svg><title>Page</title>', 'Page'],
  ['<math><title>Formula</title></math><title>Page</title>', 'Page'],
];

testRows(PAGES)('reads the title of a page', (html, title) => expect(titleOf(html)).toBe(title));

it('collapses all white space of Unicode', () => {
  expect(titleOf('<title>&nbsp;A&nbsp;&nbsp;name\u3000\u2003here&nbsp;</title>')).toBe('A name here');
});

it('keeps 300 characters without splitting one', () => {
  expect(titleOf(`<title>${'a'.repeat(300)}</title>`)).toBe('a'.repeat(300));
  expect(titleOf(`<title>${'🍅'.repeat(301)}</title>`)).toBe('🍅'.repeat(300));
  expect(titleOf(`<title>${'a'.repeat(299)} b</title>`)).toBe('a'.repeat(299));
});

it('finds any text in a title element', () => {
  const encode = (text: string) => text.replace(/[&<]/g, (found) => `&#${found.charCodeAt(0)};`);
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), (text) => {
      const folded = text.replace(/\s+/g, ' ').trim();
      expect(titleOf(`<p><title>${encode(text)}</title>`)).toBe(folded || undefined);
    }),
  );
});

const inLinearTime = linearTime(() => titleOf(`${repeated('<p>Some text</p>\n')}<title`));

testRows([
  '<title>',
  '<svg>',
  '<b>',
  '</b>',
  '<template>',
  '<svg><desc>',
  '<svg></math>',
  '&',
  '<!--',
  '<![CDATA[',
  '<a b="',
  '</titl',
  '<title>&',
  ' ',
])('reads hostile pages in linear time', (part) => {
  inLinearTime(() => titleOf(`${repeated(part)}<title`));
});

const warn = (files: Record<string, string | Uint8Array>, entry: string, warning = buildWarning) =>
  warning(
    Object.entries(files).map(([path, content]) => ({ path, content })),
    entry,
  );
const OTHERS = Object.fromEntries(
  ['assets/index-BkC3x9aZ.js', 'src/main.ts', 'app.jsx', 'b.ts.js', 'a.js'].map((path) => [path, '']),
);
const page = (html: string) => warn({ ...OTHERS, 'index.html': html, 'package.json': '{}' }, 'index.html');

describe('a page that loads a source', () => {
  testRows([
    // The start pages of Vite's templates.
    ['<div id="root"></div><script type="module" src="/src/main.tsx"></script>', 'tsx'],
    ["<SCRIPT SRC='src/App.vue?x' TYPE=Module></SCRIPT>", 'vue'],
    ['<script type=module src=./App.svelte#a></script>', 'svelte'],
  ])('says that visitors see an empty page', (html, extension) => {
    expect(page(html)).toBe(
      `Visitors see an empty page, because the start page loads a .${extension} module, which browsers do not run: run the project's build and deploy its output folder, such as dist`,
    );
  });

  it('in bytes of any encoding', () => {
    const html = '<script type="module" src="/src/main.tsx"></script>';
    expect(warn({ 'index.html': Buffer.from(`\ufeff${html}`, 'utf16le') }, 'index.html')).toContain('.tsx');
  });
});

testRows([
  '<script type="module" src="/assets/index-BkC3x9aZ.js"></script>',
  '<script src="/src/main.ts"></script>',
  '<script type="module" src="https://esm.sh/a/b.ts"></script>',
  '<script type="module" src="//cdn.example.com/b.ts"></script>',
  '<!-- <script type="module" src="/src/main.tsx"></script> -->',
  '<a type="module" src="/src/main.tsx" href="/src/main.tsx">',
  '<script src="/a.js?v=1"></script><script src="./a.js"></script><script src=".data/client.js"></script>',
  '<base href="https://example.com/"><script src="b.js"></script>',
  // Templates that scripts fill in, and code that is shown.
  '<script type="text/x-handlebars">{{#each trees}}{{/each}}<%= a %></script><template>{{#if a}}</template>',
  '<pre>{% for a in b %}</pre><p>Write <code>&lt;?php</code> or <code>{{> part}}</code></p>',
])('does not warn about other pages', (html) => {
  expect(page(html)).toBeUndefined();
  expect(warn({ ...OTHERS, 'index.html': html }, 'index.html', scriptWarning)).toBeUndefined();
});

describe('a page that is not finished', () => {
  testRows([
    ['<script src="/bundle.js"></script>', 'bundle.js'],
    ['<script src="a.js"></script><script src="dist/b.js?v=2"></script><script src="c.js"></script>', 'dist/b.js'],
  ])('names the first script that is in no file', (html, path) => {
    // The host may have it, so it is no reason to ask before a deploy.
    expect(page(html)).toBeUndefined();
    expect(warn({ ...OTHERS, 'index.html': html }, 'index.html', scriptWarning)).toBe(
      `The start page loads ${path}, which is in no file: if a build makes it, run the project's build and deploy its output folder, such as dist`,
    );
    const inFolder = {
      'public/index.html': html,
      [`public/${path}`]: '',
      'public/a.js': '',
      'public/c.js': '',
    };
    expect(warn(inFolder, 'public/index.html', scriptWarning)).toBeUndefined();
  });

  testRows([
    ['{% extends "base.html" %}{% block content %}<p>{{ title }}</p>{% endblock %}', 'Jinja'],
    [`<link rel="stylesheet" href="{{ url_for('static', filename='a.css') }}">`, 'Jinja'],
    ['<body><?php include "header.php"; ?><p>pear</p>', 'PHP'],
    ['<p><?= $title ?></p>', 'PHP'],
    ['<ul>{{#each trees}}<li>{{this}}</li>{{/each}}</ul>', 'Handlebars'],
    ['<h1><%= title %></h1>', 'EJS'],
    ['<title>{{ .Title }}</title>', 'Go'],
    ['<link rel="icon" href="%PUBLIC_URL%/favicon.ico">', 'Create React App'],
  ])('names the language of its placeholders', (html, language) => {
    const warning = page(html) ?? '';
    const start = `Visitors see the placeholders in index.html, which is a template of ${language}`;
    expect(warning.slice(0, start.length)).toBe(start);
    expect(warning).toMatch(/: deploy the pages that are made of it$/);
  });
});

it('warns about a page that a server would make', () => {
  expect(warn({ 'index.php': '', 'style.css': '' }, '')).toBe(
    'Visitors see a list of files, because index.php needs a server that makes a page of it: deploy HTML pages',
  );
});

it('warns about a package without a page', () => {
  const expected =
    "Visitors see a list of files, because there is a package.json but no HTML page: run the project's build and deploy its output folder, such as dist";
  expect(warn({ 'package.json': '{}', 'src/main.ts': '' }, '')).toBe(expected);
  expect(warn({ 'app/package.json': '{}' }, '')).toBe(expected);
  expect(warn({ 'main.py': '', 'my-package.json': '' }, '')).toBeUndefined();
});

it('takes time in proportion to the page', () => {
  const inLinearTime = linearTime(() => page(repeated('<p class="a">Some text</p>\n')));
  inLinearTime(() => page(repeated('<script type="module" src=".tsx')));
  inLinearTime(() => page(repeated('<pre>{% a {{# <% ')));
});
