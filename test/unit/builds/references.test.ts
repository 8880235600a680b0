import type { BuildContext } from '../../../lambda/builds/context.ts';
import { svgComponents } from '../../../lambda/builds/own-code/svg-components.ts';
import { buildTexts, givenPackages, type Texts } from '../../support/build-project.ts';
import { linearTime, repeated } from '../../support/linear-time.ts';
import { filesOf } from '../../support/registry/project.ts';
import { testRows } from '../../support/rows.ts';
import { runScripts } from '../../support/run-scripts.ts';

const PACKAGES = givenPackages({
  'hooks/package.json': '{ "name": "hooks", "version": "1.0.0", "type": "module" }',
  'hooks/index.js': 'export { useState as state } from "react";',
  'react-router/package.json': '{ "name": "react-router", "version": "7.0.0", "type": "module" }',
  'react-router/index.js': 'export const createBrowserRouter = (_, options) => options.basename;',
  'react/package.json': '{ "name": "react", "version": "19.0.0", "type": "module" }',
  'react/index.js': 'export const createElement = (_, properties) => properties;',
  'preact/package.json': '{ "name": "preact", "version": "10.0.0", "type": "module" }',
  'preact/compat/index.js': 'export const useState = "compat";',
  'maps/package.json': '{ "name": "maps", "version": "1.0.0", "type": "module" }',
  'maps/index.js': `export const picture = new URL('./images/pin.png', import.meta.url).href;
    export const run = () => new Worker(new URL('work.js', import.meta.url));`,
  'maps/work.js': 'import "./loaded.js";',
  'maps/loaded.js': 'globalThis.log("loaded in a worker");',
  'maps/images/pin.png': 'pin',
  'maps/maps.css': '.map { background: url(images/pin.png) }',
  'vue/package.json': '{ "name": "vue", "version": "3.0.0", "type": "module" }',
  'vue/index.js': `export const defineComponent = (options) => options;
    export const toDisplayString = String; export const Fragment = 1;`,
  'maps/types.js': '',
  'maps/types.d.ts': `import type { Base } from './base.js'; import('./base.js');
    export interface Named extends Base { name?: string }`,
  'maps/base.d.ts': 'export interface Base { as?: string; flag?: boolean }',
});
const MAPS = '{ "dependencies": { "maps": "1" } }';
const PAGE = '<div id="root"></div><script type="module" src="/src/main.ts"></script>';

async function built(texts: Texts) {
  const { files, report } = await buildTexts(
    { 'index.html': PAGE, 'package.json': MAPS, ...texts },
    { packages: PACKAGES },
  );
  const all = [...files].map(([path, content]) => ({ path, text: Buffer.from(content).toString() }));
  return { files, all, warnings: report.warnings };
}

