// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are in the scripts of the projects
import { problemsOf } from '../../../../lambda/generation/problems.ts';

type Files = Readonly<Record<string, string>>;

const BODY = `<script type="module" src="app.js"></script>
<main id="app" class="card wide"><label for="amount">Total</label><input id=amount></main>
<template><li class="row" data-kind="income"></li></template>`;
const PAGE = `<!doctype html>\n${BODY}\n`;
const messages = (files: Files) =>
  problemsOf(Object.entries(files).map(([path, content]) => ({ path, content }))).map(
    ({ path, message }) => `${path}: ${message}`,
  );
/** Returns the ids and classes that a script of the page looks up and nothing defines. */
const undefinedIn = (script: string, files: Files = {}) =>
  messages({ 'index.html': PAGE, ...files, 'app.js': script }).map(
    (message) =>
      /defines the ((?:id|class) "[^"]*")$/.exec(message)?.[1]?.replace(/ "(.*)"/, ' $1') ?? message,
  );
const failed = (rows: readonly [script: string, names: string[]][], files: Files = {}) =>
  rows.filter(([script, names]) => String(undefinedIn(script, files)) !== String(names));

test('finds ids and classes that nothing defines', () => {
  const byId = 'const $ = (id) => document.getElementById(id);\n';
  const query = 'const q = (selector, root = document) => root.querySelector(selector);\n';
  expect(
    failed([
      ["document.getElementById('app').focus();", []],
      ["document.getElementById('total').focus();", ['id total']],
      ["document.getElementById('amount'); document.querySelector('#app.card .row');", []],
      ["document.getElementById('card');", ['id card']],
      ["document.querySelector('.app');", ['class app']],
      ["document.querySelector('#total .row');", ['id total']],
      ["document.querySelectorAll('#app > .line');", ['class line']],
      ["list.querySelector('.line').remove();", ['class line']],
      ["event.target.closest('.line');", ['class line']],
      ["document.getElementsByClassName('line');", ['class line']],
      [`${byId}$('total').focus(); $('amount').focus();`, ['id total']],
      ["const byId = id => document.getElementById(id);\nbyId('total');", ['id total']],
      ["function byId(id) { return document.getElementById(id); }\nbyId('total');", ['id total']],
      ["const all = (s) => { return document.querySelectorAll(s); };\nall('.line');", ['class line']],
      [`${query}q('.line'); q('#app');`, ['class line']],
      ["const els = { total: document.getElementById('total') };\nels.total.focus();", ['id total']],
      [`${byId}const els = { total: $('total') };\nels.total.focus();`, ['id total']],
      ["const total = document.getElementById('total');\ntotal.focus();", ['id total']],
    ]),
  ).toEqual([]);
});

test('accepts every way to define an id', () => {
  const definitions = [
    "el.id = 'row-1';",
    "el.setAttribute('id', 'row-1');",
    "h('li', { id: 'row-1' });",
    'list.innerHTML = `<li id="row-1"></li>`;',
    'list.innerHTML = `<li id="row-${n}"></li>`;',
    'list.innerHTML = `<ul>${items.map((item) => `<li id="row-${item.id}">`).join("")}</ul>`;',
    'list.innerHTML = "<li id=\\"row-" + n + "\\"></li>";',
    "el.id = 'row-' + n;",
    "const prefix = 'row-';\nel.id = prefix + n;",
    'el.id = `${kind}-1`;',
    "el.id = kind + '-1';",
    "const ids = { 'row-1': 'First' };",
    'const ids = ["row-1", "row-2"];',
    "create('row-1');",
    "list.create('row-1');",
  ];
  const lookup = "document.getElementById('row-1').focus();";
  expect(undefinedIn(lookup)).toEqual(['id row-1']);
  expect(definitions.filter((line) => undefinedIn(`${line}\n${lookup}`).length > 0)).toEqual([]);
  expect(
    undefinedIn(
      "for (const [id, text] of entries({ home: 'Home' })) add(id, text);\ndocument.getElementById('home');",
    ),
  ).toEqual([]);
  const page = '<p data-id="row-1">';
  expect(undefinedIn(lookup, { 'other.html': page, 'b.css': '#row-1 {}' })).toEqual([]);
  expect(undefinedIn(lookup, { 'data.json': '["row-1"]' })).toEqual([]);
  expect(undefinedIn(lookup, { 'b.css': '#row-1 {}', 'README.md': 'row-1' })).toEqual(['id row-1']);
});

