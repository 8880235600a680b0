import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testRows } from '../../../support/rows.ts';
import { buildStyles } from './build-styles.ts';

const CLASSES = `
  const state = { hidden: false, 'md:flex-row': true };
  document.body.className = \`min-h-screen bg-background p-4 \${state ? 'animate-pulse' : "animate-in fade-in-0 zoom-in-95"}\`;
  document.body.innerHTML = '<div class="prose lg:prose-xl dark:prose-invert grid-cols-[1fr_auto] gap-x-2.5 -mt-2 !m-1 hover:[&_p]:underline w-[calc(100%-1rem)] text-[13px]/[1.5] @container @lg:flex"></div>';
  document.body.style.color = 'var(--color-red-500)';
  export const button = "form-checkbox rounded-md border-border shadow-lg ring-2 space-y-2 from-indigo-500 container group-hover:translate-x-1 data-[state=open]:animate-in gap-huge bg-brand/50 btn";
`;
const PAGE = '<!doctype html><script type="module" src="/src/main.js"></script>';
const TAILWIND_4 = {
  'index.html': PAGE,
  'src/main.js': `import './index.css';${CLASSES}`,
  'src/index.css': `@import url('https://fonts.example/css2?family=Inter');
    @import "tailwindcss"; @import "tw-animate-css"; @import "./extra.css" layer(components);
    @plugin "@tailwindcss/typography"; @plugin "@tailwindcss/forms" { strategy: "class"; } @plugin "daisyui" { logs: false; }
    @custom-variant dark (&:is(.dark *)); @config "../tailwind.config.js"; @source inline("underline"); @source not "./other";
    @theme inline { --color-background: var(--background); --color-border: var(--border); }
    :root { --background: oklch(1 0 0); --border: #ddd; } @layer base { * { @apply border-border; } }
    .card { @apply rounded-lg p-4 hover:shadow-md; & .x { color: theme(--color-red-500); user-select: none; } }`,
  'src/extra.css': '.extra { &:hover { color: color-mix(in srgb, red 10%, transparent) } }',
  'src/other/a.js': '"text-9xl"',
  'tailwind.config.js':
    'export default { theme: { extend: { colors: { brand: "#123456" }, gap: { huge: "99rem" } } } };',
};
const CONFIG_3 = {
  darkMode: ['class'],
  safelist: ['underline'],
  theme: {
    container: { center: true, padding: '2rem', screens: { '2xl': '1400px' } },
    extend: {
      colors: { border: 'hsl(var(--border))', background: 'hsl(var(--background))', brand: '#123456' },
      gap: { huge: '99rem' },
    },
  },
};
const TAILWIND_3 = {
  'index.html': PAGE,
  'src/main.js': `import './index.css';${CLASSES}`,
  'src/index.css': `@tailwind base; @tailwind components; @tailwind utilities;
    @layer base { :root { --background: 0 0% 100%; } * { @apply border-border; } }
    @layer components { .btn { @apply rounded-lg p-4 hover:shadow-md; } }
    .card { padding: theme('spacing.8'); @screen md { padding: 0 } user-select: none }`,
  'tailwind.config.ts': `import type { Config } from 'tailwindcss';
    import animate from 'tailwindcss-animate';
    const content = ['./index.html', './src/**/*.{js,jsx,ts,tsx}'];
    export default { ...${JSON.stringify(CONFIG_3)}, content, plugins: [animate, require('@tailwindcss/forms'), require('@tailwindcss/container-queries')] } satisfies Config`,
};

/** The rules of the style sheet that Vite makes. */
function builtByVite(input: object): string[] {
  const script = join(import.meta.dirname, '../../../support/builds/vite-styles.ts');
  return rulesOf(
    execFileSync(process.execPath, [script], { input: JSON.stringify(input), encoding: 'utf8' }).trim(),
  );
}

const rulesOf = (css: string) => css.split(/(?<=[{};])/);

it('makes the style sheet of Tailwind 4 that Vite makes', async () => {
  const { css, problems, warnings } = await buildStyles(TAILWIND_4);
  expect({ problems, warnings }).toEqual({ problems: [], warnings: [] });
  expect(rulesOf(css)).toEqual(builtByVite({ files: TAILWIND_4 }));
});

it('makes the style sheet of Tailwind 3 that Vite makes', async () => {
  const { css, problems, warnings } = await buildStyles(TAILWIND_3);
  expect({ problems, warnings }).toEqual({ problems: [], warnings: [] });
  expect(rulesOf(css)).toEqual(builtByVite({ files: TAILWIND_3, tailwind3: CONFIG_3 }));
});

