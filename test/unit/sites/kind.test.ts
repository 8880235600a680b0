import { projectKind } from '../../../lambda/sites/source/kind.ts';
import { linearTime } from '../../support/linear-time.ts';

const SCRIPT = (src: string) => `<!doctype html><script type="module" src="${src}"></script>`;
const SITE = { kind: 'site' };
const SOURCE = { kind: 'source', root: '', pages: ['index.html'] };
const VITE = '{"devDependencies":{"vite":"8"}}';
const COMPONENT = 'export default function App() { return <p/> }';

describe('projectKind', () => {
  it.each<[string, Record<string, string>, object]>([
    ['a plain page', { 'index.html': '<p>', 'app.js': '' }, SITE],
    ['TSX', { 'index.html': SCRIPT('/src/main.tsx') }, SOURCE],
    ['Vue below a query', { 'index.html': SCRIPT('src/App.vue?x') }, SOURCE],
    ['a classic script', { 'index.html': '<script src="a.ts"></script>' }, SITE],
    ['source in a comment', { 'index.html': `<!-- ${SCRIPT('a.tsx')} -->` }, SITE],
    ['source of another host', { 'index.html': SCRIPT('https://host.test/a.tsx') }, SITE],
    ['inline imports of a package', { 'index.html': '<script type="module">import "react"</script>' }, SOURCE],
    ['inline imports of a URL', { 'index.html': '<script type="module">import "https://esm.sh/react"</script>' }, SITE],
    ['a script that imports a package', { 'index.html': SCRIPT('a.js'), 'a.js': 'import x from "x"' }, SOURCE],
    [
      'a script that imports it indirectly',
      { 'index.html': SCRIPT('a.js'), 'a.js': 'import "./b.js"', 'b.js': 'import("x")' },
      SOURCE,
    ],
    ['a package in a comment', { 'index.html': SCRIPT('a.js'), 'a.js': '// import x from "x"' }, SITE],
    ['a script that imports CSS', { 'index.html': SCRIPT('/a.js'), 'a.js': 'import "./a.css"' }, SOURCE],
    [
      'a script that imports scripts',
      { 'index.html': SCRIPT('a.js'), 'a.js': 'import "./b.js"', 'b.js': 'import "./a.js"' },
      SITE,
    ],
    [
      'an import map',
      { 'index.html': `<script type="importmap">{}</script>${SCRIPT('a.js')}`, 'a.js': 'import "x"' },
      SITE,
    ],
    ['an import map beside TSX', { 'index.html': `<script type="importmap">{}</script>${SCRIPT('a.tsx')}` }, SOURCE],
    [
      'several pages',
      { 'index.html': SCRIPT('a.ts'), 'b/index.html': SCRIPT('../a.ts'), 'c.html': '' },
      { kind: 'source', root: '', pages: ['b/index.html', 'index.html'] },
    ],
    ['source behind another start page', { 'index.html': '<p>', 'demo/index.html': SCRIPT('a.ts') }, SITE],
    ['source in public', { 'index.html': '<p>', 'public/index.html': SCRIPT('a.ts') }, SITE],
    ['a lone component', { 'App.tsx': COMPONENT }, { kind: 'source', root: '', pages: [], component: 'App.tsx' }],
    [
      'a page of a block',
      { 'app/page.tsx': COMPONENT, 'components/ui/button.tsx': COMPONENT },
      { kind: 'source', root: '', pages: [], component: 'app/page.tsx' },
    ],
    [
      'the only JSX file',
      { 'chart.jsx': 'const C = 1; export { C as default }' },
      { kind: 'source', root: '', pages: [], component: 'chart.jsx' },
    ],
    ['components without a page', { 'A.tsx': COMPONENT, 'B.tsx': COMPONENT }, SITE],
    ['a component without a default export', { 'App.tsx': 'export const App = 1' }, SITE],
    ['a program for Node.js', { 'package.json': '{}', 'index.js': 'export default 1' }, SITE],
    [
      'a static export beside its package.json',
      { 'package.json': '{"dependencies":{"next":"16"}}', 'index.html': '<p>' },
      SITE,
    ],
    [
      'plain JavaScript that Vite builds',
      { 'package.json': VITE, 'index.html': SCRIPT('/src/main.js'), 'src/main.js': 'import "./tree"' },
      SOURCE,
    ],
    [
      'plain JavaScript with a configuration of Vite',
      { 'vite.config.mjs': '', 'index.html': SCRIPT('/a.js'), 'a.js': '__VERSION__' },
      SOURCE,
    ],
    [
      'the output of Vite beside its package.json',
      {
        'package.json': VITE,
        'index.html': SCRIPT('/assets/index-B2xk3f9Q.js'),
        'assets/index-B2xk3f9Q.js': '',
      },
      SITE,
    ],
    ['variables of Vite', { 'index.html': SCRIPT('a.js'), 'a.js': 'run(import.meta.env.VITE_TREE)' }, SOURCE],
    ['a glob of Vite', { 'index.html': SCRIPT('a.js'), 'a.js': 'import.meta.glob("./*.js")' }, SOURCE],
    ['the URL of a module', { 'index.html': SCRIPT('a.js'), 'a.js': 'import.meta.url' }, SITE],
    ['JSON without an attribute', { 'index.html': SCRIPT('a.js'), 'a.js': 'import d from "./d.json"' }, SOURCE],
    [
      'JSON as browsers import it',
      { 'index.html': SCRIPT('a.js'), 'a.js': 'import d from "./d.json" with { type: "json" }' },
      SITE,
    ],
    ['Sass', { 'index.html': SCRIPT('a.js'), 'a.js': 'import "./a.scss"' }, SOURCE],
    ['a page in a folder', { 'client/index.html': SCRIPT('./src/a.ts') }, { ...SOURCE, root: 'client/' }],
    [
      'JavaScript of Vite in a folder',
      {
        'package.json': '{}',
        'frontend/package.json': VITE,
        'frontend/index.html': SCRIPT('/src/a.js'),
        'frontend/src/a.js': '',
        'backend/server.js': '',
      },
      { ...SOURCE, root: 'frontend/' },
    ],
    [
      'a page in a folder that loads a script above it',
      { 'src/index.html': SCRIPT('/src/a.ts'), 'src/a.ts': '' },
      { ...SOURCE, pages: ['src/index.html'] },
    ],
    ...[
      `root: 'client'`,
      'root: "./client/"',
      `root: path.resolve(import.meta.dirname, 'client')`,
      `root: fileURLToPath(new URL('./client', import.meta.url))`,
    ].map((setting): [string, Record<string, string>, object] => [
      setting,
      {
        'vite.config.ts': `export default defineConfig({ ${setting} })`,
        'index.html': '<p>',
        'client/index.html': SCRIPT('/a.ts'),
      },
      { ...SOURCE, root: 'client/' },
    ]),
    [
      'a build of webpack in its folder',
      {
        'package.json': '{"devDependencies":{"webpack":"5"},"scripts":{"build":"webpack"}}',
        'dist/index.html': '<script src="main.js"></script>',
        'dist/main.js': '',
      },
      SITE,
    ],
    [
      'a build of Create React App in its folder',
      {
        'package.json': '{"dependencies":{"react-scripts":"5"}}',
        'build/index.html': '<script defer src="/static/js/main.1a2b3c4d.js"></script>',
      },
      SITE,
    ],
    [
      'the output of Vite without hashes',
      {
        'package.json': VITE,
        'index.html': '<script type="module" crossorigin src="/assets/index.js"></script>',
        'assets/index.js': '',
      },
      SITE,
    ],
    [
      'a guarded use of what Vite has',
      { 'index.html': SCRIPT('a.js'), 'a.js': 'if (import.meta.env?.DEV || import.meta.hot) x()' },
      SITE,
    ],
    [
      'one application of several',
      { 'apps/a/index.html': SCRIPT('/src/a.ts'), 'apps/b/index.html': SCRIPT('/src/a.ts') },
      { ...SOURCE, root: 'apps/a/' },
    ],
    [
      'another root in the configuration of Vite',
      {
        'vite.config.ts': "// root: 'docs'\nexport default { test: { root: 'docs' } }",
        'index.html': SCRIPT('a.ts'),
        'docs/index.html': '<p>',
      },
      SOURCE,
    ],
    ['an invalid package.json', { 'package.json': '{', 'a.txt': '' }, SITE],
    ['package.json with null', { 'package.json': 'null', 'a.txt': '' }, SITE],
  ])('recognizes %s', (_, files, kind) => {
    expect(projectKind(new Map(Object.entries(files)))).toEqual(kind);
  });

  it.each([
    ['next', 'out'],
    ['@tanstack/react-start', 'dist/client'],
    ['nuxt', '.output/public'],
    ['@sveltejs/kit', 'build'],
    ['astro', 'dist'],
    ['@remix-run/react', 'build/client'],
    ['@angular/core', 'dist'],
    ['webpack', 'dist'],
    ['@solidjs/start', '.output/public'],
    ['expo', 'dist'],
  ])('refuses %s', (name, folder) => {
    const files = new Map([
      ['package.json', JSON.stringify({ devDependencies: { [name]: '1' } })],
      ['src/app.html', SCRIPT('a.ts')],
      ['app/page.tsx', COMPONENT],
    ]);
    expect(projectKind(files)).toEqual({
      kind: 'refused',
      reason: `This project uses ${name}, which renders on a server or needs its own build. Run its static export and deploy the output folder (${folder})`,
    });
  });

  it.each<[string, Record<string, string>]>([
    ['webpack', { 'package.json': '{"scripts":{"build":"webpack --mode production"}}', 'src/index.html': '<p>' }],
    ['html-webpack-plugin', { 'index.html': '<title><%= htmlWebpackPlugin.options.title %></title>' }],
    [
      '@builder.io/qwik',
      {
        'package.json': '{"dependencies":{"@builder.io/qwik":"1"},"devDependencies":{"vite":"8"}}',
        'index.html': SCRIPT('/src/main.tsx'),
        'src/main.tsx': '',
      },
    ],
    [
      '@11ty/eleventy',
      {
        'package.json': '{"devDependencies":{"@11ty/eleventy":"^3.0.0"}}',
        'index.html': '---\ntitle: Pears\n---\n<title>{{ title }}</title>',
      },
    ],
    ['a generator of static sites', { 'index.html': '---\ntitle: Pears\n---\n<title>{{ title }}</title>' }],
    [
      'source without type="module": index.html loads main.ts',
      { 'index.html': '<script src="main.ts"></script>', 'main.ts': 'let tree: string' },
    ],
  ])('refuses a template, or a project with a script, of %s', (name, files) => {
    const reason = expect.stringContaining(`${name.split(': ').at(-1)}, which`);
    expect(projectKind(new Map(Object.entries(files)))).toEqual({ kind: 'refused', reason });
  });

  it.each([
    ['tags', '<script type="module" src="a.js">'.repeat(40_000)],
    ['an open tag', `<script ${'a '.repeat(500_000)}`],
  ])('takes linear time for %s', (_, html) => {
    expect(projectKind(new Map([['index.html', html]])).kind).toBe('site');
  });

  it('reads each script once, however many import it', () => {
    const names = Array.from({ length: 128 }, (_, i) => `s${i}.js`);
    const scripts = names.map((name, i) => [name, `import './s${i + 1}.js';${'f(a);'.repeat(100)}`] as const);
    const kindOf = (loaded: readonly string[]) => () =>
      projectKind(new Map([['index.html', loaded.map((name) => SCRIPT(name)).join('')], ...scripts]));
    linearTime(kindOf(names.slice(0, 1)))(kindOf(names));
  });

  it('takes a URL that names an invalid host for no file of the project', () => {
    const kinds = ['/\t/[', '/&#9;/['].flatMap((url) => [
      projectKind(new Map([['index.html', `<script type="module" src="${url}"></script>`]])).kind,
      projectKind(new Map([['index.html', `<script type="module">import ${JSON.stringify(url)}</script>`]])).kind,
    ]);
    expect(kinds).toEqual(kinds.map(() => 'site'));
  });
});
