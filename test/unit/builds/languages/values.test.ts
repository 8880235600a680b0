import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../support/at-end.ts';
import { bundle } from '../../../support/builds/bundle.ts';

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1">
  <!-- é 100% # -->
  <path d="M0 0"  />
</svg>
`;
const FILES = {
  'tsconfig.json': '{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }',
  '.env': 'VITE_A=1\nVITE_B="two $VITE_A"\nSECRET=x\nVITE_C=file # comment',
  '.env.production': 'VITE_C=prod',
  '.env.local': 'VITE_A=local',
  'src/data.json': '{ "x": 1, "y-z": [2], "default": 3 }',
  'src/pages/a.ts': "export const name = 'a'; export default 'A'",
  'src/pages/b.ts': "export const name = 'b'; export default 'B'",
  'src/pages/sub/c.ts': "export const name = 'c'; export default 'C'",
  'src/pages/d.json': '{}',
  'src/pages/readme.txt': 'x',
  'src/.hid/h.ts': 'export default 1',
  'src/s.svg': SVG,
  'src/text.svg': `<svg xmlns="http://www.w3.org/2000/svg"><text x="1">'q'</text></svg>`,
  'src/big.png': new Uint8Array(5_000),
  'src/small.png': 'small',
};
const ENV = {
  MODE: 'production',
  PROD: true,
  DEV: false,
  SSR: false,
  VITE_A: 'local',
  VITE_B: 'two local',
  VITE_C: 'prod',
};
const LAZY = 'function';
const big = expect.stringMatching(/^file:.*\/assets\/big\.png$/);

/** Expressions and their values, which are Vite 8.3's for the same project. */
const VALUES: readonly [string, unknown][] = [
  ["import.meta.glob('./pages/*.ts')", { './pages/a.ts': LAZY, './pages/b.ts': LAZY }],
  [
    "import.meta.glob('./pages/**/*.ts', { eager: true, import: 'default' })",
    { './pages/a.ts': 'A', './pages/b.ts': 'B', './pages/sub/c.ts': 'C' },
  ],
  [
    "import.meta.globEager('./pages/**/*.ts', { import: 'default' })",
    { './pages/a.ts': 'A', './pages/b.ts': 'B', './pages/sub/c.ts': 'C' },
  ],
  [
    "import.meta.glob(['/src/pages/**', '!**/*.{ts,json}'], { query: '?raw', import: 'default', eager: true })",
    { '/src/pages/readme.txt': 'x' },
  ],
  [
    "import.meta.glob('@/pages/*.{ts,json}')",
    { '/src/pages/a.ts': LAZY, '/src/pages/b.ts': LAZY, '/src/pages/d.json': LAZY },
  ],
  [
    "import.meta.glob(['./pages/[ab].ts', './pages/sub/?.ts'], { eager: true, import: 'name' })",
    { './pages/a.ts': 'a', './pages/b.ts': 'b', './pages/sub/c.ts': 'c' },
  ],
  ["import.meta.glob('**/a.ts')", { '/src/pages/a.ts': LAZY }],
  ["import.meta.glob('./.hid/*')", { './.hid/h.ts': LAZY }],
  ["import.meta.glob('./*/h.ts')", {}],
  ["import.meta.glob('./*/h.ts', { exhaustive: true })", { './.hid/h.ts': LAZY }],
  ["import.meta.glob('./*.ts', { base: './pages' })", { './a.ts': LAZY, './b.ts': LAZY }],
  [`(await ((name) => import(\`./pages/\${name}.ts\`))('b')).default`, 'B'],
  ["(await ((name) => import('@/pages/' + name + '.ts'))('a')).default", 'A'],
  [
    "await ((name) => import('./pages/' + name + '.ts'))('z').catch((error) => error.message)",
    'Unknown variable dynamic import: ./pages/z.ts',
  ],
  ['({ ...import.meta.env, BASE_URL: undefined })', ENV],
  [
    '[import.meta.env.MODE, import.meta.env?.PROD, import.meta.env.DEV, import.meta.env["VITE_B"]]',
    ['production', true, false, 'two local'],
  ],
  ['[process.env.NODE_ENV, process.env.OTHER, typeof import.meta.hot]', ['production', undefined, 'undefined']],
  ['[json, x]', [{ x: 1, 'y-z': [2], default: 3 }, 1]],
  ['raw', FILES['src/pages/a.ts']],
  [
    'svg',
    "data:image/svg+xml,%3csvg%20xmlns='http://www.w3.org/2000/svg'%20viewBox='0%200%201%201'%3e%3c!--%20é%20100%25%20%23%20--%3e%3cpath%20d='M0%200'%20/%3e%3c/svg%3e",
  ],
  ['text', `data:image/svg+xml;base64,${Buffer.from(FILES['src/text.svg']).toString('base64')}`],
  ['small', 'data:image/png;base64,c21hbGw='],
  ['smallFile', expect.stringMatching(/^file:.*\/assets\/small\.png$/)],
  ['inlined.length', 'data:image/png;base64,'.length + 6_668],
  ['bigFile', big],
  ["new URL('./big.png', import.meta.url).href", big],
  [`new URL(\`./\${'big'}.png\`, import.meta.url).href`, big],
];
const IMPORTS = `
import json, { x } from './data.json';
import raw from './pages/a.ts?raw';
import svg from './s.svg';
import text from '@/text.svg';
import bigFile from './big.png';
import small from './small.png';
import smallFile from './small.png?no-inline';
import inlined from './big.png?inline';
`;

const folder = temporaryFolder();
it('gives globs, variables, assets and dynamic imports the values of Vite', async () => {
  const results = VALUES.map(([expression]) => `  ${expression},`).join('\n');
  const main = `${IMPORTS}globalThis.values = async () => [\n${results}\n];`;
  const { chunks } = await bundle({ ...FILES, 'src/main.js': main }, { entry: 'src/main.js' });
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  for (const { fileName, code } of chunks) writeFileSync(join(folder, fileName), code);
  await import(join(folder, chunks[0]?.fileName ?? ''));
  const values: unknown[] = await (globalThis as unknown as { values(): Promise<unknown[]> }).values();
  expect(values.map(withoutFunctions)).toEqual(VALUES.map(([, value]) => value));
});

function withoutFunctions(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, typeof each === 'function' ? LAZY : each]),
  );
}
