import { readProjectConfig } from '../../../../lambda/builds/config/project-config.ts';
import { Resolver } from '../../../../lambda/builds/resolver.ts';
import { cssModule } from '../../../../lambda/builds/styles/lightning.ts';
import { packagesOfStyles } from '../../../../lambda/builds/styles/urls.ts';
import { buildStyles, filesOf, treeOf } from '../../../support/builds/build-styles.ts';
import { testRows } from '../../../support/rows.ts';

testRows<[Record<string, string>, string]>([
  [{ 'src/index.css': '.a { &:hover { color: red } .b & { inset: 0 } }' }, '.a:hover{color:red}.b .a{inset:0}'],
  [
    {
      'src/index.css': '@charset "utf-8"; @import "./b.css" layer(x) supports(display: grid) screen; a { color: red }',
      'src/b.css': '@import url(c.css) print; b { color: red }',
      'src/c.css': 'c { color: red }',
    },
    '@media screen{@layer x{@supports (display:grid){@media print{c{color:red}}b{color:red}}}}a{color:red}',
  ],
  [
    {
      'src/index.css': '@import "./b.css"; a { color: red }',
      'src/b.css': '@import "./index.css"; @import "./b.css"; b { inset: 0 }',
    },
    'b{inset:0}a{color:red}',
  ],
  [
    {
      'src/index.css': 'a { color: red } @import "./b.css";',
      'src/b.css': "@import url('https://fonts.example/css2?family=A;B') screen;",
    },
    '@import "https://fonts.example/css2?family=A;B" screen;a{color:red}',
  ],
  [
    {
      'tsconfig.json': '{"compilerOptions":{"paths":{"@/*":["./src/*"]}}}',
      'src/index.css': '@import "@/b.css"; @import "/src/c.css"; @import "d/e.css";',
      'src/b.css': 'b { inset: 0 }',
      'src/c.css': 'c { inset: 1px }',
      'src/d/e.css': 'd { inset: 2px }',
    },
    'b{inset:0}c{inset:1px}d{inset:2px}',
  ],
  [
    {
      'src/index.css':
        '@import "./d/b.css"; a { background: url( "./a b.png" ) } i { background: image-set("a b.png" 1x) }',
      'src/d/b.css': 'b { src: url(../a%20b.png?#iefix) url(/logo.svg#x) url(data:,x) url(https://x/y.png) url(#id) }',
      'src/a b.png': '',
      'public/logo.svg': '',
    },
    'b{src:url("a b-hash.png?#iefix") url(../logo.svg#x) url(data:,x) url(https://x/y.png) url(#id)}a{background:url("a b-hash.png")}i{background:-webkit-image-set(url("a b-hash.png") 1x);background:image-set("a b-hash.png" 1x)}',
  ],
  [
    { 'src/index.css': '@import "@fontsource/inter"; a { inset: 0 }' },
    '@font-face{font-family:Inter;src:url(inter-hash.woff2)}a{inset:0}',
  ],
])('builds style sheets', async (files, expected) => {
  const packages = treeOf({
    'node_modules/@fontsource/inter/package.json': '{}',
    'node_modules/@fontsource/inter/index.css': '@font-face { font-family: Inter; src: url(./files/inter.woff2) }',
    'node_modules/@fontsource/inter/files/inter.woff2': '',
  });
  expect(await buildStyles(files, { packages })).toEqual({ css: expected, problems: [], warnings: [] });
});

it('keeps the order of sheets, and warns of files that url() does not find', async () => {
  const files = {
    'b.css': 'b { inset: 0 }',
    'a.css': 'a { background: url(no.png) }\na { src: url(no.png) }',
  };
  const { css, warnings } = await buildStyles(files, { paths: ['b.css', 'a.css'] });
  expect(css).toBe('b{inset:0}a{src:url(no.png);background:url(no.png)}');
  expect(warnings).toEqual(['a.css:1 no.png is in no file']);
});

it('names the packages that style sheets import', () => {
  const project = filesOf({
    'package.json': '{ "dependencies": { "declared": "1" } }',
    'src/b.css': '@import "@fontsource/inter/500.css"; @import "tw-animate-css";',
  });
  const css =
    '@import "./b.css"; @import "tailwindcss" source(none); @import "normalize.css"; @import "https://x/y.css"; a { background: url(declared/a.png), url(missing/b.png) }';
  const config = readProjectConfig(project);
  const resolver = new Resolver(project, config);
  const sheets = new Map([['src/a.css', { path: 'src/a.css', css }]]);
  const names = packagesOfStyles({ project, config, resolver, sheets });
  expect([...names]).toEqual(['normalize.css', 'declared', '@fontsource/inter']);
});

