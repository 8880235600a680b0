import { contentOf } from '../../../../cli/folder/scan.ts';
import { findSite, manifestOf } from '../../../../cli/folder/site.ts';
import { neededLock, packageIn, referencesIn, sourceManifest } from '../../../../cli/folder/source.ts';
import { linearTime, repeated } from '../../../support/linear-time.ts';
import { testRows } from '../../../support/rows.ts';
import { planter, type Tree } from './tree.ts';

const plant = planter();

/** Returns what is sent of a project, with the names of what is left out. */
function sent(tree: Tree) {
  const manifest = sourceManifest(manifestOf(findSite(plant(tree), { asIs: true }), {}));
  const { files, leftOut, imported, variables = [], bytes } = manifest;
  const contents = new Map(files.map((file) => [file.path, contentOf(file).toString()]));
  return { contents, paths: [...contents.keys()], leftOut, imported, variables, bytes };
}

const many = (count: number, folder: string): Tree =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`${folder}/unused-${i}.ts`, 'export {}']));

const PAGE = { 'index.html': '<script type="module" src="/src/main.tsx"></script>' };

describe('the source of a project', () => {
  it('is all of it, if a deploy takes that many files', () => {
    const { paths, leftOut } = sent({
      ...PAGE,
      'src/main.tsx': '',
      'src/main.test.tsx': '',
      ...many(190, 'src'),
    });
    expect(paths).toHaveLength(193);
    expect(leftOut).toEqual([]);
  });

  it('has the files that a build reads, if there are too many', () => {
    const used: Tree = {
      ...PAGE,
      'tailwind.config.ts':
        "import theme from './theme/colors'; export default { content: ['./src/**/*.ts', './e2e/*'] }",
      'vite.config.ts.timestamp-1-2.mjs': "['./src/**/*.tsx']",
      'theme/colors.ts': '',
      'README.md': '',
      'public/logo.png': 'png',
      'src/main.tsx':
        "import App from './App'; import '@/index.css'; import('./pages/Late.js'); import { t } from \"~/i18n\"\nconst it = <p>don't</p>",
      'src/App.tsx':
        // The last one is a route.
        // biome-ignore lint/suspicious/noTemplateCurlyInString: of the project
        "import { Button } from '@/components/ui/button'\nimport icon from './assets/a.svg?raw'\nnew Worker(new URL('./worker.ts', import.meta.url))\nimport.meta.glob('./posts/*.md')\nimport(`./locales/${name}.json`)\n<Route path='/*' />",
      'src/index.css': '@import "./base.css"; a { background: url(./assets/b.png) }',
      'src/base.css': '',
      'src/components/ui/button.tsx': "export { cn } from 'src/lib/utils'",
      'src/lib/utils.ts': '',
      'src/i18n/index.ts': '',
      'src/assets/a.svg': '',
      'src/assets/b.png': '',
      'src/worker.ts': '',
      'src/posts/one.md': '',
      'src/locales/de.json': '{}',
      'src/pages/Late.tsx': '',
      'src/vite-env.d.ts': '',
    };
    const unused = { ...many(200, 'src/other'), 'src/App.test.tsx': "import './App'", 'e2e/a.spec.ts': '' };
    const { paths, leftOut } = sent({ ...used, ...unused });
    expect(paths).toEqual(Object.keys(used).sort());
    expect(leftOut.map(({ path }) => path).sort()).toEqual(Object.keys(unused).sort());
    expect(new Set(leftOut.map(({ reason }) => reason))).toEqual(new Set(['nothing imports it']));
  });

  it('has what a page in a folder imports of other packages of the project, by their names', () => {
    const used: Tree = {
      'package.json': '{ "workspaces": ["apps/*", "packages/*"] }',
      'apps/web/package.json': '{ "dependencies": { "@tree/ui": "*", "@tree/kit": "*", "unused": "*" } }',
      'apps/web/index.html': '<script type="module" src="/src/main.ts"></script>',
      'apps/web/vite.config.ts': '',
      'apps/web/public/pear.png': '',
      'apps/web/src/main.ts': "import { Button } from '@tree/ui'; import '@tree/ui/pear'; import '@tree/kit/sheet.css'",
      'packages/ui/package.json':
        '{ "name": "@tree/ui", "exports": { ".": "./lib/button.ts", "./pear": "./lib/fruits/pear.ts" } }',
      'packages/ui/lib/button.ts': "import './leaf'",
      'packages/ui/lib/leaf.ts': '',
      'packages/ui/lib/fruits/pear.ts': '',
      'packages/kit/package.json': '{ "name": "@tree/kit", "main": "dist/index.js" }',
      'packages/kit/src/index.ts': '',
      'packages/kit/sheet.css': '',
    };
    const unused = {
      ...many(200, 'packages/ui/lib/other'),
      'packages/unused/package.json': '{ "name": "unused" }',
    };
    const { paths } = sent({ ...used, ...unused });
    expect(paths).toEqual(Object.keys(used).sort());
  });

  it('has what code imports although .gitignore names it, and nothing else of that', () => {
    const { paths, imported } = sent({
      ...PAGE,
      '.gitignore': 'lib/\ngenerated/\nsecret.ts\n.cache\n',
      'package.json': '{ "dependencies": { "react-dom": "19" } }',
      'src/main.tsx':
        "import { tree } from '@/lib/tree'; import { createRoot } from 'react-dom/client'; import '../lib/n\u0061\u0308h'; // lib/secret",
      'src/lib/tree.ts': "import './leaf';",
      'src/lib/leaf.ts': '',
      'src/lib/unused.ts': '',
      'src/generated/client.ts': '',
      'src/secret.ts': '',
      'lib/n\u00e4h.ts': '',
      'node_modules/lib/tree.ts': '',
    });
    expect(imported).toEqual(['lib/n\u00e4h.ts', 'src/lib/tree.ts', 'src/lib/leaf.ts'].sort());
    expect(paths).toEqual([
      'index.html',
      'lib/n\u00e4h.ts',
      'package.json',
      'src/lib/leaf.ts',
      'src/lib/tree.ts',
      'src/main.tsx',
    ]);
  });

  it('has no file that .gitignore names and only other code than that of the page imports', () => {
    const { paths, imported, leftOut } = sent({
      ...PAGE,
      '.gitignore': 'credentials.json\nlib/\nconfig.ts\n',
      'src/main.tsx': "import './config'; import { tree } from './lib/tree';",
      'src/config.ts': '',
      'src/lib/tree.ts': '',
      'server.js': "import key from './credentials.json' with { type: 'json' };",
      'scripts/seed.ts': "import key from '../credentials.json'; import './lib/seed';",
      'scripts/lib/seed.ts': '',
      'credentials.json': '{}',
    });
    expect(imported).toEqual(['src/config.ts', 'src/lib/tree.ts']);
    expect(paths).not.toContain('credentials.json');
    expect(leftOut.map(({ path }) => path)).toEqual(['.gitignore', 'credentials.json', 'scripts/lib/', 'src/lib/']);
  });

  it('finds what a page in a root folder imports although .gitignore names it', () => {
    const { imported } = sent({
      'client/index.html': '<script type="module" src="/src/main.ts"></script>',
      'client/src/main.ts': "import.meta.glob('./pages/*.ts'); import '../../shared/lib/leaf'",
      'client/src/pages/one.ts': "import '../lib/tree';",
      'client/src/lib/tree.ts': '',
      'shared/lib/leaf.ts': '',
      '.gitignore': 'lib/',
    });
    expect(imported).toEqual(['client/src/lib/tree.ts', 'shared/lib/leaf.ts']);
  });

  it('has no lock file that no build reads', () => {
    const { paths, leftOut } = sent({ ...PAGE, 'yarn.lock': 'x', 'bun.lockb': Uint8Array.of(0, 255) });
    expect(paths).toEqual(['index.html']);
    expect(leftOut[0]).toEqual({ path: 'bun.lockb', reason: 'lock file of another package manager' });
  });

  it('has the VITE_ variables of .env files, by the precedence of Vite, and nothing else of these', () => {
    const { paths, variables } = sent({
      ...PAGE,
      '.env': 'VITE_A=1\nVITE_B="two words"\nSECRET=x\nVITE_E=$VITE_A-f\n',
      '.env.local': 'VITE_A=2',
      '.env.production': 'VITE_C=3 # comment\nexport VITE_A=4',
      '.env.development': 'VITE_D=5',
    });
    expect(paths).toEqual(['index.html']);
    expect(variables).toEqual([
      { name: 'VITE_A', value: '4', file: '.env.production' },
      { name: 'VITE_B', value: 'two words', file: '.env' },
      { name: 'VITE_E', value: '4-f', file: '.env' },
      { name: 'VITE_C', value: '3', file: '.env.production' },
    ]);
  });

  it('has no variable of a file outside of the folder, which a link could lead to', () => {
    const secret = plant({ credentials: 'key = hidden' });
    const tree = { ...PAGE, '.env': 'VITE_A=$key', '.env.local': `-> ${secret}/credentials` };
    expect(() => sent(tree)).toThrow('The symbolic link ".env.local" leads out of the folder');
    expect(sent({ ...PAGE, 'all.env': 'VITE_A=1', '.env': '-> all.env' }).variables).toEqual([
      { name: 'VITE_A', value: '1', file: '.env' },
    ]);
  });
});

