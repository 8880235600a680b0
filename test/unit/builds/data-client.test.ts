import { buildTexts, givenPackages, type Texts } from '../../support/build-project.ts';
import { testRows } from '../../support/rows.ts';

const page = (script: string) =>
  `<!doctype html><html lang="en"><head><title>x</title></head><body>${script}</body></html>`;
const MAIN = '<script type="module" src="/src/main.ts"></script>';
const LIST = 'list: (items: object[]) => void';

const VUE = givenPackages({
  'vue/package.json': '{ "name": "vue", "version": "3.5.0", "main": "index.js" }',
  'vue/index.js':
    'export const createApp = () => ({ mount() {} }), defineComponent = (c) => c, openBlock = () => {}, createElementBlock = () => {};',
});

/** Returns the imports of data in the built scripts. */
async function dataImports(texts: Texts): Promise<string[]> {
  const { files, report } = await buildTexts({ 'package.json': '{}', ...texts }, { packages: VUE });
  expect(report.warnings).toEqual([]);
  const scripts = [...files].filter(([path]) => path.endsWith('.js'));
  return scripts.flatMap(([, content]) =>
    Array.from(
      Buffer.from(content)
        .toString()
        .matchAll(/["'`][^"'`]*\.data\/[^"'`]*["'`]/g),
      ([text]) => text.slice(1, -1),
    ),
  );
}

testRows<Texts>([
  { 'src/main.ts': `import { collection } from '../.data/client.js';\ncollection('a').list();` },
  { 'src/main.ts': `import { collection } from '/.data/client.js';\ncollection('a').list();` },
  {
    'src/main.ts': `import './lib/deep/a';`,
    'src/lib/deep/a.ts': `import { me } from '../../../.data/client.js';\nme();`,
  },
  { 'src/main.ts': `import { me } from '@/.data/client.js';\nme();` },
  { 'src/main.ts': `import('./.data/client.js').then(({ me }) => me());` },
  {
    'src/main.ts': `import { me } from './api';\nme();`,
    'src/api.ts': `export { me, collection } from '../.data/client.js';`,
  },
  {
    'src/main.ts': `import { type Item, collection } from './.data/client.js';\nconst ${LIST} = console.log;\nlist((await collection('a').list()).items as Item[]);`,
  },
  {
    'index.html': page(`<script type="module">import { me } from './.data/client.js'; me();</script>${MAIN}`),
    'src/main.ts': '',
  },
  {
    'src/main.ts': `import { createApp } from 'vue';\nimport App from './App.vue';\ncreateApp(App).mount('#app');`,
    'src/App.vue': `<script setup lang="ts">\nimport { me } from '../.data/client.js';\nme();\n</script>\n<template><p /></template>`,
  },
])('leaves the client of the data an import', async (texts) => {
  expect(await dataImports({ 'index.html': page(MAIN), ...texts })).toEqual(['../.data/client.js']);
});

testRows<[Texts, string]>([
  [{ '_data.json': '{}' }, '{}'],
  [{ 'public/_data.json': '{ }' }, '{ }'],
  [{ '_data.json': '{}', 'public/_data.json': '{ }' }, '{ }'],
])('publishes what a project declares', async (texts, declared) => {
  const { files } = await buildTexts({
    'index.html': page(MAIN),
    'src/main.ts': 'console.log(1);',
    ...texts,
  });
  expect(Buffer.from(files.get('_data.json') ?? '').toString()).toBe(declared);
});

it('leaves URLs of the data of a module alone', async () => {
  const code = `fetch(new URL('../.data/votes', import.meta.url));`;
  const { files, report } = await buildTexts({ 'index.html': page(MAIN), 'src/main.ts': code });
  const script = [...files].find(([path]) => path.endsWith('.js'))?.[1] ?? '';
  // Above `assets/`, as above `src/`.
  expect(Buffer.from(script).toString()).toMatch(/new URL\(["'`]\.\.\/\.data\/votes["'`],import\.meta\.url\)/);
  expect(report.warnings).toEqual([]);
});