/** Names of assets without their hash, as URLs of `file:` and of pages have them. */
const plain = (value: unknown) =>
  typeof value === 'string' ? value.replace(/^.*\//, '').replace(/-[0-9a-f]{16}/, '') : value;

testRows<[string, Texts, unknown[]]>([
  [
    'a file of a package by URL',
    { 'src/main.ts': "log(new URL('maps/images/pin.png', import.meta.url).href)" },
    ['pin.png'],
  ],
  [
    'a file that a package names by URL',
    { 'src/main.ts': "import { picture } from 'maps'; log(picture)" },
    ['pin.png'],
  ],
  ['a name of nothing by URL', { 'src/main.ts': "log(new URL('people', import.meta.url).href)" }, ['people']],
  [
    'a file by URL through an alias',
    { 'src/main.ts': "log(new URL('@/pear.png', import.meta.url).href)", 'src/pear.png': 'pear' },
    ['pear.png'],
  ],
  [
    'one of several files by URL, in a folder with brackets',
    {
      'index.html': PAGE.replace('main', '[tree]/main'),
      'src/[tree]/main.ts': 'const name = ["pear"].join(); log(new URL(`./of.$' + '{name}.png`, import.meta.url).href)',
      'src/[tree]/of.pear.png': 'pear',
    },
    ['of_pear.png'],
  ],
  [
    'a dynamic import in a folder with brackets',
    {
      'src/main.ts': "import './[tree]/page';",
      'src/[tree]/page.ts':
        'const name = ["pear"].join(); log((await import(`./of.$' + '{name}.ts`)).default); export {}',
      'src/[tree]/of.pear.ts': 'export default "pear"',
    },
    ['pear'],
  ],
  [
    'a glob in a folder with brackets and parentheses',
    {
      'src/main.ts': "import './(all)/[...tree]/page';",
      'src/(all)/[...tree]/page.ts':
        "log(...Object.keys(import.meta.glob(['./of.*.ts', '../*.ts', '!**/*.test.ts'], { eager: true })))",
      'src/(all)/[...tree]/of.pear.ts': '',
      'src/(all)/[...tree]/of.pear.test.ts': '',
      'src/(all)/other.ts': '',
    },
    ['of.pear.ts', 'other.ts'],
  ],
  [
    'the path of the site for a router that is told the base of another host',
    {
      'package.json': '{ "dependencies": { "react-router": "7" } }',
      'vite.config.ts': "export default { base: process.env.NODE_ENV === 'production' ? '/orchard/' : '/' }",
      'src/main.ts': `import { createBrowserRouter as at } from 'react-router';
        log(at([], { basename: '/orchard' }) === at([]), at([], { basename: '/other' }))`,
    },
    [true, 'other'],
  ],
  [
    'packages of a workspace, beside the root of the page',
    {
      'vite.config.ts': "export default { root: 'apps/web' }",
      'package.json': '{ "workspaces": ["apps/*", "packages/*"] }',
      'apps/web/package.json':
        '{ "dependencies": { "@orchard/ui": "*", "trees": "workspace:^", "figs": "^1.0.0", "maps": "1" } }',
      'apps/web/index.html': PAGE,
      'apps/web/src/main.ts':
        'import { pear } from "@orchard/ui"; import a from "@orchard/ui/a"; import b from "trees/lib/b"; import t from "trees"; import f from "figs"; log(pear, a, b, t, f)',
      'packages/ui/package.json':
        '{ "name": "@orchard/ui", "private": true, "exports": { ".": { "types": "./x.d.ts", "default": "./src/ui.ts" }, "./*": "./src/of/*.ts" } }',
      'packages/ui/src/ui.ts': 'export { default as pear } from "trees"',
      'packages/ui/src/of/a.ts': 'export default "a"',
      'packages/trees/package.json': '{ "name": "trees", "version": "1.0.0", "main": "dist/index.js" }',
      'packages/trees/src/index.ts': 'export default "pear"',
      'packages/trees/lib/b.ts': 'export default "b"',
      'packages/figs/package.json': '{ "name": "figs", "version": "1.0.0", "main": "fig.ts" }',
      'packages/figs/fig.ts': 'export default "fig"',
    },
    ['pear', 'a', 'b', 'pear', 'fig'],
  ],
  [
    'imports of package.json',
    {
      'package.json':
        '{ "imports": { "#tree": "./src/tree.ts", "#lib/*": { "default": "./src/lib/*.ts" }, "#pin": "maps" } }',
      'src/main.ts':
        'import tree from "#tree"; import a from "#lib/a"; import { picture } from "#pin"; log(tree, a, picture)',
      'src/tree.ts': 'export default "tree"',
      'src/lib/a.ts': 'export default "a"',
    },
    ['tree', 'a', 'pin.png'],
  ],
  [
    'the file of the first extension',
    {
      'vite.config.ts': "export default { resolve: { extensions: ['.web.ts', '.ts'] } }",
      'src/main.ts': 'import tree from "./tree"; log(tree)',
      'src/tree.ts': 'export default "no"',
      'src/tree.web.ts': 'export default "web"',
    },
    ['web'],
  ],
  [
    'Preact in place of React, in packages as well',
    {
      'vite.config.ts': "import preact from '@preact/preset-vite'; export default { plugins: [preact()] }",
      'src/main.ts': 'import { useState } from "react"; import { state } from "hooks"; log(useState, state)',
    },
    ['compat', 'compat'],
  ],
  [
    'a file whose name is in another Unicode form',
    {
      'index.html': PAGE.replace('main', 'm\u0061\u0308in'),
      'src/m\u00e4in.ts': 'import tree from "./a\u0308pfel"; log(tree)',
      'src/\u00e4pfel.ts': 'export default "apple"',
    },
    ['apple'],
  ],
  [
    'a picture with a query that a plugin would read',
    { 'src/main.ts': "import url from './pear.png?w=400'; log(url)", 'src/pear.png': 'p'.repeat(5_000) },
    ['pear.png'],
  ],
  [
    'scripts whose names have other characters than URLs',
    {
      'src/main.ts': `const names = ['Zähler (1)', 'a@2x', "y'=0"]; const found = [];
        for (const name of names) found.push((await import(\`./\${name}.ts\`)).default);
        log(...found); export {}`,
      'src/Zähler (1).ts': 'export default "umlaut"',
      'src/a@2x.ts': 'export default "at"',
      "src/y'=0.ts": 'export default "quote"',
    },
    ['umlaut', 'at', 'quote'],
  ],
  [
    'a package by its path',
    { 'src/main.ts': "import { picture } from '../node_modules/maps/index.js'; log(picture)" },
    ['pin.png'],
  ],
  [
    'properties by types of a package',
    {
      'src/main.ts': "import App from './App.vue'; log(...Object.keys(App.props))",
      'src/App.vue': `<script setup lang="ts">
import type { Props } from './props';
const props = defineProps<Props>();
</script><template>{{ props.as }}</template>`,
      'src/props.ts': "import type { Named } from 'maps/types'; export interface Props extends Named { own: string }",
    },
    ['own', 'name', 'as', 'flag'],
  ],
])('finds', async (_, texts, logged) => {
  const vue = { 'src/shims.d.ts': '' };
  const { files, warnings } = await built({ ...vue, ...texts });
  expect((await runScripts(files)).flat().map(plain)).toEqual(logged);
  expect(warnings).toEqual([]);
});

const LEAF = `<?xml version="1.0"?><svg class='a' stroke-width="2" xlink:href="#x" data-a="1" style="fill: red; --b:url(a:b)">
<title>{leaf}</title></svg>`;
const SVGR = {
  'package.json': '{ "dependencies": { "react": "19" } }',
  'src/leaf.svg': LEAF,
  'src/bare.svg': '<svg/>',
};
const componentOf = (options: string, main: string): Texts => ({
  ...SVGR,
  'vite.config.ts': `import svgr from 'vite-plugin-svgr'; export default { plugins: [svgr(${options})] }`,
  'src/main.ts': main,
});
testRows<[string, Texts]>([
  ['?react', componentOf('', "import Leaf from './leaf.svg?react'; log(JSON.stringify(Leaf({ width: 3 })))")],
  [
    'ReactComponent, as versions before 4 have it',
    componentOf(
      '',
      "import url, { ReactComponent } from './leaf.svg'; log(JSON.stringify(ReactComponent({ width: 3, url: undefined })), typeof url)",
    ),
  ],
  [
    'every picture',
    componentOf("{ include: '**/*.svg' }", "import Leaf from './leaf.svg'; log(JSON.stringify(Leaf({ width: 3 })))"),
  ],
  [
    '?react without the plugin',
    {
      ...componentOf('', "import Leaf from './leaf.svg?react'; log(JSON.stringify(Leaf({ width: 3 })))"),
      'vite.config.ts': 'export default {}',
    },
  ],
])('makes components of SVG: %s', async (_, texts) => {
  const { files, warnings } = await built(texts);
  const [logged = ''] = (await runScripts(files)).flat();
  expect(JSON.parse(String(logged))).toEqual({
    className: 'a',
    strokeWidth: '2',
    xlinkHref: '#x',
    'data-a': '1',
    style: { fill: 'red', '--b': 'url(a:b)' },
    width: 3,
    dangerouslySetInnerHTML: { __html: '\n<title>{leaf}</title>' },
  });
  expect(warnings).toEqual([]);
});

it('reads SVG in linear time', () => {
  const load = (svg: string) => {
    const context = { project: filesOf({ 'src/leaf.svg': svg }), config: { svgr: 'query' } } as unknown as BuildContext;
    return () => {
      try {
        return svgComponents(context).load('src/leaf.svg?react', {} as never);
      } catch (error) {
        return error;
      }
    };
  };
  const inLinearTime = linearTime(load(`<svg>${repeated('<path d="M0 0h24v24H0z"/>')}</svg>`));
  for (const hostile of [repeated('<svg '), `<svg ${repeated('a')}>`, repeated('<svg a="'), repeated('<svg>')])
    inLinearTime(load(hostile));
});

it('names a package whose types cannot be fetched only if they are needed', async () => {
  const project = (macro: string): Texts => ({
    'package.json': '{ "dependencies": { "own-types": "workspace:*" } }',
    'src/main.ts': "import App from './App.vue'; log(Object.keys(App.props).join())",
    'src/App.vue': `<script setup lang="ts">
import type { Props } from 'own-types'; type Own = Props; defineProps<${macro}>()</script><template>a</template>`,
  });
  const { files } = await built(project('{ tree: string }'));
  expect(await runScripts(files)).toEqual([['tree']]);
  await expect(built(project('Props'))).rejects.toMatchObject({
    problems: [
      { message: 'There is no package "own-types"' },
      { path: 'src/App.vue', message: expect.stringMatching(/^The types of this name/) },
    ],
  });
});

testRows<[string, Texts, readonly string[]]>([
  [
    'of own code through an alias, with what it imports',
    {
      'src/main.ts': "log(new Worker(new URL('@/work.js', import.meta.url), { type: 'module' }))",
      'src/work.ts': 'import { done } from "@/done"; postMessage(done as string);',
      'src/done.ts': 'export const done: string = "done in a worker"',
    },
    ['done in a worker'],
  ],
  [
    'of a package by URL',
    { 'src/main.ts': "log(new Worker(new URL('maps/work.js', import.meta.url)))" },
    ['loaded in a worker'],
  ],
  [
    'of a package by query',
    { 'src/main.ts': "import Work from 'maps/work.js?worker'; log(new Work())" },
    ['loaded in a worker'],
  ],
  ['that a package starts', { 'src/main.ts': "import { run } from 'maps'; log(run())" }, ['loaded in a worker']],
])('bundles the script of a worker', async (_, texts, expected) => {
  const { all } = await built(texts);
  const scripts = all.filter(({ path }) => path.endsWith('.js'));
  for (const text of expected) {
    const script = scripts.find((each) => each.text.includes(text));
    // It does nothing but that: no other script has its code.
    expect(script?.text).not.toContain('new Worker');
    const named = scripts.filter((each) => each.text.includes(script?.path.replace('assets/', '') ?? '-'));
    expect(named.length).toBeGreaterThan(0);
  }
});

it('joins files of a package that are loaded later, if there are very many', async () => {
  const names = Array.from({ length: 150 }, (_, index) => `icon-${index}`);
  const packages = givenPackages({
    'icons/package.json': '{ "name": "icons", "version": "1.0.0", "type": "module" }',
    'icons/index.js': `export const icons = { ${names.map((name) => `'${name}': () => import('./${name}.js')`).join()} }`,
    ...Object.fromEntries(names.map((name) => [`icons/${name}.js`, `export default "${name}"`])),
  });
  const main = 'import { icons } from "icons"; log((await icons["icon-149"]()).default)';
  const { files } = await buildTexts({ 'index.html': PAGE, 'src/main.ts': main }, { packages });
  expect(await runScripts(files)).toEqual([['icon-149']]);
  expect(files.size).toBeLessThan(10);
  const page = Buffer.from(files.get('index.html') ?? '').toString();
  expect(page.match(/modulepreload/g)?.length).toBeLessThan(4);
});

it('builds inline styles that refer to files, and leaves others as they are', async () => {
  const { all, warnings } = await built({
    '.env': 'VITE_TITLE=Pears of the orchard\nVITE_PHOTO=photo',
    'index.html': `<title>%VITE_TITLE%</title><style media="print">@import "./src/more.css"; @import "maps/maps.css";
#root { background: url(src/pear.png), url(/%VITE_PHOTO%.png), url(none.png) }</style>
<style>p   { color: red }</style><style type="text/tailwindcss">@theme {}</style>${PAGE}`,
    'src/main.ts': '',
    'src/more.css': '.more { background: url(./pear.png) }',
    'src/pear.png': 'pear',
    'public/photo.png': 'photo',
  });
  const page = all.find(({ path }) => path === 'index.html')?.text.replaceAll(/-[0-9a-f]{16}/g, '') ?? '';
  expect(page.slice(0, page.indexOf('<div'))).toBe(
    '<title>Pears of the orchard</title><style media="print">.more{background:url(/assets/pear.png)}.map{background:url(/assets/pin.png)}' +
      '#root{background:url(/assets/pear.png),url(/photo.png),url(none.png)}</style>\n' +
      '<style>p   { color: red }</style><style type="text/tailwindcss">@theme {}</style>',
  );
  expect(warnings).toEqual(['index.html:2:57: none.png is in no file']);
});

it('builds style sheets that scripts import as a text or a URL', async () => {
  const { files, all, warnings } = await built({
    'src/main.ts': `import text from './main.css?inline'; import url from './main.css?url'; import raw from './more.css?raw';
      log(text, url, raw)`,
    'src/main.css': `@import "./more.css"; @import "maps/maps.css";
      .main { color: #ff0000; &:hover { background: url(./pear.png), url(/photo.png) } }`,
    'src/more.css': '.more { color: #00ff00 }',
    'src/pear.png': 'pear',
    'public/photo.png': 'photo',
  });
  const [logged = []] = await runScripts(files);
  const [text, url, raw] = logged.map((value) => String(value).replaceAll(/-[0-9a-f]{16}/g, ''));
  const sheet = (assets: string, site: string) =>
    `.more{color:#0f0}.map{background:url(${assets}pin.png)}.main{color:red}` +
    `.main:hover{background:url(${assets}pear.png),url(${site}photo.png)}`;
  // The scripts run in a folder, whose parent is the base of the site.
  const site = text?.slice(text.indexOf('url(') + 'url('.length, text.indexOf('assets/pin.png'));
  expect(site).toMatch(/^\/.*\/$/);
  expect(text).toBe(sheet(`${site}assets/`, site ?? ''));
  expect(raw).toBe('.more { color: #00ff00 }');
  expect(url).toMatch(/\/main\.css$/);
  const written = all.find(({ path }) => path.endsWith('.css'))?.text.replaceAll(/-[0-9a-f]{16}/g, '');
  expect(written).toBe(sheet('', '../'));
  expect(all.find(({ path }) => path === 'index.html')?.text).not.toContain('stylesheet');
  expect(warnings).toEqual([]);
});

it('finds style sheets of packages by path, and their files', async () => {
  const { all } = await built({
    'index.html': `<link rel="stylesheet" href="/node_modules/maps/maps.css">${PAGE}`,
    'src/main.ts': 'import "./main.css"; import css from "maps/maps.css?inline"; log(css)',
    'src/main.css': '.main { background: url(maps/images/pin.png) }',
  });
  const css = all.find(({ path }) => path.endsWith('.css'))?.text.replaceAll(/-[0-9a-f]{16}/g, '');
  expect(css).toBe('.map,.main{background:url(pin.png)}');
});
