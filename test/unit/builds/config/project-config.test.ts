import { readProjectConfig } from '../../../../lambda/builds/config/project-config.ts';
import { aliasTargets } from '../../../../lambda/builds/config/settings.ts';
import { testRows } from '../../../support/rows.ts';

const filesOf = (files: Record<string, string>) =>
  new Map(Object.entries(files).map(([path, text]) => [path, new TextEncoder().encode(text)]));
const read = (files: Record<string, string>) => readProjectConfig(filesOf(files));
const targetsOf = (specifier: string, files: Record<string, string>) => aliasTargets(specifier, read(files).aliases);

describe('aliases', () => {
  testRows<[string, Record<string, string>, string[]]>([
    [
      '@/lib/utils',
      { 'tsconfig.json': '{ // a\n "compilerOptions": { /* b */ "paths": { "@/*": ["./src/*",], }, }, }' },
      ['/src/lib/utils'],
    ],
    [
      '@/a',
      {
        'tsconfig.json': '{"files":[],"references":[{"path":"./tsconfig.app.json"}]}',
        'tsconfig.app.json': '{"compilerOptions":{"baseUrl":".","paths":{"@/*":["src/*"]}}}',
      },
      ['/src/a', '/@/a'],
    ],
    [
      '~/a',
      {
        'tsconfig.json': '{"extends":["./config/base","@tsconfig/strictest"]}',
        'config/base.json': '{"compilerOptions":{"paths":{"~/*":["../app/*"]}}}',
      },
      ['/app/a'],
    ],
    [
      '@/a',
      {
        'tsconfig.json': '{"extends":"./b.json","compilerOptions":{"paths":{"@/*":["x/*"]}}}',
        'b.json': '{"extends":"./tsconfig.json"}',
      },
      ['/x/a'],
    ],
    ['components/a', { 'jsconfig.json': '{"compilerOptions":{"baseUrl":"src"}}' }, ['/src/components/a']],
    [
      '@/a',
      {
        'vite.config.ts': `import path from "path"; import { defineConfig } from "vite"; import react from "@vitejs/plugin-react-swc";
            import { componentTagger } from "lovable-tagger";
            export default defineConfig(({ mode }) => ({ server: { host: "::" },
              plugins: [react(), mode === "development" && componentTagger()].filter(Boolean),
              resolve: { alias: { "@": path.resolve(__dirname, "./src"), react: 'preact/compat' } } }));`,
      },
      ['/src/a'],
    ],
    [
      '@/a/b',
      {
        'vite.config.js': `import { fileURLToPath, URL } from 'node:url'; const src = fileURLToPath(new URL('./src', import.meta.url));
            export default { resolve: { alias: [{ find: '@', replacement: src }] } } satisfies Config`,
      },
      ['/src/a/b'],
    ],
    [
      '@/a',
      {
        'vite.config.js': "export default { resolve: { alias: [{ find: /^@\\//, replacement: '/src/' }] } }",
      },
      ['/src/a'],
    ],
    [
      '~/a',
      {
        'vite.config.js': `export default { resolve: { alias: [{ find: /^~(.*)$/, replacement: '/src$1' },
            { find: /^~$/, replacement: './src/index.ts' }] } }`,
      },
      ['/src/a'],
    ],
    [
      'react/jsx-runtime',
      { 'vite.config.js': "module.exports = { resolve: { alias: { react: 'preact/compat' } } }" },
      ['preact/compat/jsx-runtime'],
    ],
  ])('resolves paths and aliases', (specifier, files, expected) => {
    expect(targetsOf(specifier, files)).toEqual(expected);
    expect(read(files).warnings).toEqual([]);
  });

  it('keeps paths above the project within it', () => {
    const config = '{"compilerOptions":{"paths":{"@/*":["../../../etc/*"]}}}';
    expect(targetsOf('@/passwd', { 'tsconfig.json': config })).toEqual(['/etc/passwd']);
  });
});

