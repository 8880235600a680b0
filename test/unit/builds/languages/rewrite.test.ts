import { readProjectConfig } from '../../../../lambda/builds/config/project-config.ts';
import { globMatcher } from '../../../../lambda/builds/glob-pattern.ts';
import { htmlWithEnv } from '../../../../lambda/builds/own-code/env.ts';
import { NO_PACKAGES } from '../../../../lambda/builds/packages/resolver.ts';
import type { BuildError } from '../../../../lambda/builds/problems.ts';
import { Resolver } from '../../../../lambda/builds/resolver.ts';
import type { BuildProblem } from '../../../../lambda/contract/builds.ts';
import { bundle } from '../../../support/builds/bundle.ts';
import { testRows } from '../../../support/rows.ts';

const PUBLIC = {
  'public/logo.png': '',
  'public/bg.jpg': '',
  'public/icons.svg': '',
  'public/my photo.png': '',
  'public/images/a.png': '',
  'public/about': '',
};
const PLACEHOLDER = '$' + '{x}';

/** What `use(…)` is called with in the output for an expression. */
async function rewritten(expression: string, entry = 'src/main.tsx'): Promise<string> {
  const { code } = await bundle({ ...PUBLIC, [entry]: `use(${expression});` }, { entry });
  return code.slice(code.indexOf('use(') + 4, code.lastIndexOf(');')).replaceAll(/\s+/g, ' ');
}

testRows<[string, string]>([
  ['"/logo.png"', 'base + "logo.png"'],
  ["'/icons.svg#a'", 'base + "icons.svg#a"'],
  ['"/logo.png?v=2"', 'base + "logo.png?v=2"'],
  ['"/my%20photo.png"', 'base + "my%20photo.png"'],
  ['"/my photo.png"', 'base + "my photo.png"'],
  ['`/logo.png`', '`$' + '{base}logo.png`'],
  ['"/images/" + x', '"/images/" + x'],
  [`\`/images/${PLACEHOLDER}.png\``, `\`\${base}images/${PLACEHOLDER}.png\``],
  [`\`/images/${PLACEHOLDER}\``, `\`/images/${PLACEHOLDER}\``],
  [`\`/images/${PLACEHOLDER}.gif\``, `\`/images/${PLACEHOLDER}.gif\``],
  ['"url(/bg.jpg)"', '"url(" + base + "bg.jpg)"'],
  [
    '"linear-gradient(red, blue), url(\'/bg.jpg\') center"',
    '"linear-gradient(red, blue), url(\'" + base + "bg.jpg\') center"',
  ],
  ['"bg-[url(/bg.jpg)]"', '"bg-[url(/bg.jpg)]"'],
  ['\'<img src="/logo.png" alt="">\'', '"<img src=\\"" + base + "logo.png\\" alt=\\"\\">"'],
  ['{ image: "/logo.png" }', '{ image: base + "logo.png" }'],
  ['{ "/logo.png": 1 }', '{ "/logo.png": 1 }'],
  ['x["/logo.png"]', 'x["/logo.png"]'],
  ['x === "/about"', 'x === base + "about"'],
  ['origin + "/logo.png"', 'origin + "/logo.png"'],
  [`\`${PLACEHOLDER}/logo.png\``, `\`${PLACEHOLDER}/logo.png\``],
  ['String.raw`/logo.png`', 'String.raw`/logo.png`'],
  ['html`<use href="/icons.svg#a" />`', 'html`<use href="$' + '{base}icons.svg#a" />`'],
  ['styled.div`background: url(/bg.jpg)`', 'styled.div`background: url($' + '{base}bg.jpg)`'],
  ['css`p { background: url(/bg.jpg) }`', 'css`p { background: url(/bg.jpg) }`'],
  ['"logo.png"', '"logo.png"'],
  ['"//logo.png"', '"//logo.png"'],
  ['"/missing.png"', '"/missing.png"'],
  ['"/public/logo.png"', '"/public/logo.png"'],
  ['x as "/logo.png"', 'x'],
  ['import.meta.env.BASE_URL + "logo.png"', 'base + "logo.png"'],
])('puts the base before files of public/', async (expression, expected) =>
  expect(await rewritten(expression)).toBe(expected),
);

it('puts the base into attributes of JSX, in plain scripts as well', async () => {
  const jsx = '<img src="/logo.png" alt="/missing.png" />';
  for (const entry of ['src/main.jsx', 'src/main.js']) {
    expect(await rewritten(jsx, entry)).toContain('src: base + "logo.png", alt: "/missing.png"');
  }
});

it('puts the base into JSON', async () => {
  const data = '{ "items": [{ "image": "/logo.png", "/logo.png": 1 }], "class": "/about", "other-name": "/x" }';
  const main = "import data, { items, class as name } from './data.json'; use(data, items, name);";
  const { code } = await bundle({ ...PUBLIC, 'src/data.json': data, 'src/main.ts': main });
  expect(code).toContain('"image": base + "logo.png"');
  expect(code).toContain('"/logo.png": 1');
  const output = code.replaceAll('import.meta.url', '"https://example.com/d/a/assets/main.js"');
  const item = { image: '/d/a/logo.png', '/logo.png': 1 };
  const given = new Promise((use) => new Function('use', output)((...args: unknown[]) => use(args)));
  expect(await given).toEqual([{ items: [item], class: '/d/a/about', 'other-name': '/x' }, [item], '/d/a/about']);
});

