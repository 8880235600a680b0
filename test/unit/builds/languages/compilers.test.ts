import type { BuildError } from '../../../../lambda/builds/problems.ts';
import { bundle, type Project } from '../../../support/builds/bundle.ts';
import { solid, svelte, vue } from '../../../support/builds/disk-projects.ts';
import { testRows } from '../../../support/rows.ts';

const png = new Uint8Array(5_000);
const tsconfig = '{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }';

testRows<[string, Project, string[]]>([
  [
    'properties by an imported type, and assets of templates',
    vue(
      `<script setup lang="ts">
import type { Props } from '@/types';
import type { More } from '@/more';
defineProps<Props & More>();
enum Size { Small }
</script>
<template><img src="./logo.png"><img src="/vite.svg"><a href="/cv.pdf">{{ Size.Small }}</a></template>`,
      {
        'tsconfig.json': tsconfig,
        'src/types.ts': "import type { Base } from '@/base'; export interface Props extends Base { name: string }",
        'src/base.ts': 'export interface Base { id?: number }',
        'src/more.d.ts': 'export interface More { flag: boolean }',
        'src/logo.png': png,
        'public/vite.svg': '<svg/>',
        'public/cv.pdf': '',
      },
    ),
    ['id: {}', 'type: Boolean', 'new URL("logo.png", import.meta.url).href', 'base + "vite.svg"', 'base + "cv.pdf"'],
  ],
  [
    'templates with the settings of the plugin',
    vue('<template><x-photo file="./logo.png">a  [[ 1 + 1 ]]</x-photo></template>', {
      'vite.config.ts': `import vue from '@vitejs/plugin-vue';
export default { plugins: [vue({ template: { transformAssetUrls: { 'x-photo': ['file'] }, compilerOptions: {
  isCustomElement: (tag) => tag.startsWith('x-'), delimiters: ['[[', ']]'], whitespace: 'preserve' } } })] };`,
      'src/logo.png': png,
    }),
    ['{ file: logo_default }', 'createElementBlock("x-photo", _hoisted_1, "a  " + toDisplayString(2))'],
  ],
  [
    'options, a render function and blocks in other files',
    vue('<template src="./a.html"></template><script src="./b.ts"></script><style scoped src="./c.css"></style>', {
      'src/a.html': '<b>from a file</b>',
      'src/b.ts': "export default { name: 'B' as string };",
      'src/c.css': '.c { color: red }',
    }),
    ['from a file', 'name: "B"', '["render", _sfc_render]', '["__scopeId", "data-v-'],
  ],
  [
    'JSX in scripts',
    vue('<script lang="tsx">export default { render: () => <p>hi</p> }</script>', {
      'package.json': '{ "dependencies": { "vue": "3" } }',
    }),
    ['jsx("p"', 'pkg:vue/jsx-runtime'],
  ],
  [
    'runes and TypeScript, in modules as well',
    svelte(
      `<script lang="ts">
import { counter } from './counter.svelte';
let { name = 'you' }: { name?: string } = $props();
</script>
<button onclick={() => counter.n++}>{name} {counter.n}</button><img src="/vite.svg" alt="">`,
      {
        'src/counter.svelte.ts':
          'enum Start { Zero }\nclass Counter { n: number = $state(Start.Zero) }\nexport const counter = new Counter();',
        'public/vite.svg': '<svg/>',
      },
    ),
    ['"pkg:svelte/internal/client"', '.state(', `src="\${base}vite.svg"`, '$$props'],
  ],
  [
    'signals in JSX',
    solid(
      `import { render } from 'solid-js/web';
import type { Item } from './item';
const item = { id: 1 } as Item;
render(() => <img src="/vite.svg" title={item.id} />, document.body);`,
      { 'public/vite.svg': '<svg/>' },
    ),
    ['template(`<img src=$' + '{base}vite.svg>`)', 'from "pkg:solid-js/web"'],
  ],
])('compiles %s', async (_, project, expected) => {
  const { code } = await bundle(project);
  for (const text of expected) expect(code).toContain(text);
});