test('accepts a class that a script, a page or a style sheet contains', () => {
  const lookup = "document.querySelector('.line').remove();";
  const lines = [
    "el.classList.add('line');",
    "el.className = 'line wide';",
    'h`<p class="a line">`;',
    "h('p.line');",
  ];
  expect(lines.filter((line) => undefinedIn(`${line}\n${lookup}`).length > 0)).toEqual([]);
  expect(undefinedIn(lookup, { 'a.css': '.line { color: red }' })).toEqual([]);
  expect(undefinedIn(lookup, { 'b.html': '<style>.line { color: red }</style>' })).toEqual([]);
  expect(undefinedIn("el.className = 'line';\ndocument.getElementById('line');")).toEqual(['id line']);
});

test('accepts lookups that may find nothing', () => {
  expect(
    failed([
      ["document.getElementById('total')?.focus();", []],
      ["const a = document.getElementById('total') ?? create();", []],
      ["if (document.querySelector('.line') === null) stop();", []],
      ["if (!document.querySelector('.line')) stop();", []],
      ["const total = document.getElementById('total');\nif (total) total.focus();", []],
      ["const total = document.getElementById('total');\ntotal?.focus();", []],
      ["const total = document.getElementById('total');\nif (!total) throw new Error();", []],
      ["element.matches('.line');", []],
      ["document.querySelector('.line, .row');", []],
      ["document.querySelector('[data-x] .line');", []],
      ["document.querySelector('.row:not(.line)');", []],
      ["document.getElementById('total' + n); document.querySelector(`#total-${n}`);", []],
      ["// document.getElementById('total');\nconst s = \"document.getElementById('total')\";", []],
      ["const $ = (s) => library(s);\n$('#total');", []],
      ["{ const $ = (id) => document.getElementById(id); }\n{ const $ = (id) => make(id); $('total'); }", []],
      ["const $ = (id) => document.getElementById(id) ?? make(id);\n$('total');", []],
    ]),
  ).toEqual([]);
});

test('reads only functions that are called', () => {
  const lookup = "document.getElementById('total').focus();";
  expect(
    failed([
      [`function f() { ${lookup} }`, []],
      [`export function f() { if (x) { ${lookup} } }`, []],
      [`function f() { ${lookup} }\nexport { f };`, []],
      [`export const f = ({ a }) => ${lookup}`, []],
      [`class A { f() { ${lookup} } }\nnew A();`, []],
      [`function f() { ${lookup} }\nf();`, ['id total']],
      [`const f = () => {\n  list.forEach((x) => { ${lookup} });\n};\non('click', f);`, ['id total']],
      [`class A { constructor() { ${lookup} } }\nnew A();`, ['id total']],
      [`on('click', () => { ${lookup} });`, ['id total']],
      [`function f() {}\n${lookup}`, ['id total']],
    ]),
  ).toEqual([]);
  expect(undefinedIn(`function f() { ${lookup} }`, { 'b.html': '<p onclick="f()"></p>' })).toEqual([
    'id total',
  ]);
});

