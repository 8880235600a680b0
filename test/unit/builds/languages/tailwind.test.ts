import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildStyles } from '../../../support/builds/build-styles.ts';
import { TAILWIND_3, TAILWIND_4 } from '../../../support/builds/tailwind-projects.ts';
import { testRows } from '../../../support/rows.ts';

it('compiles Tailwind 4 with its plugins, a configuration and sources', async () => {
  const { css, problems, warnings } = await buildStyles(TAILWIND_4);
  expect({ problems, warnings }).toEqual({ problems: [], warnings: [] });
  expect(css).toMatch(/^@import "https:\/\/fonts\.example\/css2\?family=Inter";/);
  const expected = [
    '.gap-huge{gap:99rem}',
    '.grid-cols-\\[1fr_auto\\]{grid-template-columns:1fr auto}',
    '.gap-x-2\\.5{',
    '.w-\\[calc\\(100\\%-1rem\\)\\]{width:calc(100% - 1rem)}',
    '.md\\:flex-row{',
    '.hidden{display:none}',
    '.underline{',
    '.animate-in{',
    '.prose{',
    '.form-checkbox',
    '.btn{',
    '.card:hover{',
    '--color-red-500:',
    '-webkit-user-select:none',
    '.extra:hover{',
  ];
  expect(expected.filter((text) => !css.includes(text))).toEqual([]);
  expect(css).not.toContain('text-9xl');
});

it.each([
  '@source inline("p-{1..100000000}");',
  "@source /* */ not inline('{{a,b},c}-{1..9999}-{1..9999}');",
  `@source inline("${'{a,b}'.repeat(20)}");`,
])('refuses %s, which stands for more classes than fit into memory', async (rule) => {
  const { problems } = await buildStyles({ 'src/index.css': `@import "tailwindcss/utilities"; ${rule}` });
  expect(problems).toMatchObject([
    { message: expect.stringContaining('more than 100000 classes'), path: 'src/index.css' },
  ]);
});

it('compiles the classes that @source names inline', async () => {
  const { css } = await buildStyles({
    'src/index.css':
      '@import "tailwindcss/utilities"; @source inline("{hover:,focus:,}{underline,bg-{red,blue}-{50,{100..900..100},950}}");',
  });
  expect(css).toContain('.hover\\:underline');
});

it('compiles Tailwind 3 with its plugins, and theme() and @screen', async () => {
  const { css, problems, warnings } = await buildStyles(TAILWIND_3);
  expect({ problems, warnings }).toEqual({ problems: [], warnings: [] });
  const expected = [
    '.gap-huge{gap:99rem}',
    '.bg-brand\\/50{',
    '.border-border{',
    '.animate-in{',
    '[type=text]',
    '.\\@container{container-type:inline-size}',
    '.card{',
    'padding:2rem',
    '@media (width>=768px){.card{padding:0}}',
    '.underline{',
    '-webkit-user-select:none',
    '@media (width>=1400px)',
  ];
  expect(expected.filter((text) => !css.includes(text))).toEqual([]);
});

it('reads themes, presets, callbacks, colors and plugins with options of tailwind.config', async () => {
  const { css, warnings } = await buildStyles({
    'src/a.html': 'font-display bg-sky2-500 gap-wide p-preset article',
    'src/index.css': '@tailwind components; @tailwind utilities;',
    'preset.cjs': 'module.exports = { theme: { extend: { spacing: { preset: "7px" } } } };',
    'tailwind.config.js': `
      const { fontFamily } = require('tailwindcss/defaultTheme');
      const colors = require('tailwindcss/colors');
      /** @type {import('tailwindcss').Config} */
      module.exports = {
        presets: [require('./preset.cjs')], content: ['./src/**/*.html'],
        theme: { extend: {
          fontFamily: { display: ['Inter', ...fontFamily.sans] }, colors: { sky2: colors.sky },
          gap: ({ theme }) => ({ wide: theme('width.96') }),
        } },
        plugins: [require('@tailwindcss/typography')({ className: 'article' })],
      };`,
  });
  expect(warnings).toEqual([]);
  const expected = [
    'Inter,ui-sans-serif',
    'rgb(14 165 233',
    '.gap-wide{gap:24rem}',
    '.p-preset{padding:7px}',
    '--tw-prose-body:#374151',
  ];
  expect(expected.filter((text) => !css.includes(text))).toEqual([]);
});

it('gives a component Tailwind 4 without any configuration', async () => {
  const { css } = await buildStyles(
    { 'App.jsx': '<p className="p-4" />', 'index.css': '@import "tailwindcss";' },
    { paths: ['index.css'] },
  );
  expect(css).toContain('.p-4{');
});

