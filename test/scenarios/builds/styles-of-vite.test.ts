import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { buildStyles } from '../../support/builds/build-styles.ts';

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
  const script = join(import.meta.dirname, '../../fixtures/packages/vite-styles.ts');
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