testRows<[string, Record<string, string>, string]>([
  ['a default theme', { 'src/a.html': 'font-display' }, 'Inter,ui-sans-serif'],
  ['colors', { 'src/a.html': 'bg-sky2-500' }, 'rgb(14 165 233'],
  ['a callback of a theme', { 'src/a.html': 'gap-wide' }, '.gap-wide{gap:24rem}'],
  ['a preset in another file', { 'src/a.html': 'p-preset' }, '.p-preset{padding:7px}'],
  ['a plugin with options and the colors of 3', { 'src/a.html': 'article' }, '--tw-prose-body:#374151'],
])('reads tailwind.config with', async (_name, files, expected) => {
  const { css, warnings } = await buildStyles({
    ...files,
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
  expect(css).toContain(expected);
});

it('gives a component Tailwind 4 without any configuration', async () => {
  const { css } = await buildStyles(
    { 'App.jsx': '<p className="p-4" />', 'index.css': '@import "tailwindcss";' },
    { paths: ['index.css'] },
  );
  expect(css).toContain('.p-4{');
});

/** Runs, or is read, if something of a project runs or reads a file of this machine. */
const canary = join(tmpdir(), `ptp-canary-${process.pid}`);
const RUN = `require('fs').writeFileSync('${canary}.ran', ''); globalThis.canaryRan = true; `;
const V4 = '@import "tailwindcss/utilities";';
const V3 = '@tailwind utilities;';

testRows<[string, Record<string, string>]>([
  ['@import of a file', { 'src/index.css': `@import "${canary}.css";` }],
  ['@import above the project', { 'src/index.css': `@import "../../../../../..${canary}.css";` }],
  [
    '@import of a file URL',
    { 'src/index.css': `@import "file://${canary}.css"; a { b: url(file://${canary}.css) }` },
  ],
  ['@reference', { 'src/index.css': `@reference "${canary}.css"; a { @apply p-2; }` }],
  ['url()', { 'src/index.css': `a { b: url(${canary}.css) url(../../../../../..${canary}.css) }` }],
  [
    '@plugin of a file',
    { 'src/index.css': `${V4} @plugin "${canary}.cjs"; @plugin "../../../../..${canary}.cjs";` },
  ],
  ['@plugin of the project', { 'src/index.css': `${V4} @plugin "./p.cjs" { a: b; }`, 'src/p.cjs': RUN }],
  ['@plugin of a module of Node', { 'src/index.css': `${V4} @plugin "node:fs"; @plugin "child_process";` }],
  ['@config of a file', { 'src/index.css': `${V4} @config "${canary}.cjs";` }],
  ['@config of a file, 3', { 'src/index.css': `${V3} @config "${canary}.cjs";` }],
  [
    '@source of a file',
    {
      'src/index.css': `${V4} @source "${canary}.html"; @source "../../../../../../**/*"; @source "${tmpdir()}/**";`,
    },
  ],
  ['source() of a folder', { 'src/index.css': `@import "tailwindcss/utilities" source("${tmpdir()}");` }],
  [
    'statements of a configuration',
    {
      'src/index.css': `${V4} @config "../c.cjs";`,
      'c.cjs': `${RUN} module.exports = { theme: (() => { ${RUN} return {} })() };`,
    },
  ],
  [
    'tailwind.config',
    {
      'src/index.css': V3,
      'tailwind.config.js': `${RUN} module.exports = { content: ["${canary}.html", "../../../../../..${canary}.html"], plugins: [function () { ${RUN} }, require("${canary}.cjs")] };`,
    },
  ],
  [
    'constructors through a theme',
    {
      'src/index.css': `${V3} a { @apply gap-x; }`,
      'tailwind.config.js': `module.exports = { theme: { extend: { gap: ({ theme }) => ({ x: '1px', y: theme('constructor.constructor')("${'globalThis.canaryRan=1'}")(), z: theme.constructor('globalThis.canaryRan=1')(), w: [].filter.constructor('globalThis.canaryRan=1')() }) } } };`,
    },
  ],
  [
    'names of prototypes',
    {
      'src/index.css': V3,
      'tailwind.config.js':
        'module.exports = { theme: { extend: { ["__proto__"]: { canaryRan: 1 }, constructor: { prototype: { canaryRan: 1 } } } } };',
    },
  ],
  [
    'vite.config',
    {
      'src/index.css': 'a { b: c }',
      'vite.config.js': `${RUN} export default { define: { a: require("fs").readFileSync("${canary}.css") }, resolve: { alias: { x: "${canary}.css" } } };`,
    },
  ],
  [
    'postcss.config',
    {
      'src/index.css': V3,
      'postcss.config.js': `${RUN} module.exports = { plugins: [require("${canary}.cjs")] };`,
    },
  ],
  [
    'tsconfig.json',
    {
      'src/index.css': 'a { b: c }',
      'tsconfig.json': `{ "extends": ["${canary}.json", "../../../../..${canary}.json"] }`,
    },
  ],
])('reads and runs nothing for', async (_name, files) => {
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