it('finds the base from its own place', async () => {
  const { code } = await bundle({ ...PUBLIC, 'src/main.ts': 'use("/logo.png")' });
  const [, expression = ''] = /const base = (.*);/.exec(code) ?? [];
  const baseAt = new Function('url', `return ${expression.replace('import.meta.url', 'url')}`);
  expect(baseAt('https://example.com/d/abc/assets/main.js')).toBe('/d/abc/');
  expect(baseAt('https://abc.example.com/assets/main.js')).toBe('/');
});

testRows<[string, string[], string[]]>([
  [
    "import { BrowserRouter as Router, Link, type To } from 'react-router-dom'; use(Router, Link)",
    ['import { BrowserRouter, Link } from "pkg:react-router-dom"', 'basename: base'],
    ['To'],
  ],
  ["import type { BrowserRouter } from 'react-router-dom'; use()", ['use()'], ['pkg:']],
  ["import { HashRouter } from 'react-router-dom'; use(HashRouter)", ['use(HashRouter)'], ['basename']],
  [
    "import React, { createBrowserRouter } from 'react-router'; use(React, createBrowserRouter)",
    ['import React, { createBrowserRouter } from "pkg:react-router"', 'args[1] = {'],
    [],
  ],
  ["import { createWebHistory } from 'vue-router'; use(createWebHistory())", ['base + "/"'], []],
  ["import { Router } from '@solidjs/router'; use(Router)", ['mergeProps(props, { base })'], []],
  ["import { Route, useParams } from 'wouter'; use(Route, useParams)", ['router.base = base', 'useParams'], []],
  ["import { createRouter } from '@tanstack/react-router'; use(createRouter({}))", ['basepath: base'], []],
  [
    "const worker = new Worker(new URL('./work.ts', import.meta.url)); use(worker)",
    ['new URL("work-', 'new Worker(new URL(work_default, import.meta.url), { type: "module" })', 'postMessage(1)'],
    [': number'],
  ],
  [
    "import Work from './work?worker'; import url from './work.ts?worker&url'; use(new Work({ name: 'w' }), url)",
    ['new Worker(new URL("work-', 'name: options?.name', 'postMessage(1)'],
    [],
  ],
  [
    "use(new SharedWorker(new URL('./work.ts', import.meta.url), { name: 's' }))",
    ['{ name: "s" }, { type: "module" }'],
    [],
  ],
  ["import init from './a.wasm?init'; use(init)", ['WebAssembly.instantiate'], []],
])('rewrites %s', async (code, expected, unexpected) => {
  const files = {
    'src/main.tsx': code,
    'src/work.ts': 'const a: number = 1; postMessage(a);',
    'src/a.wasm': 'wasm',
  };
  const output = (await bundle(files, { entry: 'src/main.tsx' })).code.replaceAll(/\s+/g, ' ');
  for (const text of expected) expect(output).toContain(text);
  for (const text of unexpected) expect(output).not.toContain(text);
});

testRows<[Record<string, string>, string]>([
  [{ 'src/main.ts': 'let a;\nuse(import.meta.env.VITE_KEY);' }, 'src/main.ts:2 VITE_KEY is not set, so'],
  [{ 'src/main.ts': 'const { VITE_KEY } = import.meta.env;\nuse(VITE_KEY)' }, 'src/main.ts:1 VITE_KEY is not set, so'],
  [
    {
      'src/main.ts': "import './App.vue'",
      'src/App.vue':
        '<template><p>{{ key }}</p></template>\n<script setup lang="ts">\nconst key = import.meta.env.VITE_KEY\n</script>',
    },
    'src/App.vue:3 VITE_KEY is not set, so',
  ],
  [
    {
      'src/main.ts':
        'use(process.env.NODE_ENV, process.env.A);\nuse(process.env.REACT_APP_KEY, process.env["REACT_APP_KEY"])',
      'vite.config.ts': 'export default { define: { "process.env": { A: "a" } } }',
    },
    'src/main.ts:2 process.env.REACT_APP_KEY is undefined, since browsers have no process',
  ],
  [
    { 'src/main.ts': "import * as router from 'react-router-dom'; use(router);" },
    'src/main.ts:1 Import the parts of react-router-dom by name',
  ],
  [{ 'src/main.ts': "use(new URL('./none.png', import.meta.url))" }, 'src/main.ts:1 There is no "./none.png"'],
  [{ 'src/main.ts': '\nimport(`./$' + '{x}`)' }, 'src/main.ts:2 This import is not built'],
  [
    {
      'src/main.ts': "import './A.svelte'",
      'src/A.svelte': '<p>a</p>',
      'svelte.config.js':
        "import { vitePreprocess } from '@sveltejs/vite-plugin-svelte'; import { mdsvex } from 'mdsvex';\nexport default { compilerOptions: { runes: true }, preprocess: [vitePreprocess(),\n mdsvex()] };",
    },
    'svelte.config.js:3 The preprocessor mdsvex of Svelte is ignored',
  ],
  [
    {
      'src/main.ts': "import './A.svelte'",
      'src/A.svelte': '<p>a</p>',
      'svelte.config.js': 'export default { compilerOptions: {\n customElement: true } };',
    },
    'svelte.config.js:2 "customElement" of the compiler of Svelte is ignored',
  ],
])('warns with the place', async (files, expected) => {
  const { warnings } = await bundle(files);
  expect(warnings.map(({ path, line, message }) => `${path}:${line} ${message}`)).toEqual([
    expect.stringContaining(expected),
  ]);
});

