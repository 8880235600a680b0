import { problemsOf } from '../../../../lambda/generation/problems.ts';
import { testRows } from '../../../support/rows.ts';

type Files = Readonly<Record<string, string>>;

const PAGE = '<!doctype html>\n<script type="module" src="js/app.js"></script>\n';
const SITE: Files = {
  'index.html': PAGE,
  'about.html': '<!doctype html>\n<p>About</p>\n',
  'blog/index.html': '<!doctype html>\n<p>Blog</p>\n',
  'css/style.css': 'p { color: red }\n',
  'js/app.js': 'start();\n',
  'js/util.js': 'export const a = 1;\n',
  'js/lib/index.js': 'export const a = 1;\n',
  'img/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>\n',
  'img/my photo.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>\n',
  'data.json': '{}\n',
};

const messages = (files: Files) =>
  problemsOf(Object.entries(files).map(([path, content]) => ({ path, content }))).map(
    ({ path, message }) => `${path}: ${message}`,
  );
/** Returns what each problem of these files quotes first: the reference. */
const wrong = (files: Files) => messages(files).map((message) => /"([^"]*)"/.exec(message)?.[1] ?? message);

describe('checks the references of a page', () => {
  testRows<[html: string, wrong: string[]]>([
    // A page, a folder and a part of a page.
    ['<a href="about.html"><a href="about"><a href="../"><a href="/"><a href="blog/"><a href="blog">', []],
    ['<a href="about.html?x=1#top"><a href="#top"><a href="?page=2"><a href=""><a href>', []],
    // Elsewhere, or filled in by a program.
    ['<a href="https://example.com/nothing.html"><a href="//example.com/x"><a href="tel:+49123">', []],
    ['<a href="mailto:me@example.com"><a href="javascript:void(0)"><a href="{{ url }}"><a href="<%= url %>">', []],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a URL that a program fills in
    ['<a href="${item.url}"><a href="100%.html">', []],
    ['<a href="contact.html">', ['contact.html']],
    ['<a href=" contact.html ">', ['contact.html']],
    ['<a href="/contact"><a href="blog/first.html">', ['/contact', 'blog/first.html']],
    ['<a href="contact.html?x">1</a><a href="contact.html?x">2</a>', ['contact.html?x']],
    ['<link rel="stylesheet" href="css/style.css"><link rel="stylesheet" href="/css/style.css">', []],
    ['<link rel="icon" href="data:image/svg+xml,<svg/>"><link rel="canonical" href="/no/such/page">', []],
    ['<link rel="preconnect" href="none.html"><link rel="stylesheet" href="style.css">', ['style.css']],
    ['<script src="js/app.js"></script><script src="https://cdn.example.com/x.js"></script>', []],
    ['<script src="app.js"></script>', ['app.js']],
    ['<img src="img/logo.svg"><img src="img/my%20photo.svg"><img src="img/my photo.svg"><img data-src="a.jpg">', []],
    ['<img src="img/photo.jpg" alt="">', ['img/photo.jpg']],
    ['<img srcset="img/logo.svg 1x, img/b.svg 2x,img/c.svg 3x" alt="">', ['img/b.svg', 'img/c.svg']],
    ['<source srcset="a.svg, b.svg 100w">', ['a.svg', 'b.svg']],
    ['<video poster="p.svg" src="v.mp4"></video><object data="x.svg"></object>', ['p.svg', 'v.mp4', 'x.svg']],
    ['<svg><use href="sprite.svg#a"/><use href="#b"/></svg>', ['sprite.svg#a']],
    ['<iframe src="frame.html"></iframe><form action="/send">', ['frame.html']],
    ['<div style="background: url(bg.svg)">', ['bg.svg']],
    ['<style>@import "theme.css"; p { background: url("bg.svg") }</style>', ['theme.css', 'bg.svg']],
    ['<script type="module">import "./js/util.js"; import "./js/none.js";</script>', ['./js/none.js']],
    ['<script type="text/template"><img src="{x}">import "./none.js"</script>', []],
    ['<script type="application/json">{"src": "x.js"}</script>', []],
    ['<!-- <a href="contact.html"> --><p>&lt;a href="contact.html"&gt;</p>', []],
    ['<base href="/"><a href="about.html">', []],
  ])('and names each that leads nowhere', (html, expected) =>
    expect(wrong({ ...SITE, 'index.html': `${PAGE}${html}<a href="last.html">` })).toEqual([...expected, 'last.html']),
  );

  it('relative to its folder', () => {
    const blog = '<!doctype html><a href="../about.html"><a href="about.html"><a href="../">';
    expect(wrong({ ...SITE, 'blog/index.html': blog })).toEqual(['about.html']);
  });

  it('relative to its base', () => {
    const page = '<!doctype html><base href="blog/"><a href="../about.html"></a><a href="about.html"></a>';
    expect(wrong({ ...SITE, 'index.html': page })).toEqual(['about.html']);
    expect(wrong({ ...SITE, 'index.html': page.replace('blog/', 'https://example.com/') })).toEqual([]);
  });

  it('with the folder of the entry as the root', () => {
    const page = '<!doctype html><link rel=stylesheet href="/css/style.css"><link rel=icon href="/x.svg">';
    expect(wrong({ 'site/index.html': page, 'site/css/style.css': 'p {}' })).toEqual(['/x.svg']);
  });

  it('also relative to the pages that include it, for a fragment', () => {
    const part = '<nav><a href="about.html"></a><a href="contact.html"></a></nav>';
    expect(wrong({ ...SITE, 'parts/nav.html': part })).toEqual(['contact.html']);
  });

  it('except for the URLs of a router', () => {
    const page = `${PAGE}<a href="/contact"></a><a href="/contact.html"></a>`;
    expect(wrong({ ...SITE, 'index.html': page, 'js/app.js': 'history.pushState(null, "", "/contact");' })).toEqual([
      '/contact.html',
    ]);
  });
});