it('reads braces and brackets of a @source as Tailwind does', async () => {
  const sources = ['../lib/{x,y{1..2}}.js', './{only}.js', './[id]/*.{js,ts}', './*/[ab].js'];
  const { css } = await buildStyles({
    'src/index.css': `@import "tailwindcss/utilities" source(none);${sources.map((each) => `@source "${each}";`).join('')}`,
    'lib/x.js': '"p-[1px]"',
    'lib/y2.js': '"p-[2px]"',
    'lib/y3.js': '"m-[1px]"',
    'src/only.js': '"p-[3px]"',
    'src/[id]/page.ts': '"p-[4px]"',
    'src/i/page.ts': '"m-[2px]"',
    'src/i/a.js': '"p-[5px]"',
  });
  expect(css.match(/(?:padding|margin):\dpx/g)).toEqual([1, 2, 3, 4, 5].map((size) => `padding:${size}px`));
});

/** Runs, or is read, if something of a project runs or reads a file of this machine. */
const canary = join(tmpdir(), `ptp-canary-${process.pid}`);
const RUN = `require('fs').writeFileSync('${canary}.ran', ''); globalThis.canaryRan = true; `;
const V4 = '@import "tailwindcss/utilities";';
const V3 = '@tailwind utilities;';

testRows<Record<string, string>>([
  { 'src/index.css': `@import "${canary}.css";` },
  { 'src/index.css': `@import "../../../../../..${canary}.css";` },
  { 'src/index.css': `@import "file://${canary}.css"; a { b: url(file://${canary}.css) }` },
  { 'src/index.css': `@reference "${canary}.css"; a { @apply p-2; }` },
  { 'src/index.css': `a { b: url(${canary}.css) url(../../../../../..${canary}.css) }` },
  { 'src/index.css': `${V4} @plugin "${canary}.cjs"; @plugin "../../../../..${canary}.cjs";` },
  { 'src/index.css': `${V4} @plugin "./p.cjs" { a: b; }`, 'src/p.cjs': RUN },
  { 'src/index.css': `${V4} @plugin "node:fs"; @plugin "child_process";` },
  { 'src/index.css': `${V4} @config "${canary}.cjs";` },
  { 'src/index.css': `${V3} @config "${canary}.cjs";` },
  {
    'src/index.css': `${V4} @source "${canary}.html"; @source "../../../../../../**/*"; @source "${tmpdir()}/**";`,
  },
  { 'src/index.css': `@import "tailwindcss/utilities" source("${tmpdir()}");` },
  {
    'src/index.css': `${V4} @config "../c.cjs";`,
    'c.cjs': `${RUN} module.exports = { theme: (() => { ${RUN} return {} })() };`,
  },
  {
    'src/index.css': V3,
    'tailwind.config.js': `${RUN} module.exports = { content: ["${canary}.html", "../../../../../..${canary}.html"], plugins: [function () { ${RUN} }, require("${canary}.cjs")] };`,
  },
  {
    'src/index.css': `${V3} a { @apply gap-x; }`,
    'tailwind.config.js': `module.exports = { theme: { extend: { gap: ({ theme }) => ({ x: '1px', y: theme('constructor.constructor')("${'globalThis.canaryRan=1'}")(), z: theme.constructor('globalThis.canaryRan=1')(), w: [].filter.constructor('globalThis.canaryRan=1')() }) } } };`,
  },
  {
    'src/index.css': V3,
    'tailwind.config.js':
      'module.exports = { theme: { extend: { ["__proto__"]: { canaryRan: 1 }, constructor: { prototype: { canaryRan: 1 } } } } };',
  },
  {
    'src/index.css': 'a { b: c }',
    'vite.config.js': `${RUN} export default { define: { a: require("fs").readFileSync("${canary}.css") }, resolve: { alias: { x: "${canary}.css" } } };`,
  },
  {
    'src/index.css': V3,
    'postcss.config.js': `${RUN} module.exports = { plugins: [require("${canary}.cjs")] };`,
  },
  {
    'src/index.css': 'a { b: c }',
    'tsconfig.json': `{ "extends": ["${canary}.json", "../../../../..${canary}.json"] }`,
  },
])('reads and runs nothing outside of the project', async (files) => {
  writeFileSync(`${canary}.css`, '.canary-text { color: red }');
  writeFileSync(`${canary}.html`, 'p-[4242px]');
  writeFileSync(`${canary}.cjs`, RUN);
  try {
    const { css, warnings, problems } = await buildStyles(files);
    const seen = JSON.stringify([css, warnings, problems]);
    expect(seen).not.toMatch(/canary-text|padding:4242px/);
    expect(existsSync(`${canary}.ran`)).toBe(false);
    expect('canaryRan' in globalThis || 'canaryRan' in {}).toBe(false);
  } finally {
    rmSync(`${canary}.css`);
    rmSync(`${canary}.html`);
    rmSync(`${canary}.cjs`);
    rmSync(`${canary}.ran`, { force: true });
  }
});