it.each([
  ['(import.meta as any).env.VITE_A', '"file"'],
  ['(import.meta as { env?: any }).env?.VITE_A', '"file"'],
  ['(import.meta.env as any).VITE_A', '"file"'],
  ['import.meta?.env?.VITE_A', '"file"'],
  ['import.meta.env!.VITE_A', '"file"'],
  [
    "(import.meta as any).glob('./*.txt', { query: '?raw', import: 'default', eager: true } as const)",
    '"./a.txt": a_default',
  ],
])('reads %s, which has types or parentheses around it', async (expression, expected) => {
  const files = { '.env': 'VITE_A=file', 'src/a.txt': 'text', 'src/main.ts': `use(${expression})` };
  expect((await bundle(files)).code).toContain(expected);
});

it.each([
  ["import.meta.glob('./*.txt', { base: '/src/d' })", '"./a.txt"'],
  ["import.meta.glob('./*.txt', { base: './d' })", '"./a.txt"'],
  ["import.meta.glob('../src/d/*.txt')", '"./d/a.txt"'],
  ["import.meta.glob('/src/d/*.txt')", '"/src/d/a.txt"'],
])('gives the files of %s the keys that Vite does', async (expression, key) => {
  const { code } = await bundle({ 'src/d/a.txt': 'text', 'src/main.ts': `use(Object.keys(${expression}))` });
  expect(code).toContain(`{ ${key}: `);
});

it('takes variables of the request first, and warns of none that are set', async () => {
  const files = {
    '.env': 'VITE_A=file\nVITE_B=file',
    'src/main.ts': 'use(import.meta.env.VITE_A, import.meta.env.VITE_B)',
  };
  const { code, warnings } = await bundle(files, { env: { VITE_A: 'request' } });
  expect(code).toContain('use("request", "file")');
  expect(warnings).toEqual([]);
});

testRows<[string, string]>([
  [
    'use(import.meta.glob(x))',
    'src/main.ts:1:5 import.meta.glob takes strings only, which are known when the project is built',
  ],
  [
    "use(import.meta.glob('pages/*.ts'))",
    'src/main.ts:1:5 The pattern "pages/*.ts" of import.meta.glob must begin with "./", "../", "/" or an alias',
  ],
  [
    "\n use(import.meta.glob('./*', options))",
    'src/main.ts:2:30 The options of import.meta.glob must be an object literal',
  ],
])('reports the place of an error', async (code, expected) => {
  const error: BuildError = await bundle({ 'src/main.ts': code }).then(
    () => Promise.reject(new Error('It was built')),
    (thrown) => thrown,
  );
  const [{ path, line, column, message } = { message: String(error) }] = error.problems ?? [];
  expect(`${path}:${line}:${column} ${message}`).toBe(expected);
});

it('sets variables in pages', () => {
  const project = new Map([['.env', Buffer.from('VITE_TITLE=Garden')]]);
  const warnings: BuildProblem[] = [];
  const config = readProjectConfig(project);
  const context = {
    project,
    config,
    resolver: new Resolver(project, config),
    types: NO_PACKAGES,
    missing: new Set<string>(),
    preview: false,
    sheets: new Map(),
    asset: String,
    warn: (warning: BuildProblem) => warnings.push(warning),
  };
  const html = '<title>%VITE_TITLE%</title>\n<link href="%BASE_URL%a.png" width="50%"> %MODE% %VITE_NONE% %HOME% 100%';
  expect(htmlWithEnv(html, 'index.html', context)).toBe(
    '<title>Garden</title>\n<link href="/a.png" width="50%"> production %VITE_NONE% %HOME% 100%',
  );
  expect(warnings.map(({ path, line, message }) => `${path}:${line} ${message}`)).toEqual([
    'index.html:2 VITE_NONE is not set. Set it in "env" of the deploy or in .env',
  ]);
});

it('ends for hostile patterns', () => {
  const patterns = [
    '*a'.repeat(200),
    '**/'.repeat(150),
    '{a,b}'.repeat(90),
    `${'['.repeat(400)}]`,
    '*'.repeat(500),
    '{'.repeat(500),
  ];
  const paths = ['a'.repeat(5_000), 'a/'.repeat(2_000), '[b]'];
  const matches = patterns.flatMap((pattern) => paths.filter(globMatcher(pattern)));
  expect(matches).toHaveLength(4);
});