const package_ = (dependencies?: object, more: object = {}) => ({ version: '1.0.0', dependencies, ...more });
const LOCK = {
  name: 'app',
  lockfileVersion: 2,
  packages: {
    '': { dependencies: { a: '1' }, devDependencies: { vite: '1' } },
    'node_modules/a': package_({ shared: '1' }, { peerDependencies: { peer: '1', missing: '1' } }),
    'node_modules/a/node_modules/shared': package_({ deep: '2' }),
    'node_modules/shared': package_({ unneeded: '1' }),
    'node_modules/deep': package_({ a: '1' }),
    'node_modules/peer': package_(),
    'node_modules/unneeded': package_(),
    'node_modules/@scope/styles': package_(),
    'node_modules/react': package_({ 'loose-envify': '1' }),
    'node_modules/loose-envify': package_(),
    'node_modules/vite': package_({ rolldown: '1' }),
    'node_modules/rolldown': package_(),
    'node_modules/__proto__': package_(),
  },
  dependencies: { a: {} },
};

describe('the lock file of a source', () => {
  it('has the packages that the code names, and what they need where Node finds it', () => {
    const { contents, bytes } = sent({
      ...PAGE,
      'package-lock.json': JSON.stringify(LOCK),
      'vite.config.ts': "import { defineConfig } from 'vite'",
      'src/main.tsx': "import 'a/sub'",
      'src/index.css': "@import '@scope/styles/index.css';",
      'src/vite-env.d.ts': '/// <reference types="vite/client" />',
    });
    const lock = JSON.parse(contents.get('package-lock.json') ?? '');
    expect(lock).toMatchObject({ name: 'app', lockfileVersion: 3 });
    expect(lock).not.toHaveProperty('dependencies');
    expect(Object.keys(lock.packages)).toEqual([
      '',
      'node_modules/a',
      'node_modules/a/node_modules/shared',
      'node_modules/deep',
      'node_modules/peer',
      'node_modules/@scope/styles',
      'node_modules/react',
      'node_modules/loose-envify',
    ]);
    expect(lock.packages['']).toEqual(LOCK.packages['']);
    expect(bytes).toBe([...contents.values()].join('').length);
  });

  testRows<string>([
    '',
    'no JSON',
    '[]',
    '{}',
    'null',
    '{"lockfileVersion":1,"dependencies":{}}',
    '{"lockfileVersion":3}',
  ])('is sent as it is if it is none of version 2 or 3', (text) => expect(neededLock(text, () => true)).toBe(text));
});

describe('references', () => {
  it('are found in linear time', () => {
    const check = linearTime(() => referencesIn(repeated('import a from "./a.ts";\n')));
    for (const unit of ['"', "'`(", '"a', 'url(', "import'a'"]) check(() => referencesIn(repeated(unit)));
  });

  testRows<[string, string | undefined]>([
    ['react', 'react'],
    ['react-dom/client', 'react-dom'],
    ['@radix-ui/react-dialog/dist/x', '@radix-ui/react-dialog'],
    ['./a', undefined],
    ['@/components', undefined],
    ['~/x', '~'],
    ['two words', undefined],
    ['__proto__', '__proto__'],
  ])('name packages', (reference, name) => expect(packageIn(reference)).toBe(name));
});
