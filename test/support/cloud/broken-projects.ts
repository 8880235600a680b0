import type { TestRegistry } from '../registry.ts';

/** Files by path. */
export type Files = Readonly<Record<string, string>>;

/** A project that cannot be built: its name, its files beside those of `WORKING`, and how the error of the deploy begins. */
export type BrokenProject = readonly [what: string, files: Files, error: RegExp, status?: number];

/** A project that builds, without packages. */
export const WORKING: Files = {
  'index.html': '<title>Works</title><div id="root"></div><script type="module" src="/src/main.ts"></script>',
  'src/main.ts': "import { greet } from './greet';\n\ndocument.body.append(greet('world'));\n",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code
  'src/greet.ts': 'export const greet = (name: string) => `Hello ${name}`;\n',
};

const json = (value: unknown) => JSON.stringify(value, null, 2);
const main = (code: string) => ({ 'src/main.ts': code });
const needing = (dependencies: object, code = `import '${Object.keys(dependencies)[0]}';`): Files => ({
  'package.json': json({ dependencies }),
  'src/main.ts': code,
});
const framework = (name: string): Files => ({
  'index.html': '',
  'package.json': json({ dependencies: { [name]: '1' } }),
});

/** Adds the packages that broken projects use. */
export function addPackages(registry: TestRegistry): void {
  registry.add(
    {
      name: 'tidy',
      version: '1.2.3',
      files: { 'index.js': 'export const tidy = 1;' },
      manifest: { type: 'module', exports: './index.js' },
    },
    { name: 'hollow', version: '1.0.0', files: { 'index.js': "import './missing.js';" } },
    { name: 'newborn', version: '1.0.0', published: new Date().toISOString(), files: { 'index.js': '' } },
    { name: 'tampered', version: '1.0.0', files: { 'index.js': '' } },
    { name: 'cut-off', version: '1.0.0', files: { 'index.js': '' } },
    { name: 'bomb', version: '1.0.0', files: { 'index.js': '' } },
    { name: 'denied', version: '1.0.0', files: { 'index.js': '' } },
    { name: 'gone', version: '1.0.0', files: { 'index.js': '' } },
  );
  registry.faults.set('tampered', 'wrong integrity');
  registry.faults.set('cut-off', 'truncated');
  registry.faults.set('bomb', 'bomb');
  registry.faults.set('gone', 'unreachable');
}

const megabyte = (line: string) => line.repeat(Math.floor(1_000_000 / line.length));