describe('checks the references of a style sheet', () => {
  testRows<[css: string, wrong: string[]]>([
    ['a { background: url(../img/logo.svg), URL( "../img/logo.svg" ), url(../img/my\\ photo.svg) }', []],
    ['a { background: url(\'img/logo.svg\'), url(a.svg), url("b.svg") }', ['img/logo.svg', 'a.svg', 'b.svg']],
    ['a { background: url(data:image/svg+xml;base64,AAAA), url("data:image/svg+xml,%3Csvg url(x.svg)%3E") }', []],
    ['a { filter: url(#blur) }', []],
    ['@font-face { src: url(f.woff2?v=1) format("woff2") }', ['f.woff2?v=1']],
    ['@import "style.css"; @import url("theme.css") screen;', ['theme.css']],
    ['@import \'theme.css\' layer(base); @import "https://fonts.example.com/css?family=X";', ['theme.css']],
    ['/* url(a.svg) @import "b.css"; */ a::before { content: "url(a.svg)" }', []],
    ['a::before { content: "\\"url(a.svg)" } /* it\'s */ b { background: url(b.svg) }', ['b.svg']],
    ["a::before { content: 'open\n} b { background: url(b.svg) }", ['b.svg']],
    ['a { background: url(', []],
  ])('and names each that leads nowhere', (css, expected) =>
    expect(wrong({ ...SITE, 'css/style.css': css })).toEqual(expected),
  );
});