it('scopes the styles of components, in modules of their own', async () => {
  const { styles, chunks } = await bundle({
    'src/main.ts':
      "import './a.css'; import App from './App.vue'; import Box from './Box.svelte'; console.log(App, Box);",
    'src/a.css': 'a {}',
    'src/App.vue': `<script setup>const color = 'red'</script>
<template><p :class="$style.big">hi</p></template>
<style scoped>p { color: v-bind(color) }</style>
<style>p { margin: 0 }</style>
<style module>.big { font-size: 2em }</style>`,
    'src/Box.svelte': '<p>hi</p><style>p { color: red }</style>',
  });
  expect(Object.keys(styles).toSorted()).toEqual([
    'src/App.vue?vue&type=style&index=0.css',
    'src/App.vue?vue&type=style&index=1.css',
    'src/App.vue?vue&type=style&index=2.module.css',
    'src/Box.svelte?svelte&type=style.css',
    'src/a.css',
  ]);
  const [scoped, plain, , box] = Object.keys(styles)
    .toSorted()
    .map((id) => styles[id]);
  expect(scoped).toMatch(/^p\[data-v-[\da-f]{8}\] \{ color: var\(--v?[\da-f]+\)/);
  expect(plain).toBe('p { margin: 0\n}');
  expect(box).toMatch(/^p\.svelte-\w+ \{ color: red \}$/);
  expect(chunks[0]?.code).toContain('"__cssModules", { "$style"');
});

it('gives the same output each time, with the sources of components in its maps', async () => {
  const project = {
    'src/main.ts': "import App from './App.vue'; import Box from './Box.svelte'; console.log(App, Box);",
    'src/App.vue': `<script setup lang="ts">
import type { Props } from './types';
defineProps<Props>();
const color = 'red';
</script>
<template><p class="p">hi</p></template>
<style scoped>.p { color: v-bind(color) }</style>`,
    'src/types.ts': 'export interface Props { name: string }',
    'src/Box.svelte': '<p>hi</p><style>p { color: red }</style>',
  };
  const first = await bundle(project);
  const second = await bundle(project);
  const outputOf = ({ code, styles, chunks }: typeof first) => ({
    code,
    styles,
    map: chunks[0]?.map?.toString(),
  });
  expect(outputOf(second)).toEqual(outputOf(first));
  expect(first.chunks[0]?.map?.sources.map((source) => source.replace(/^.*src/, 'src'))).toEqual(
    expect.arrayContaining(['src/main.ts', 'src/App.vue', 'src/Box.svelte']),
  );
});

testRows<[Project, string]>([
  [vue('<script setup>\nlet a = ;\n</script>'), 'src/App.vue:2:9: Unexpected token'],
  [
    vue('<script setup>\nconst a = 1;\n</script>\n<template>\n  <p :a="1 +">x</p>\n</template>'),
    'src/App.vue:5:10: Error parsing JavaScript expression: Unexpected token',
  ],
  [
    vue('<template>\n  <svg><use href="/icons.svg#a" /></svg>\n</template>'),
    'src/App.vue:2:18: "/icons.svg" is not in the project: there is no file icons.svg',
  ],
  [vue('<p/>'), 'src/App.vue:1:1: At least one <template> or <script> is required in a single file component'],
  [vue('<template>\n  <div>\n</template>'), 'src/App.vue:2:3: Element is missing end tag'],
  [vue('<template><p v-else>x</p></template>'), 'src/App.vue:1:11: v-else/v-else-if has no adjacent v-if or v-else-if'],
  [
    vue('<script setup lang="ts">\ndefineProps<Missing>()\n</script>'),
    'src/App.vue:2:13: The compiler of Vue cannot follow this type (Unresolvable type reference or unsupported built-in utility type): declare the properties in this file',
  ],
  [vue('<template><p/></template>\n<style scoped>\np { color: red\n</style>'), 'src/App.vue:3:1: Unclosed block'],
  [
    vue('<template><p/></template>\n<style lang="scss">\n$a: 1;\n</style>'),
    'src/App.vue:2:20: lang="scss" of a style is not supported: write CSS, which nests',
  ],
  [
    vue('<template lang="pug">\np hi\n</template>'),
    'src/App.vue:1:22: lang="pug" of a template is not supported: write HTML',
  ],
  [
    vue('<script lang="coffee">\na\n</script>'),
    'src/App.vue:1:23: lang="coffee" of a script is not supported: write TypeScript',
  ],
  [vue('<template src="./none.html"></template>'), 'src/App.vue:1:29: There is no file "./none.html" in the project'],
  [svelte('<p>\n  {#if a}\n</p>'), 'src/App.svelte:3:1: `</p>` attempted to close an element that was not open'],
  [svelte('<script>\n  let a = $state(;\n</script>'), 'src/App.svelte:2:18: Unexpected token'],
  [
    svelte('<p/>\n<style lang="scss">\n$a: 1;\n</style>'),
    'src/App.svelte:2:1: lang="scss" of a style is not supported: write CSS, which nests',
  ],
  [
    svelte('', { 'src/main.ts': "import './x.svelte.js'", 'src/x.svelte.js': 'let a = 1;\nlet b = ;' }),
    'src/x.svelte.js:2:9: Unexpected token',
  ],
  [solid('const a = 1;\nexport default () => <p>;'), 'src/App.tsx:2:25: Unterminated JSX contents'],
])('reports the place of an error', async (project, expected) => {
  const error: BuildError = await bundle(project).then(
    () => Promise.reject(new Error('It was built')),
    (thrown) => thrown,
  );
  const [{ path, line, column, message, excerpt } = { message: String(error) }] = error.problems ?? [];
  expect(`${path}:${line}:${column}: ${message}`).toBe(expected);
  expect(excerpt).toBeDefined();
});
