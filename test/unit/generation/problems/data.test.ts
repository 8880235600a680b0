import type { DataFeatures } from '../../../../lambda/contract/site-features.ts';
import { notesOf, problemsOf } from '../../../../lambda/generation/problems.ts';
import { testRows } from '../../../support/rows.ts';
import { filesIn, recorded } from '../../../support/vendors/model.ts';

const OWN = { ownOrigins: true };
const SHARED = { ownOrigins: false };

const found = (files: Readonly<Record<string, string>>, features?: DataFeatures) =>
  problemsOf(
    Object.entries(files).map(([path, content]) => ({ path, content })),
    features,
  ).map(({ path, message }) => `${path}: ${message}`);

const WISHES = JSON.stringify({
  wishes: {
    create: 'visitor',
    read: 'visitor',
    schema: {
      type: 'object',
      required: ['name', 'text'],
      properties: { name: { type: 'string' }, text: { type: 'string' }, guests: { type: 'integer' } },
    },
  },
});
const DECLARED = { '_data.json': WISHES };
const page = (body: string) => `<!doctype html>\n<html lang="en">\n<title>x</title>\n${body}\n</html>\n`;
const script = (code: string) => page(`<script type="module">\n${code}\n</script>`);
const FORM = '<form action=".data/wishes" method="post"><input name="name"><textarea name="text"></textarea></form>';
const USE = `import { collection } from './.data/client.js';\ncollection('wishes').watch(console.log);`;

/** A project that is built. */
const SOURCE = {
  'package.json': '{ "dependencies": { "vue": "3" } }',
  'index.html': page('<script type="module" src="/src/main.ts"></script>'),
};
const SENT = USE.replace('watch(console.log)', 'create({ name: best, text: field.value })');

testRows<Readonly<Record<string, string>>>([
  { 'index.html': page(FORM) },
  { 'index.html': page('<script type="module" src="src/a.js"></script>'), 'src/a.js': USE },
  { 'index.html': script(USE) },
  { 'index.html': script(`const all = await fetch('./.data/wishes?limit=5');`) },
  { 'index.html': script(`const one = (id) => fetch(\`.data/wishes/\${id}\`);`) },
  // A name that is computed, another folder, and another site.
  { 'index.html': script(`const all = (name) => fetch(\`.data/\${name}\`);`) },
  { 'index.html': script(`fetch('about/.data/wishes');`) },
  { 'index.html': script(`${USE}\nfetch('https://api.example/v1/.data/other');`) },
  { 'index.html': page('x'), 'about/index.html': page(FORM) },
  // Fields outside of the form, that a script adds, and of the service.
  { 'index.html': page(`${FORM.replace('<form', '<form id="f"')}<input form="f" name="guests">`) },
  { 'index.html': page('<form action=".data/wishes" method="post"><input name="name"><div id="more"></div></form>') },
  {
    'index.html': page(
      FORM.replace('</form>', '<input type="hidden" name="_next" value="a"><input name="_gotcha"></form>'),
    ),
  },
  {
    'index.html': page(
      `${FORM.replace('<input name="name">', '')}<script type="module">\n${SENT}\nwishes.create({ name });\n</script>`,
    ),
  },
  { 'index.html': page(FORM), 'service-worker.js': `const isData = (url) => url.includes('/.data/');` },
  { 'index.html': page(`${FORM}<!-- .data/other --><p>.data/other</p>`) },
  {
    ...SOURCE,
    'src/main.ts': `import './App.vue';`,
    'src/App.vue': `<script setup lang="ts">\nimport { collection } from '/.data/client.js';\nconst wishes = collection('wishes');\n</script>\n<template><p /></template>`,
  },
  ...[
    `import { collection } from '/.data/client.js';\ncollection<Map<string, { a: Draft[] }>>('wishes').count();`,
    `import { collection as dataOf } from '/.data/client.js';\ndataOf('wishes').count();`,
    `import * as data from '/.data/client.js';\ndata.collection('wishes').count();`,
  ].map((main) => ({ ...SOURCE, 'src/main.ts': main })),
])('finds nothing wrong with data that is declared and used', (files) => {
  expect(found({ ...DECLARED, ...files }, OWN)).toEqual([]);
});

testRows(['wedding-guestbook', 'party-registration'] as const)(
  'finds nothing wrong with the answers of a model',
  (name) => {
    const files = Object.fromEntries(filesIn(recorded(name)));
    expect(Object.keys(files)).toContain('_data.json');
    expect(found(files, OWN)).toEqual([]);
  },
);

it('leaves functions of the same name alone without the client', () => {
  expect(found({ 'index.html': script(`const collection = (name) => name;\ncollection('stamps');`) })).toEqual([]);
});