/* biome-ignore-start lint/suspicious/noTemplateCurlyInString: the tests contain template literals */
describe('checks the references of a script that a page loads', () => {
  testRows<[script: string, wrong: string[]]>([
    ["import { a } from './util.js'; import './util.js?v=2'; import { a as b } from '/js/util.js';", []],
    ["import { a,\n  b as c,\n} from './none.js';", ['./none.js']],
    ["import d, * as e from './none.js';", ['./none.js']],
    ["import './none.js'", ['./none.js']],
    ["export * from './one.js'; export { a } from './two.js';", ['./one.js', './two.js']],
    ["export const from = './none.js';\nexport default { from: './none.js' };", []],
    ["const x = { import: './none.js', from: './none.js' };", []],
    ["import x from '/js/none.js'; import y from 'https://cdn.example.com/x.js';", ['/js/none.js']],
    ["import data from '../data.json' with { type: 'json' };", []],
    ["const x = await import('./none.js');", ['./none.js']],
    ["import('./one.js', { with: { type: 'json' } }); import(`./two.js`);", ['./one.js', './two.js']],
    ["import(`./${name}.js`); import('../' + name); registry.import('./none.js');", []],
    ["new URL('./none.svg', import.meta.url); new URL('./other.svg', document.baseURI);", ['./none.svg']],
    ["new URL('../img/logo.svg', import.meta.url).href; new URL('../img/', import.meta.url);", []],
    ["new Worker('js/util.js'); new Worker('./util.js', { type: 'module' }); new Worker('work.js');", ['work.js']],
    ["new Worker(new URL('./worker.js', import.meta.url));", ['./worker.js']],
    ["importScripts('util.js', 'none.js');", ['none.js']],
    ["import { a } from './util'; import React from 'react';", []],
    ["import { a } from './util'; import fs from 'node:fs';", ['./util', 'node:fs']],
    ["// import './none.js';\n/* import('./none.js') */ const s = \"import './none.js'\"", []],
    ['const s = `\nimport x from "./none.js";\n`;', []],
    ['const s = `${`}`}\nimport "./none.js"`;\nimport "./other.js";', ['./other.js']],
    ['const s = `${f({ a: 1 })}`; import("./none.js");', ['./none.js']],
    ["const r = /'/; import('./none.js'); const q = /'/;", ['./none.js']],
    ['const r = /[/"]/g; import("./none.js");', ['./none.js']],
    ['const half = a / b; import("./none.js"); c / d;', ['./none.js']],
    ['return /`/.test(x); import("./none.js");', ['./none.js']],
    ["const s = 'open\nimport('./none.js');", ['./none.js']],
    ["const s = 'it\\'s'; import('./none.js');", ['./none.js']],
    ["fetch('api/items'); const image = 'img/none.png';", []],
  ])('and names each that leads nowhere', (script, expected) =>
    expect(wrong({ ...SITE, 'js/app.js': script })).toEqual(expected),
  );

  it('directly or through imports', () => {
    const scripts = {
      'js/app.js': 'import "./util.js";',
      'js/util.js': 'import "./no.js"; import "./app.js";',
    };
    expect(wrong({ ...SITE, ...scripts })).toEqual(['./no.js']);
    expect(wrong({ ...SITE, 'js/util.js': 'import "vue"; import "./lib";' })).toEqual([]);
  });

  it('with the import map', () => {
    const map = '{"imports": {"vue": "https://cdn.example.com/vue.js", "my/": "./js/", "u": "./js/u.js"}}';
    const page = `<!doctype html><script type="importmap">${map}</script>${PAGE}`;
    const script = 'import "vue"; import "my/util.js"; import "react";';
    expect(wrong({ ...SITE, 'index.html': page, 'js/app.js': script })).toEqual(['./js/u.js', 'react']);
  });

  it('and says what to do', () => {
    const map = '<!doctype html><script type="importmap">{"imports": {"vue": "./js/util.js"}}</script>';
    const script =
      'import "./util"; import "react"; import "./Lib/index.js"; import "./none.js"; new URL("./a.png", import.meta.url)';
    expect(messages({ ...SITE, 'index.html': map + PAGE, 'js/app.js': script })).toEqual([
      'js/app.js: It imports "./util", but a browser needs the full name of the file, "js/util.js"',
      'js/app.js: It imports the package "react", which a browser cannot load: write the needed code in a file of the project',
      'js/app.js: "./Lib/index.js" refers to a missing file: the name differs in case from "js/lib/index.js"',
      'js/app.js: "./none.js" refers to a missing file',
      'js/app.js: "./a.png" refers to a missing file; use a text format, such as SVG, or remove the reference',
    ]);
  });
});