describe('CSS modules', () => {
  it('makes class names unique and exports them', () => {
    const { css, code } = cssModule(
      'src/a.module.css',
      '.title { composes: base from "./b.module.css"; color: red } .default { inset: 0 } .a-b :global(.c) { animation: k 1s } @keyframes k { to { inset: 0 } }',
    );
    expect(css).toMatch(/\._title_(\w+) \{[\s\S]*\._a-b_\1 \.c \{\s+animation: 1s _k_\1;/);
    expect(code).toMatch(/import m0 from "\.\/b\.module\.css";/);
    expect(code).toMatch(/export \{ c\d as "a-b", c\d as "k", c\d as "title" \};/);
    expect(code).toMatch(/"_title_\w+" \+ " " \+ m0\["base"\]/);
  });

  it.each([
    ['camelCase', '"a-b", c1 as "aB", c2 as "my_Other", c2 as "myOther"', 'm0["base-x"]'],
    ['camelCaseOnly', 'c1 as "aB", c2 as "myOther"', 'm0["baseX"]'],
    ['dashes', '"a-b", c1 as "aB", c2 as "my_Other"', 'm0["base-x"]'],
    ['dashesOnly', 'c1 as "aB", c2 as "my_Other"', 'm0["baseX"]'],
  ])('exports classes by the convention %s', (convention, names, composed) => {
    const css = '.a-b { composes: base-x from "./b.module.css"; inset: 0 } .aB { inset: 0 } .my_Other { inset: 0 }';
    const { code } = cssModule('src/a.module.css', css, convention);
    expect(code).toContain(names);
    expect(code).toContain(composed);
  });

  it('exports classes whose rules are empty', () => {
    const { css, code } = cssModule('a.module.css', '.a { inset: 0 } .b {} .c { /* later */ } @media print {}');
    expect(code).toMatch(/export \{ c0 as "a", c1 as "b", c2 as "c" \};/);
    expect(css).not.toContain('empty');
  });

  it('gives files different names', () => {
    expect(cssModule('a.module.css', '.x { inset: 0 }').css).not.toBe(cssModule('b.module.css', '.x { inset: 0 }').css);
  });
});

testRows<[Record<string, string>, string]>([
  [{ 'src/index.css': '\n\na { color red; }' }, 'src/index.css:3:10'],
  [{ 'src/index.css': '@import "./b.css";', 'src/b.css': 'a{}\n.x { color red }' }, 'src/b.css:2:11'],
  [{ 'src/index.css': '@import "tailwindcss";\na { color red; }' }, 'src/index.css:2:10'],
  [{ 'src/index.css': '@tailwind base;\n\na { color red; }' }, 'src/index.css:3:10'],
  [{ 'src/index.css': '@import "tailwindcss";\na {\n  @apply p-2 nope; }' }, 'src/index.css:3:14'],
  [{ 'src/index.css': '@tailwind base;\na {\n  @apply p-2 nope; }' }, 'src/index.css:3:14'],
  [{ 'src/index.css': '@tailwind base;\na { inset: 0 }\n@screen md { b { y } }' }, 'src/index.css:3:1'],
  [{ 'src/index.css': 'a { color: red;\nb {' }, 'src/index.css:2:3'],
  [{ 'src/index.css': 'a { }\n}' }, 'src/index.css:2:1'],
  [{ 'src/index.css': 'a { }\n/* x' }, 'src/index.css:2:1'],
  [{ 'src/index.css': 'a { content: "x\n}' }, 'src/index.css:1:14'],
  [{ 'src/index.css': 'a { }\n@import "./no.css";' }, 'src/index.css:2:1'],
  [{ 'src/index.css': '@import "./b.scss";', 'src/b.scss': '' }, 'src/index.css:1:1'],
  [{ 'src/index.css': `a { width: ${'calc('.repeat(5000)}1px${')'.repeat(5000)} }` }, 'src/index.css:1:1011'],
  [{ 'src/index.css': 'a{'.repeat(5000) + '}'.repeat(5000) }, 'src/index.css:1:402'],
])('finds the place of a mistake', async (files, place) => {
  const { problems, code } = await buildStyles(files);
  expect(problems.map(({ path, line, column }) => `${path}:${line}:${column}`)).toEqual([place]);
  expect(code).toBe('build_failed');
});

/** Imports each of the next files twice, under different conditions. */
const doubled = Object.fromEntries(
  Array.from({ length: 40 }, (_, index) => [
    `src/${index}.css`,
    `@import "./${index + 1}.css" screen; @import "./${index + 1}.css" print;`,
  ]),
);

testRows<[string, Record<string, string>]>([
  ['7 MB', { 'src/index.css': 'a{color:red}'.repeat(600_000) }],
  ['a megabyte with Tailwind 3', { 'src/index.css': '@tailwind base;'.concat('a{color:red}'.repeat(90_000)) }],
  ['imports that double', { ...doubled, 'src/index.css': '@import "./0.css";', 'src/40.css': '' }],
])('rejects style sheets that are too large', async (_name, files) => {
  expect((await buildStyles(files)).code).toBe('payload_too_large');
});