describe('vite.config', () => {
  it('reads definitions and warns of what is left out, with its line', () => {
    const { define, warnings } = read({
      'vite.config.ts': `import { defineConfig, loadEnv } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { readFileSync } from 'node:fs';
import manifest, { version } from './package.json';
const text = JSON.parse(readFileSync(new URL('./package.json', import.meta.url), 'utf8'));
export default defineConfig(({ mode }) => {
  const env = loadEnv(mode, '.', '');
  return {
    plugins: [VitePWA({})],
    define: { __VERSION__: JSON.stringify(\`\${manifest.name} \${version}, \${text.version}\`), __FLAGS__: { a: true },
      __NPM__: JSON.stringify(process.env.npm_package_version), __TREE__: JSON.stringify(env.VITE_TREE),
      'process.env.KEY': JSON.stringify(env.KEY) },
  };
});`,
      'package.json': '{ "name": "orchard", "version": "1.2.0" }',
      '.env': 'VITE_TREE=pear',
    });
    expect(Object.fromEntries(define)).toEqual({
      __VERSION__: '"orchard 1.2.0, 1.2.0"',
      __FLAGS__: '{"a":true}',
      __NPM__: '"1.2.0"',
      __TREE__: '"pear"',
    });
    expect(warnings).toEqual([
      expect.objectContaining({
        path: 'vite.config.ts',
        line: 9,
        message: expect.stringContaining('vite-plugin-pwa'),
      }),
      expect.objectContaining({
        path: 'vite.config.ts',
        line: 12,
        message: expect.stringContaining('process.env.KEY'),
      }),
    ]);
  });
});

testRows<[Record<string, string>, 3 | 4 | undefined]>([
  [{ 'src/index.css': '@tailwind base;\n@tailwind utilities;' }, 3],
  [{ 'src/index.css': '@import "tailwindcss";' }, 4],
  [{ 'package.json': '{"devDependencies":{"tailwindcss":"^3.4.1"}}' }, 3],
  [{ 'package.json': '{"dependencies":{"tailwindcss":"~4.1"}}' }, 4],
  [{ 'package.json': '{"dependencies":{"tailwindcss":"latest"}}' }, 4],
  [{ 'tailwind.config.js': 'module.exports = {}' }, 3],
  [{ 'package.json': '[]', 'a.css': 'a { }' }, undefined],
])('recognizes the version of Tailwind', (files, version) => {
  expect(read(files).tailwind?.version).toBe(version);
});