testRows<[Readonly<Record<string, string>>, readonly string[]]>([
  [
    { ...DECLARED, 'index.html': page('x') },
    ['_data.json: Line 1 declares the collection "wishes", which no file uses'],
  ],
  [
    { 'index.html': page(FORM) },
    ['index.html: Line 4 uses the collection "wishes", and there is no _data.json beside index.html that declares it'],
  ],
  [
    { ...DECLARED, 'index.html': script(`${USE}\ncollection('whishes').count();`) },
    ['index.html: Line 7 uses the collection "whishes", which _data.json does not declare: it declares wishes'],
  ],
  [
    { ...DECLARED, 'index.html': script(`${USE}\nfetch('/.data/wishes');`) },
    [
      'index.html: Line 7 has the URL "/.data/wishes" at the root of the domain, where other sites may be: write "./.data/wishes"',
    ],
  ],
  [
    {
      ...DECLARED,
      'index.html': page(FORM.replace('"name"', '"nmae"').replace(' method="post"', '')),
      'src/send.js': 'const item = Object.create(null);\nwishes.create(new FormData(form));\n',
    },
    [
      'index.html: Line 4: the form to ".data/wishes" needs method="post"',
      'index.html: Line 4: the form to ".data/wishes" has the field "nmae" that the schema of wishes does not declare, so that it is not stored: its fields are name, text, guests',
      'index.html: Line 4: the form to ".data/wishes" lacks the field "name", which the schema of wishes requires',
    ],
  ],
  [
    { ...DECLARED, 'index.html': script(`${USE}\nimport { items } from './.data/client.js';`) },
    [
      'index.html: It imports "items" from "./.data/client.js", which does not export it: it exports DataError, me, leave, collection',
    ],
  ],
  [{ '_data.json': '{\n  "wishes": {\n    "create": "visitor",,\n', 'index.html': page(FORM) }, ['_data.json: line 3']],
  [
    {
      '_data.json': WISHES.replace('"type":"integer"', '"type":"integer","minLength":1'),
      'index.html': page(FORM),
    },
    ['_data.json: wishes.schema.properties.guests.minLength is not known'],
  ],
])('names what does not fit, with file and line', (files, expected) => {
  const messages = found(files, OWN);
  expect(messages).toHaveLength(expected.length);
  for (const [at, message] of messages.entries()) expect(message.startsWith(expected[at] ?? '?')).toBe(true);
});

it('has what everyone can read corrected, and notes what others can find out, as a deploy warns', () => {
  const declaring = (rules: string) => ({
    '_data.json': WISHES.replace('"guests":{"type":"integer"}', '"mail":{"type":"string","format":"email"}')
      .replace('["name","text"]', '["name","text","mail"]')
      .replace('"create"', `${rules}"create"`),
    'index.html': page(FORM.replace('</form>', '<input name="mail"></form>')),
  });
  const notes = (files: Readonly<Record<string, string>>) => notesOf(new Map(Object.entries(files)), OWN);
  const exposed = declaring('');
  expect(found(exposed, OWN)).toEqual([
    '_data.json: Line 1: everyone can read the email addresses in mail of wishes: read is "visitor", and private does not name the field',
  ]);
  expect(notes(exposed)).toEqual([]);
  const guessed = declaring('"private":["mail"],"unique":"mail",');
  expect(found(guessed, OWN)).toEqual([]);
  expect(notes(guessed)).toEqual([
    '_data.json: Line 1: others can find out values of mail of wishes, which is private: unique names it',
  ]);
});

it('finds a test that imports the client of the data, which only a published page has', () => {
  const files = {
    ...DECLARED,
    'index.html': page('<script type="module" src="src/store.js"></script>'),
    'src/store.js': `import { collection } from '../.data/client.js';\nexport const wishes = collection('wishes');`,
    'src/sums.js': `import { wishes } from './store.js';\nexport const sum = async () => (await wishes.list()).items.length;`,
  };
  const testOf = (code: string, path = 'tests/sums.test.js') => found({ ...files, [path]: code }, OWN);
  expect(testOf(`import { sum } from '../src/sums.js';\nsum();`)).toEqual([
    expect.stringMatching(/^tests\/sums.test.js: The test cannot run: src\/store.js imports "\.data\/client.js"/),
  ]);
  expect(testOf(`import { mock } from 'node:test';\nimport { sum } from '../src/sums.js';`)).toEqual([]);
  expect(testOf(`const { sum } = await import('../src/sums.js');`)).toEqual([]);
  expect(testOf(`import { sum } from '../src/sums.js';`, 'src/other.js')).toEqual([]);
});

it('refuses rules that need an own origin, where sites have none', () => {
  const files = {
    '_data.json': WISHES.replace('"read"', '"delete":"author","read"'),
    'index.html': page(FORM),
  };
  expect(found(files, OWN)).toEqual([]);
  expect(found(files, SHARED)).toEqual([
    '_data.json: wishes.delete: "author" needs sites with an origin of their own, which this service does not give them: leave it out',
  ]);
});

it('takes the client for a missing file where sites have no data', () => {
  const files = { 'index.html': script(USE) };
  expect(found(files)).toEqual(['index.html: "./.data/client.js" refers to a missing file']);
});