test('reports nothing if elements may come from elsewhere', () => {
  const script = "document.getElementById('total').focus();";
  const rows: [script: string, files: Files][] = [
    [script, { 'index.html': `${PAGE}<script src="https://cdn.example.com/x.js"></script>` }],
    [`import 'https://cdn.example.com/x.js';\n${script}`, {}],
    [script, { 'server.py': 'print(1)' }],
    [script, { 'view.jsx': 'export const a = <p id={b}/>;' }],
    [script, { 'package.json': '{"scripts": {"build": "node build.js"}}' }],
    [`new DOMParser();\n${script}`, {}],
    [`const open = \`\${\n${script}`, {}],
    [script, { 'index.html': '<!doctype html><p>No script</p>' }],
  ];
  expect(undefinedIn(script)).toEqual(['id total']);
  expect(rows.filter(([app, files]) => undefinedIn(app, files).length > 0)).toEqual([]);
  expect(undefinedIn(script, { 'about.html': '<!doctype html><a href="none.html">' })).toEqual([
    'about.html: "none.html" refers to a missing file',
  ]);
});

describe('a project of several files', () => {
  const FILES: Files = {
    'index.html': PAGE,
    'style.css': '.card { color: red }\n',
    'app.js': `import { $, all } from './dom.js';
import { drawChart } from './chart.js';
import { addRow as add, store } from './store.js';
import start from './start.js';
$('amount').addEventListener('input', () => add(store, $('amount').value));
for (const card of all('.wide')) drawChart(card);
start(document.querySelector('#app'));
`,
    'dom.js': `export const $ = (id) => document.getElementById(id);
export const all = (selector, root = document) => root.querySelectorAll(selector);
`,
    'chart.js': "export function drawChart(card) {\n  card.querySelector('.row').remove();\n}\n",
    'store.js': "export { addRow } from './rows.js';\nexport const store = new Map();\n",
    'rows.js': 'export const addRow = (store, value) => store.set(value, value);\n',
    'start.js': 'export default (main) => main.focus();\n',
  };

  it('has no problem, and one for each seam that breaks', () => {
    const breaks: [path: string, from: string, to: string, problem: string][] = [
      [
        'chart.js',
        'drawChart',
        'renderChart',
        'app.js: It imports "drawChart" from "./chart.js", which does not export it: it exports renderChart',
      ],
      [
        'rows.js',
        'addRow',
        'createRow',
        'store.js: It imports "addRow" from "./rows.js", which does not export it: it exports createRow',
      ],
      [
        'store.js',
        'export const store',
        'const store',
        'app.js: It imports "store" from "./store.js", which does not export it: it exports addRow',
      ],
      [
        'store.js',
        '{ addRow }',
        '{ addRow as add }',
        'app.js: It imports "addRow" from "./store.js", which does not export it: it exports add, store',
      ],
      [
        'start.js',
        'default (main)',
        'const start = (main)',
        'app.js: It imports the default export from "./start.js", which does not export it: it exports start',
      ],
      [
        'dom.js',
        'export const all',
        'export const every',
        'app.js: It imports "all" from "./dom.js", which does not export it: it exports $, every',
      ],
      [
        'index.html',
        'id=amount',
        'id=sum',
        'app.js: $("amount") finds no element: nothing in the project defines the id "amount"',
      ],
      [
        'index.html',
        'id="app"',
        'id="root"',
        'app.js: querySelector("#app") finds no element: nothing in the project defines the id "app"',
      ],
      [
        'index.html',
        'card wide',
        'card',
        'app.js: all(".wide") finds no element: nothing in the project defines the class "wide"',
      ],
      [
        'index.html',
        'class="row"',
        'class="line"',
        'chart.js: querySelector(".row") finds no element: nothing in the project defines the class "row"',
      ],
    ];
    expect(messages(FILES)).toEqual([]);
    expect(breaks.filter(([path, from]) => !FILES[path]?.includes(from))).toEqual([]);
    const found = breaks.map(([path, from, to]) =>
      messages({ ...FILES, [path]: (FILES[path] ?? '').replace(from, to) }),
    );
    expect(found).toEqual(breaks.map(([, , , problem]) => [problem]));
  });
});
