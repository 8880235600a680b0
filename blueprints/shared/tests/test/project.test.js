import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const root = new URL('..', import.meta.url);
const isSource = (path) => /\.(?:html|css|js)$/.test(path) && !/^(?:node_modules|test)\b/.test(path);
const sources = readdirSync(root, { recursive: true }).filter(isSource);

/** How each type of file refers to other files of the project. */
const REFERENCES = {
  html: /(?:src|href)="([^":#]+)"/g,
  css: /url\(["']?([^"':)]+)/g,
  js: /(?:from|import) '(\.[^']+)'/g,
};

test('every file that a page, a style or a module refers to exists', () => {
  for (const path of sources) {
    const file = new URL(path.replaceAll('\\', '/'), root);
    const pattern = REFERENCES[path.split('.').at(-1)];
    for (const [, reference] of readFileSync(file, 'utf8').matchAll(pattern)) {
      assert.ok(existsSync(new URL(reference, file)), `${path} refers to ${reference}`);
    }
  }
});

test('every page has a language, a title, a description and one main heading', () => {
  for (const path of sources.filter((name) => name.endsWith('.html'))) {
    const page = readFileSync(new URL(path, root), 'utf8');
    assert.match(page, /<html lang="\w+/, path);
    assert.match(page, /<title>[^<]+<\/title>/, path);
    assert.match(page, /<meta name="description" content="[^"]+">/, path);
    assert.equal(page.match(/<h1[\s>]/g)?.length, 1, path);
  }
});
