// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are in the scripts of the projects
import { newProblems, problemsOf } from '../../../../lambda/generation/problems.ts';

type Files = Readonly<Record<string, string>>;

const PAGE = '<!doctype html>\n<script type="module" src="app.js"></script>\n';
const messages = (files: Files) =>
  problemsOf(Object.entries(files).map(([path, content]) => ({ path, content }))).map(
    ({ path, message }) => `${path}: ${message}`,
  );
/** Returns the name that each problem of a page with these two modules quotes first. */
const missing = (app: string, module: string) =>
  messages({ 'index.html': PAGE, 'app.js': app, 'm.js': module }).map(
    (message) => /imports "?(the default|[^"]*)/.exec(message)?.[1] ?? message,
  );

test('reads every form of import', () => {
  const module = 'export const a = 1;\nexport default a;';
  const rows: [app: string, missing: string[]][] = [
    ["import { a } from './m.js';", []],
    ["import { b } from './m.js';", ['b']],
    ["import { a as b } from './m.js';", []],
    ["import { b as a, a as c, } from './m.js?v=2';", ['b']],
    ["import {\n  a, // the first\n  b,\n  c as d,\n} from './m.js';", ['b', 'c']],
    ["import a from './m.js';", []],
    ["import from from './m.js';", []],
    ["import x, { b } from './m.js';", ['b']],
    ["import x, * as y from './m.js';", []],
    ["import { default as x, 'b' as y } from './m.js';", ['b']],
    ['import { "\\u0061" as x } from \'./m.js\';', []],
    ["import { as as b } from './m.js';", ['as']],
    ["import * as m from './m.js';\nm.b();", []],
    ["import './m.js';\nimport('./m.js').then(({ b }) => b());", []],
    ["export { b } from './m.js';", ['b']],
    ["export { b as default } from './m.js';", ['b']],
    ["export * as b from './m.js';", []],
    ["export * from './m.js';", []],
    ["import{a,b}from'./m.js';export{a}", ['b']],
    ["import type { B } from './m.js';", []],
    ["import { type B } from './m.js';", []],
    ["import defer * as b from './m.js';", []],
    ["// import { b } from './m.js';", []],
    ["const s = `\nimport { b } from './m.js';\n`;", []],
    ["f({ import: 1, export: 2 }); x.import; x.export;\nimport { b } from './m.js';", ['b']],
    ["import { b } from './m.js';\nconst s = `never closed", []],
    ["function f() {\nimport { b } from './m.js';", []],
  ];
  expect(rows.filter(([app, names]) => String(missing(app, module)) !== String(names))).toEqual([]);
});

test('reads every form of export', () => {
  const rows: [module: string, missing: string[]][] = [
    ['export const a = 1, b = 2;', []],
    ['export let a, b;', []],
    ['export var a = f(1, 2), b', []],
    ['export const a = 1\nexport const b = 2', []],
    ['export const a = x.for, b = y.const;', []],
    ['export const a = (x) => { return x; }, b = [1, 2];', []],
    ['export const { a, b } = f();', []],
    ['export const { c: a, ...b } = f();', []],
    ['export const [a, , b = 1] = f();', []],
    ['export const { c: { a }, d: [b] } = f(), e = 1;', []],
    ['export function a() {}\nexport function* b() {}', []],
    ['export async function a() {}\nexport async function* b() {}', []],
    ['export class a {}\nexport class b extends a {}', []],
    ['const a = 1, b = 2;\nexport { a, b };', []],
    ['const c = 1;\nexport { c as a, c as b, c as default };', []],
    ["export { x as a, default as b } from 'https://example.com/x.js';", []],
    ["export * as a from './m.js';\nexport { a as 'b' };", []],
    ["export * from 'https://example.com/x.js';", []],
    ['export const a = /[/"]/.test(x) ? 1 : `${b}`;\nexport const b = 1 / 2 / 3;', []],
    ['if (x) /`/.test(x);\nexport const a = 1;\nif (x) /`/.test(x);', ['b']],
    ['const c = <T,>(x: T) => x;\nexport const a = 1;\nexport const b = "</p>";', []],
    ['const c = <T extends U>(x: T) => x;\nexport const a = 1;\nexport const b = "</p>";', []],
    ["const c = <p>it's</p>; export const a = <b>/</b>; export const b = 1;", []],
    ['export enum a {}', []],
    ['export = a;', []],
    ['export const a = 1; }', []],
    ['export const a = 1;\n(function () {', []],
    ['export default a;', ['a', 'b']],
    ['export default function a() {}', ['a', 'b']],
    ['export const ab = 1;\nconst b = 2;', ['a', 'b']],
    ['/* export const a = 1; */\nexport const b = 1;', ['a']],
    ['const text = "export const a = 1;";\nexport { b };', ['a']],
    ['export { a as c, b };', ['a']],
    ['export const c = { a: 1 }, b = () => a;', ['a']],
    ['window.a = 1;\nmodule.exports = { b };', ['a', 'b']],
  ];
  const app = "import { a, b } from './m.js';";
  expect(rows.filter(([module, names]) => String(missing(app, module)) !== String(names))).toEqual([]);
});

