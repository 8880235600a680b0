import { buildTexts, givenPackages, problemsOf, type Texts } from '../../support/build-project.ts';
import { testRows } from '../../support/rows.ts';

const PAGE = '<script type="module" src="/src/main.tsx"></script>';
const PACKAGES = givenPackages({
  'lucide-react/package.json':
    '{ "name": "lucide-react", "version": "1.75.0", "type": "module", "exports": "./index.js" }',
  'lucide-react/index.js': 'export const Star = 1;',
  'lacking/package.json': '{ "name": "lacking", "version": "2.0.0" }',
  'lacking/index.js': 'module.exports = require("./gone");',
  'invalid/package.json': '{ "name": "invalid", "version": "2.0.0" }',
  'invalid/index.js': 'module.exports = (;',
  'older/package.json': '{ "name": "older", "version": "1.0.0", "type": "module" }',
  'older/index.js': 'import { Comet } from "lucide-react"; export const comet = Comet;',
  'huge/package.json': '{ "name": "huge", "version": "1.0.0", "type": "module" }',
  'huge/all.js': `export const all = "${'a'.repeat(4_200_000)}";`,
});

/** The script `src/main.tsx`, or a whole project, and its problems. */
const ROWS: readonly [string | Texts, readonly unknown[]][] = [
  [
    'const a = 1;\nconst é = (\n  <div>ü</span>\n);',
    ["src/main.tsx:3:11:Expected corresponding JSX closing tag for 'div'"],
  ],
  ['const a = 1;\nconst a = 2;', ['src/main.tsx:1:7:Identifier `a` has already been declared']],
  [
    'import "./a";\nimport B from "./b";\nconsole.log(B); import("./c");',
    [
      'src/main.tsx:1:8:"./a" is not in the project: there is no file src/a',
      'src/main.tsx:2:15:"./b" is not in the project: there is no file src/b',
      'src/main.tsx:3:24:"./c" is not in the project: there is no file src/c',
    ],
  ],
  [
    {
      'src/main.tsx': 'import routes from "~pages"; log(routes)',
      'vite.config.ts': 'import Pages from "vite-plugin-pages";\nexport default { plugins: [Pages()] };',
      'src/~pages.ts': '',
    },
    [
      'src/main.tsx:1:20:"~pages" is neither a path nor the name of a package',
      'vite.config.ts:2:28: The plugin vite-plugin-pages is ignored: configuration is read, not run',
    ],
  ],
  [
    { 'src/main.tsx': 'import "./app"', 'src/App.tsx': '' },
    ['src/main.tsx:1:8:"./app" differs in case from the file src/App.tsx'],
  ],
  [
    { 'src/main.tsx': 'import {\n  x\n} from "./a"; log(x)', 'src/a.ts': 'export const y = 1' },
    ['src/main.tsx:2:3:"x" is not exported by "src/a.ts"'],
  ],
  [
    'import { Star,\n  Github } from "lucide-react"; log(Star, Github)',
    ['src/main.tsx:2:3:"Github" is not exported by lucide-react 1.75.0'],
  ],
  ['import x from "lucide-react/x"; log(x)', ['src/main.tsx:1:15:"lucide-react/x" is not in lucide-react 1.75.0']],
  ['import x from "reactt"; log(x)', ['src/main.tsx:1:15:There is no package "reactt"']],
  ['import x from "lacking"; log(x)', ['"./gone", which lacking/index.js imports, is not in the package']],
  ['import x from "invalid"; log(x)', ['invalid/index.js, a file of a package, has an error: Unexpected token']],
  [
    'import { comet } from "older"; log(comet)',
    [
      'older/index.js imports "Comet", which lucide-react/index.js does not export: use versions of older and lucide-react that fit together',
    ],
  ],
  [
    'import * as huge from "huge/all.js"; log(huge)',
    [
      expect.stringMatching(
        /^src\/main\.tsx:1:23:The built file assets\/huge-all\S+ has 42\d+ bytes, more than 4194304\. "huge\/all\.js" alone adds 42\d+ bytes: import what the page uses by name from "huge"$/,
      ),
    ],
  ],
  [
    {
      'src/main.tsx': 'import "virtual:uno.css"; import Post from "./post.mdx"; log(Post)',
      'src/post.mdx': '# A',
    },
    [
      'src/main.tsx:1:8:"virtual:uno.css" is in no package: it may be made by a plugin, and no plugin is run here',
      'src/main.tsx:1:44:.mdx files are not modules, because no plugin is run: write the page as a component',
    ],
  ],
  [
    {
      'src/main.tsx': 'import App from "./App.vue"; log(App)',
      'src/App.vue':
        '<script setup lang="ts">\nimport type { Props } from "types-only";\ndefineProps<Props>()</script>',
    },
    ['src/App.vue:3:13:The types of this name are in no file and no package of package.json'],
  ],
  [
    {
      'src/main.tsx': 'import App from "./App.vue"; log(App)',
      'src/App.vue':
        '<script setup lang="ts">\ntype Props = Record<string, 1>[number];\nconst props = defineProps<Props>()</script>',
    },
    [
      'src/App.vue:2:14:The compiler of Vue cannot follow this type (Failed to resolve element type from target type): declare the properties in this file',
    ],
  ],
  [
    { 'src/main.tsx': 'import "./a.css"', 'src/a.css': 'a { color: red }\nb; c { }' },
    ['src/a.css:2:2:Invalid CSS: Unexpected ";"'],
  ],
  [
    { 'src/main.tsx': 'import "./a.module.css"', 'src/a.module.css': '@value primary: red;\na { color: primary }' },
    ['src/a.module.css:1:7:Invalid CSS: @value is not supported: use custom properties, such as var(--color)'],
  ],
  [
    'import { B } from "@/components/ui/button"; log(B)',
    [
      'src/main.tsx:1:19:"@/components/ui/button" is missing: shadcn/ui components are files of the project, so add src/components/ui/button.tsx',
    ],
  ],
  [
    'import "node:fs"; import "fs"',
    [
      'src/main.tsx:1:8:"node:fs" is a module of Node.js, which browsers do not have',
      'src/main.tsx:1:26:"fs" is a module of Node.js, which browsers do not have',
    ],
  ],
  [
    'import Image from "next/image"; log(Image)',
    ['src/main.tsx:1:19:"next/image" needs Next.js, which renders on a server'],
  ],
  [
    'const x = require("lucide-react")',
    ['src/main.tsx:1:19:"lucide-react" is loaded with require(), which browsers do not have: use import'],
  ],
  [
    { 'src/main.tsx': 'import "./a.scss"', 'src/a.scss': '' },
    ['src/main.tsx:1:8:.scss files are not supported: write CSS, which nests'],
  ],
  [
    { 'src/main.tsx': 'import a from "./a.scss?inline"; log(a)', 'src/a.scss': '' },
    ['src/main.tsx:1:15:.scss files are not supported: write CSS, which nests'],
  ],
  [
    { 'src/main.tsx': 'import a from "./a.yml"; log(a)', 'src/a.yml': '' },
    ['src/main.tsx:1:15:.yml files are not modules: save the data as .json, or import the text with ?raw and parse it'],
  ],
  [
    { 'src/main.tsx': 'import { a } from "./a.wasm"; log(a)', 'src/a.wasm': '' },
    [
      'src/main.tsx:1:19:.wasm files are not modules: import a function with ?init, which returns a promise of the instance',
    ],
  ],
  [
    { 'src/main.tsx': 'export { Tree } from "./a"', 'src/a.ts': 'export interface Tree { name: string }' },
    ['src/main.tsx:1:10:"Tree" is not exported by "src/a.ts": it is a type, so write "export type { Tree }" here'],
  ],
  [
    { 'src/main.tsx': 'import a from "./a.json"; log(a)', 'src/a.json': '{ "a": 1,\n b }' },
    ['src/a.json:2:2:Invalid JSON: Expected double-quoted property name'],
  ],
  [
    { 'src/main.tsx': 'import a from "./a.json"; log(a)', 'src/a.json': '' },
    ['src/a.json:1:1:Invalid JSON: Unexpected end of JSON input'],
  ],
  [{}, ['index.html:1:27:"/src/main.tsx" is not in the project: there is no file src/main.tsx']],
  [
    { 'src/main.tsx': 'import { a } from "./a";\na = 2;', 'src/a.ts': 'export let a = 1' },
    ["src/main.tsx:2:1:Cannot assign to import 'a'"],
  ],
  [
    {
      'src/main.tsx': 'import "a/b"',
      'tsconfig.json': '{ "compilerOptions": { "paths": { "a/*": ["a/*"] } } }',
    },
    ['src/main.tsx:1:8:"a/b" is not in the project: there is no file a/b'],
  ],
  [
    {
      'src/main.tsx': 'import "~/a"',
      'vite.config.ts': "export default { resolve: { alias: { '~': '~' } } };",
    },
    ['src/main.tsx:1:8:"~/a" is neither a path nor the name of a package'],
  ],
  [
    'import "c:/windows"',
    ['src/main.tsx:1:8:"c:/windows" is in no package: it may be made by a plugin, and no plugin is run here'],
  ],
  [
    'import logo from "./logo.png"; log(logo);',
    ['src/main.tsx:1:18:"./logo.png" is not in the project: there is no file src/logo.png'],
  ],
  [
    'new Worker(new URL("./worker.ts", import.meta.url));',
    ['src/main.tsx:1:1:"./worker.ts" is not in the project: there is no file src/worker.ts'],
  ],
  [
    {
      'index.html': '<!doctype html>\n<p><script type="module">\nimport "./src/main.tsx";\nconst = 1;\n</script>',
      'src/main.tsx': '',
    },
    ['index.html:4:7:Unexpected token'],
  ],
  [
    {
      'src/main.tsx': 'import a from "./a"; log(a);\nexport { bye } from "./a";',
      'src/a.ts': 'export const y = 1',
    },
    [
      'src/main.tsx:1:8:"default" is not exported by "src/a.ts"',
      'src/main.tsx:2:10:"bye" is not exported by "src/a.ts"',
    ],
  ],
  [
    { 'src/main.tsx': 'export { x } from "./a"', 'src/a.ts': 'export { x } from "./main"' },
    [
      "src/a.ts:'x' cannot be exported from 'src/a.ts' as it is a reexport that references itself",
      "src/main.tsx:'x' cannot be exported from 'src/main.tsx' as it is a reexport that references itself",
    ],
  ],
];