testRows<[Record<string, string>, string[]]>([
  [
    {
      'postcss.config.cjs':
        "module.exports = { plugins: { tailwindcss: {}, 'postcss-preset-mantine': {}, autoprefixer: {} } }",
    },
    ['postcss.config.cjs:1 The plugin postcss-preset-mantine of PostCSS is ignored: configuration is read, not run'],
  ],
  [
    {
      'postcss.config.cjs': "module.exports = {\n plugins: [require('postcss-simple-vars')({ variables: {} })] }",
    },
    ['postcss.config.cjs:2 The plugin postcss-simple-vars of PostCSS is ignored: configuration is read, not run'],
  ],
  [{ 'postcss.config.mjs': "export default { plugins: { '@tailwindcss/postcss': {} } }" }, []],
  [
    {
      'vite.config.ts': `import react from '@vitejs/plugin-react';
export default {
  plugins: [react({ jsxImportSource: '@emotion/react', babel: { plugins: ['babel-plugin-react-compiler'] } })],
  resolve: { extensions: ['.web.ts', '.ts'] } };`,
    },
    ['vite.config.ts:3 "babel" of @vitejs/plugin-react is ignored'],
  ],
  [
    {
      'vite.config.ts':
        "export default { publicDir: '../public', envPrefix: 'VITE_', envDir: './env', assetsInclude: ['**/*.glb', '*.hdr'] }",
    },
    ['vite.config.ts:1 "envDir" of the configuration of Vite is ignored'],
  ],
  [
    {
      'vite.config.ts': "export default { publicDir: false, envPrefix: ['VITE_', 'A_'], assetsInclude: ['**/*.fbx'] }",
    },
    ['publicDir', 'envPrefix', 'assetsInclude'].map(
      (name) => `vite.config.ts:1 "${name}" of the configuration of Vite is ignored`,
    ),
  ],
  [
    {
      'vite.config.ts': `import vue from '@vitejs/plugin-vue';
import { visualizer } from 'rollup-plugin-visualizer';
import vars from 'postcss-simple-vars';
import autoprefixer from 'autoprefixer';
export default {
  plugins: [[
    vue({ template: { compilerOptions: {
      isCustomElement: (tag) => tag.startsWith('x-'),
      hoistStatic: false } },
      features: { optionsAPI: false } }),
    [visualizer()], false,
    { name: 'own', transform() {} },
  ]],
  resolve: {
    alias: [
      { find: /^@\\//, replacement: '/src/' },
      { find: /(a|b)/, replacement: '/src/' }],
    conditions: ['x'] },
  css: { postcss: { plugins: [
    autoprefixer(), vars()] },
    modules: { localsConvention: 'camelCase', hashPrefix: 'x' } },
  publicDir: 'static',
  build: { outDir: 'out', target: 'es2015', rollupOptions: {
    output: { entryFileNames: 'a.js' },
    external: ['react'] } } };`,
    },
    [
      'vite.config.ts:9 "template.compilerOptions.hoistStatic" of @vitejs/plugin-vue is ignored',
      'vite.config.ts:10 "features" of @vitejs/plugin-vue is ignored',
      'vite.config.ts:11 The plugin rollup-plugin-visualizer is ignored: configuration is read, not run',
      'vite.config.ts:12 The plugin own is ignored: configuration is read, not run',
      'vite.config.ts:18 "resolve.conditions" of the configuration of Vite is ignored',
      'vite.config.ts:22 "publicDir" of the configuration of Vite is ignored',
      'vite.config.ts:20 The plugin postcss-simple-vars of PostCSS is ignored: configuration is read, not run',
      'vite.config.ts:21 "css.modules.hashPrefix" of the configuration of Vite is ignored',
      'vite.config.ts:23 "build.target" of the configuration of Vite is ignored',
      'vite.config.ts:25 "build.rollupOptions.external" of the configuration of Vite is ignored',
      'vite.config.ts:17 This alias is ignored: of regular expressions, only the beginning of a name is read',
    ],
  ],
  [
    {
      'postcss.config.js':
        "module.exports = ({ env }) => ({\n plugins: [['postcss-preset-mantine', {}], env === 'production' && require('x')()] })",
    },
    [
      'postcss.config.js:2 The plugin postcss-preset-mantine of PostCSS is ignored: configuration is read, not run',
      'postcss.config.js:2 The plugin x of PostCSS is ignored: configuration is read, not run',
    ],
  ],
  [
    { 'package.json': '{\n "postcss": { "plugins": {\n "postcss-simple-vars": {}, "autoprefixer": {} } } }' },
    ['package.json:3 The plugin postcss-simple-vars of PostCSS is ignored: configuration is read, not run'],
  ],
  [
    { 'tsconfig.json': '{ "compilerOptions": {\n "emitDecoratorMetadata": true } }' },
    ['tsconfig.json:2 "emitDecoratorMetadata" is ignored: decorators get no types at run time'],
  ],
])('names the tools that are not run', (files, expected) => {
  const { warnings } = read(files);
  expect(warnings.map(({ path, line, message }) => `${path}:${line} ${message}`)).toEqual(expected);
});

it('takes the source of JSX from the plugin for React', () => {
  const config = `import react from '@vitejs/plugin-react'; export default { plugins: [react({ jsxImportSource: '@emotion/react' })] }`;
  expect(read({ 'vite.config.ts': config }).jsx.jsxImportSource).toBe('@emotion/react');
});