test('follows export *, which never exports the default', () => {
  const files = {
    'index.html': PAGE,
    'app.js': "import x, { a, b, c } from './all.js';",
    'all.js': "export * from './one.js';\nexport * from './lib/two.js';",
    'one.js': "export const a = 1;\nexport default a;\nexport * from './all.js';",
    'lib/two.js': 'export const b = 1;',
  };
  expect(messages(files)).toEqual([
    'app.js: It imports the default export from "./all.js", which does not export it: it exports a, b',
    'app.js: It imports "c" from "./all.js", which does not export it: it exports a, b',
  ]);
  const unknown = { ...files, 'one.js': "export * from 'https://example.com/x.js';" };
  expect(messages({ ...unknown, 'app.js': "import { c } from './all.js';" })).toEqual([]);
});

test('checks pages and scripts, but not what something else resolves', () => {
  const wrong = "import { b } from './m.js';";
  const module = { 'm.js': 'export const a = 1;' };
  const page = `<!doctype html><script type="module">${wrong}</script>`;
  const mapped = `<script type="importmap">{"imports": {"./m.js": "./n.js"}}</script>${PAGE}`;
  const rows: [Files, number][] = [
    [{ ...module, 'index.html': page }, 1],
    [{ ...module, 'index.html': `<base href="lib/">${page}`, 'lib/m.js': 'export const b = 1;' }, 0],
    [{ ...module, 'cli.mjs': wrong }, 1],
    [{ 'cli.mjs': wrong, 'm.js': 'module.exports = { b: 1 };' }, 0],
    [{ ...module, 'index.html': PAGE, 'app.js': wrong, 'n.js': 'export const b = 1;' }, 1],
    [{ ...module, 'index.html': mapped, 'app.js': wrong, 'n.js': 'export const b = 1;' }, 0],
    [{ ...module, 'index.html': PAGE, 'app.js': `import 'vue'; ${wrong}` }, 0],
    [{ ...module, 'index.html': PAGE, 'app.js': wrong.replace('m.js', 'M.js') }, 1],
    [{ 'index.html': PAGE, 'app.js': "import a from './a.json' with { type: 'json' };", 'a.json': '{}' }, 0],
    [{ 'index.html': PAGE, 'app.js': "import { B } from './b.ts';", 'b.ts': 'export const a = 1;' }, 0],
  ];
  expect(rows.filter(([files, count]) => messages(files).length !== count)).toEqual([]);
});

test('lists the first exported names', () => {
  const exports = Array.from({ length: 14 }, (_, i) => `export const name${i} = ${i};`).join('\n');
  const files = { 'index.html': PAGE, 'app.js': "import { x } from './m.js';" };
  expect(messages({ ...files, 'm.js': exports })).toEqual([
    'app.js: It imports "x" from "./m.js", which does not export it: it exports name0, name1, name2, name3, name4, name5, name6, name7, name8, name9 and 4 more',
  ]);
  expect(messages({ ...files, 'm.js': 'start();' })).toEqual([
    'app.js: It imports "x" from "./m.js", which does not export it: it exports nothing',
  ]);
});

test('a problem is not new because the module exports another name', () => {
  const files = { 'index.html': PAGE, 'app.js': "import { x } from './m.js';" };
  const base = new Map(Object.entries({ ...files, 'm.js': 'export const a = 1;' }));
  const after = new Map([...base, ['m.js', 'export const a = 1, b = 2;'] as const]);
  expect(newProblems(after, base)).toEqual([]);
  expect(newProblems(after, new Map())).toHaveLength(1);
});