describe('problems of projects', () => {
  testRows(ROWS)('are placed', async (project, problems) => {
    const texts = typeof project === 'string' ? { 'src/main.tsx': project } : project;
    expect(await problemsOf({ 'index.html': PAGE, ...texts }, { packages: PACKAGES })).toEqual(problems);
  });

  it('shows the line, shortened around the column', async () => {
    const texts = {
      'index.html': PAGE,
      'src/main.tsx': `${'a;'.repeat(500)} import "./gone"; ${'b;'.repeat(500)}`,
    };
    const error = await buildTexts(texts).catch((thrown) => thrown);
    expect(error.problems[0].excerpt).toContain('import "./gone"');
    expect(error.problems[0].excerpt.length).toBeLessThanOrEqual(160);
  });

  it.each<[string, Texts, string]>([
    [
      'many files',
      Object.fromEntries(Array.from({ length: 401 }, (_, i) => [`public/${i}.txt`, ''])),
      'The build has 403 files, more than 400',
    ],
    [
      'a large file',
      { 'public/a.txt': 'a'.repeat(4 * 1_048_576 + 1) },
      'The built file a.txt has 4194305 bytes, more than 4194304',
    ],
    [
      'many bytes',
      Object.fromEntries([1, 2, 3].map((i) => [`public/${i}.txt`, 'a'.repeat(4 * 1_048_576)])),
      'bytes, more than 10485760',
    ],
  ])('refuses an output of %s', async (_, texts, message) => {
    const error = await buildTexts({ 'index.html': PAGE, 'src/main.tsx': 'log(1)', ...texts }).catch(
      (thrown) => thrown,
    );
    expect(error.code).toBe('payload_too_large');
    expect(error.message).toContain(message);
  });
});