describe('checks the references of a project for Node.js or a bundler', () => {
  const NODE: Files = {
    'package.json': '{ "name": "x", "dependencies": { "express": "^5" } }',
    'server.js': '',
    'lib/store.js': 'export const a = 1;',
    'lib/index.ts': 'export const a = 1;',
    'lib/view.tsx': 'export const a = 1;',
    'lib/list.json': '[]',
    'lib/routes/index.js': '',
  };

  testRows<[script: string, wrong: string[]]>([
    ["const express = require('express'); const store = require('./lib/store'), list = require('./lib/list');", []],
    ["require('./lib'); require('./lib/routes/'); require('./package.json'); require('.');", []],
    ["require('./none'); loader.require('./other');", ['./none']],
    ["import './lib/store.js'; import './lib/index.js'; import './lib/view.js';", []],
    ["import { a } from './lib/none.js';", ['./lib/none.js']],
    ["import fs from 'node:fs'; import test from 'node:test'; import x from '#config';", []],
    ["import type { A } from './lib/index.ts'; const file = new URL('./items.json', import.meta.url);", []],
    ['#!/usr/bin/env node\nimport "./none.js";', ['./none.js']],
  ])('and names each that leads nowhere', (script, expected) =>
    expect(wrong({ ...NODE, 'server.js': script })).toEqual(expected),
  );

  it('except for the URLs that a server responds to', () => {
    const page = '<!doctype html><script src="/socket.io/socket.io.js"></script><a href="items/1"></a>';
    const files = { 'public/index.html': `${page}<img src="none.svg" alt="">`, 'public/a.css': 'p {}' };
    const server = "import express from 'express'; app.get('/codes/:id', draw);";
    expect(wrong({ ...files, 'server.js': server })).toEqual(['none.svg']);
    const codes = { 'public/b.html': '<img src="codes/7" alt=""><img src="code/7" alt="">' };
    expect(wrong({ ...files, ...codes, 'server.js': server })).toEqual(['none.svg', 'code/7']);
    expect(wrong(files)).toEqual(['/socket.io/socket.io.js', 'items/1', 'none.svg']);
    const view = {
      'views/a.html': '<!doctype html><link rel=stylesheet href="a.css"><img src="b.svg" alt="">',
    };
    expect(wrong({ ...files, ...view, 'app.py': '' })).toEqual(['none.svg', 'b.svg']);
  });

  it('but not those of a script that imports packages, which a build resolves', () => {
    expect(wrong({ ...SITE, 'js/app.js': 'import "react"; import "./none.js";' })).toEqual([]);
  });

  it('except for what source loads, which the build resolves', () => {
    const page = '<!doctype html><link rel="icon" href="/v.svg"><a href="none.html"></a><img src="/none.svg" alt="">';
    const files = {
      'package.json': '{ "devDependencies": { "vite": "^7" } }',
      'index.html': `${page}<script type="module" src="/src/main.tsx"></script>`,
      'public/v.svg': '<svg/>',
      'src/main.tsx':
        "import React from 'react';\nimport App from './App';\nimport './app.css';\nconst a = <p>It's</p>;\nimport './none';",
      'src/App.tsx': 'export default () => <p>Don`t</p>;',
      'src/app.css': "@import 'tailwindcss'; @import './none.css';",
    };
    expect(wrong(files)).toEqual(['none.html', '/none.svg']);
    const { 'package.json': _, 'index.html': __, ...component } = files;
    expect(wrong(component)).toEqual([]);
  });

  it('as Vite does if it builds the project, whatever its scripts import', () => {
    const files = {
      'index.html': '<!doctype html><script type="module" src="main.js"></script>',
      'main.js': "import './view';",
      'view.js': '',
    };
    const manifest = '{ "devDependencies": { "vite": "^7" } }';
    expect(messages({ ...files, 'package.json': manifest })).toEqual([]);
    expect(messages(files)).toEqual([
      'main.js: It imports "./view", but a browser needs the full name of the file, "view.js"',
    ]);
  });

  it('except for the files that a build writes', () => {
    const page = '<!doctype html><script src="dist/main.js"></script><script src="js/main.js"></script>';
    const files = { 'index.html': page, 'src/main.ts': 'start();' };
    expect(wrong({ ...files, 'package.json': '{ "scripts": { "build": "tsc" } }' })).toEqual(['js/main.js']);
    expect(wrong(files)).toEqual(['dist/main.js', 'js/main.js']);
    const site = { 'index.html': '<!doctype html><a href="/about/"></a>', 'about.md': '# About' };
    expect(wrong({ ...site, 'package.json': '{ "scripts": { "build": "eleventy" } }' })).toEqual([]);
    expect(wrong(site)).toEqual(['/about/']);
  });
});
/* biome-ignore-end lint/suspicious/noTemplateCurlyInString: the tests contain template literals */