export const BROKEN: readonly BrokenProject[] = [
  ['a statement without an end', main('const a = 1;\nconst b = ;\n'), /^src\/main\.ts:2:11: /],
  ['a string without an end', main("\n\nconst a = 'b;\n"), /^src\/main\.ts:3:11: /],
  ['a block without an end', main('if (true) {\n'), /^src\/main\.ts:\d+:\d+: /],
  [
    'an element without an end',
    { 'src/main.ts': "import './App';", 'src/App.tsx': 'export default () => (\n  <div>\n);\n' },
    /^src\/App\.tsx:[23]:\d+: /,
  ],
  ['JSX in a .ts file', main('document.title = <p>;'), /^src\/main\.ts:1:\d+: /],
  [
    'a missing file',
    main("import './greet';\nimport './nothing';\n"),
    /^src\/main\.ts:2:8: .*"\.\/nothing" is not in the project/,
  ],
  [
    'a file in another case',
    main("import './Greet';"),
    /^src\/main\.ts:1:8: .*differs in case from the file src\/greet\.ts/,
  ],
  [
    'a file outside of the project',
    main("import '../../etc/passwd';"),
    /^src\/main\.ts:1:8: .*outside the project/,
  ],
  [
    'a missing export',
    main("import { greet, leave } from './greet';\ngreet(leave);"),
    /^src\/main\.ts:1:17: "leave" is not exported by .*src\/greet\.ts/,
  ],
  [
    'a missing default export',
    main("import greet from './greet';\ngreet();"),
    /^src\/main\.ts:1:\d+: "default" is not exported/,
  ],
  [
    'a re-export of nothing',
    main("export { bye } from './greet';"),
    /^src\/main\.ts:1:\d+: "bye" is not exported/,
  ],
  [
    'a missing dynamic import',
    main("import('./later');"),
    /^src\/main\.ts:1:8: .*"\.\/later" is not in the project/,
  ],
  [
    'a missing worker',
    main("new Worker(new URL('./worker.ts', import.meta.url));"),
    /^src\/main\.ts:1:\d+: .*worker\.ts/,
  ],
  [
    'a missing image',
    main("import logo from './logo.png';\nconsole.log(logo);"),
    /^src\/main\.ts:1:18: .*logo\.png/,
  ],
  [
    'a missing component of shadcn/ui',
    main("import { Button } from '@/components/ui/button';\nconsole.log(Button);"),
    /^src\/main\.ts:1:24: .*shadcn\/ui components are files of the project/,
  ],
  [
    'a module of Node',
    main("import { readFileSync } from 'node:fs';\nreadFileSync('/etc/passwd');"),
    /^src\/main\.ts:1:30: .*module of Node\.js/,
  ],
  [
    'another module of Node',
    main("import fs from 'fs';\nfs.readFileSync('/etc/passwd');"),
    /^src\/main\.ts:1:16: .*module of Node\.js/,
  ],
  [
    'a module of Next.js',
    main("import Link from 'next/link';\nconsole.log(Link);"),
    /^src\/main\.ts:1:18: .*needs Next\.js/,
  ],
  ['an import that is no name', main("import 'c:/windows';"), /^src\/main\.ts:1:8: .*is in no package/],
  [
    'a circular alias of tsconfig.json',
    {
      'tsconfig.json': json({ compilerOptions: { paths: { '~/*': ['~/*'] } } }),
      'src/main.ts': "import '~/a';",
    },
    /^src\/main\.ts:1:8: /,
  ],
  [
    'a circular alias of vite.config.ts',
    {
      'vite.config.ts': "export default { resolve: { alias: { '~': '~' } } };",
      'src/main.ts': "import '~/a';",
    },
    /^src\/main\.ts:1:8: /,
  ],
  [
    'a page with a missing script',
    { 'index.html': '<title>a</title>\n<script type="module" src="/src/nothing.tsx"></script>' },
    /^index\.html:2:\d+: .*src\/nothing\.tsx/,
  ],
  [
    'a page with a broken inline script',
    { 'index.html': '<script type="module">\nimport "./src/main.ts";\nconst = 1;\n</script>' },
    /^index\.html:3:\d+: /,
  ],
  [
    'JSON with a comma too many',
    {
      'src/data.json': '{\n  "a": 1,\n}',
      'src/main.ts': "import data from './data.json';\nconsole.log(data);",
    },
    /^src\/data\.json:3:1: /,
  ],
  [
    'SCSS',
    { 'src/a.scss': '', ...main("import './a.scss';") },
    /^src\/main\.ts:1:8: .*write CSS, which nests/,
  ],
  [
    'Less',
    { 'src/a.less': '', ...main("import './a.less';") },
    /^src\/main\.ts:1:8: .*write CSS, which nests/,
  ],
  [
    'CSS that imports nothing',
    {
      'src/a.css': 'a {}\n',
      'src/b.css': "@import './nothing.css';",
      ...main("import './a.css';\nimport './b.css';"),
    },
    /^src\/b\.css:1:\d+: .*nothing\.css/,
  ],
  [
    'CSS without an end',
    { 'src/a.css': 'a {\n  color: red;\n  b: {{{', ...main("import './a.css';") },
    /^src\/a\.css:3:\d+: /,
  ],
  [
    'CSS modules with a missing composes',
    {
      'src/a.module.css': ".a {\n  composes: b from './nothing.css';\n}",
      ...main("import a from './a.module.css';\nconsole.log(a);"),
    },
    /^src\/a\.module\.css:2:\d+: .*nothing\.css/,
  ],
  [
    'Vue without an end',
    {
      'src/App.vue': '<template>\n  <div>\n</template>',
      ...main("import App from './App.vue';\nconsole.log(App);"),
      'package.json': json({ dependencies: { vue: '3' } }),
    },
    /^src\/App\.vue:2:\d+: /,
  ],
  [
    'Vue with a broken script',
    {
      'src/App.vue': '<script setup lang="ts">\nconst = 1;\n</script>\n<template><p /></template>',
      ...main("import App from './App.vue';\nconsole.log(App);"),
      'package.json': json({ dependencies: { vue: '3' } }),
    },
    /^src\/App\.vue:2:\d+: /,
  ],
  [
    'Svelte without an end',
    {
      'src/App.svelte': '<h1>\n  {#if true}\n</h1>',
      ...main("import App from './App.svelte';\nconsole.log(App);"),
      'package.json': json({ dependencies: { svelte: '5' } }),
    },
    /^src\/App\.svelte:\d:\d+: /,
  ],
  [
    'an invented package',
    main("import { sort } from 'super-array-sort-helper';\nsort();"),
    /^src\/main\.ts:1:22: .*super-array-sort-helper.*package\.json/,
  ],
  ['a misspelt package', main("import 'recat';"), /^src\/main\.ts:1:8: .*recat/],
  ['a package that npm does not have', needing({ 'never-published': '1' }), /never-published/],
  ['a version that does not exist', needing({ tidy: '^7.0.0' }), /^package\.json:3:\d+: .*tidy/],
  ['a range that is none', needing({ tidy: 'quite new' }), /^package\.json:3:\d+: .*tidy/],
  ['a package of git', needing({ tidy: 'github:someone/tidy' }), /^package\.json:3:\d+: .*tidy/],
  [
    'a package of another host',
    needing({ tidy: 'https://example.com/tidy.tgz' }),
    /^package\.json:3:\d+: .*tidy/,
  ],
  ['a package of a folder', needing({ tidy: 'file:../tidy' }), /^package\.json:3:\d+: .*tidy/],
  ['a package that is too young', needing({ newborn: '*' }), /newborn.*days/],
  ['a package that the operator denies', needing({ denied: '*' }), /denied/],
  [
    'an export that a package lacks',
    needing({ tidy: '*' }, "import { messy } from 'tidy';\nconsole.log(messy);"),
    /^src\/main\.ts:1:10: "messy" is not exported by tidy 1\.2\.3/,
  ],
  [
    'a path that a package does not export',
    needing({ tidy: '*' }, "import 'tidy/internal';"),
    /^src\/main\.ts:1:8: .*tidy\/internal/,
  ],
  ['a package without one of its files', needing({ hollow: '*' }), /missing\.js.*hollow\/index\.js/],
  [
    'a package whose archive is another one',
    needing({ tampered: '*' }),
    /tampered 1\.0\.0 does not have the hash/,
  ],
  ['a package whose archive is cut off', needing({ 'cut-off': '*' }), /cut-off 1\.0\.0/],
  ['a package that is an archive bomb', needing({ bomb: '*' }), /60 MB, or 250 MB unpacked/, 413],
  [
    'package.json that is no JSON',
    { 'package.json': '{\n  "dependencies": {,}\n}', ...main("import 'tidy';") },
    /^package\.json:2:\d+: /,
  ],
  ['package.json that is a list', { 'package.json': '[]', ...main("import 'tidy';") }, /^package\.json:1/],
  [
    'package-lock.json that is no JSON',
    { ...needing({ tidy: '*' }), 'package-lock.json': '{\n"packages": {{}}' },
    /^package-lock\.json:2:\d+: /,
  ],
  [
    'package-lock.json with another hash',
    {
      ...needing({ tidy: '*' }),
      'package-lock.json': json({
        lockfileVersion: 3,
        packages: {
          '': {},
          'node_modules/tidy': {
            version: '1.2.3',
            resolved: 'https://registry.npmjs.org/tidy/-/tidy-1.2.3.tgz',
            integrity: `sha512-${Buffer.alloc(64).toString('base64')}`,
          },
        },
      }),
    },
    /tidy 1\.2\.3 does not have the hash/,
  ],
  [
    'too many variables',
    { '.env': Array.from({ length: 51 }, (_, i) => `VITE_${i}=1`).join('\n') },
    /51 VITE_ variables/,
  ],
  [
    '10 MB of CSS',
    {
      ...Object.fromEntries(
        Array.from({ length: 9 }, (_, i) => [`src/${i}.css`, megabyte(`.a${i} { color: red }\n`)]),
      ),
      ...main(Array.from({ length: 9 }, (_, i) => `import './${i}.css';`).join('\n')),
    },
    /style sheets have more than/,
    413,
  ],
  [
    '5 MB of JSON',
    {
      ...Object.fromEntries(Array.from({ length: 5 }, (_, i) => [`src/${i}.json`, json(megabyte('a'))])),
      ...main(
        Array.from({ length: 5 }, (_, i) => `import j${i} from './${i}.json';\nconsole.log(j${i});`).join(
          '\n',
        ),
      ),
    },
    /built file .* has .* bytes, more than/,
    413,
  ],
  ...[
    'next',
    'nuxt',
    'astro',
    '@sveltejs/kit',
    '@remix-run/react',
    '@angular/core',
    '@tanstack/react-start',
  ].map(
    (name): BrokenProject => [
      `a project of ${name}`,
      { ...framework(name), 'src/main.ts': '' },
      new RegExp(`^This project uses ${name}, which renders on a server`),
    ],
  ),
];
